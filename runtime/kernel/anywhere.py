"""Kernels that take their tensors wherever they are: each is copied to where the kernel wants it.

A check of numbers runs graphs without places, in which everything is flat in main memory. There a
kernel of concrete classes, such as croutons in TCM, gets tensors of its own of those classes; they
are filled before each call and emptied after it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from ...dialects.value import DType, LayoutKind, Memory, Place, TensorSpec
from ..tensors.tensor_classes import CLASSES, constant_tensor, new_tensor
from ..tensors.tensors import ShapeParam, Tensor, TensorClass
from .kernel import Annotation, BoundCall, Kernel, KernelSlot

_KEYS: dict[Annotation, TensorClass] = {class_: key for key, class_ in CLASSES.items()}


def dtype_of(class_: Annotation) -> DType | None:
    """Return the dtype of a class of tensors; None for any, and for a shape."""
    key = _KEYS.get(class_)
    return None if key is None else key.dtype


def place_of(class_: Annotation) -> Place | None:
    """Return where tensors of a class are; None for any, and for a shape."""
    key = _KEYS.get(class_)
    return None if key is None else Place(key.layout, key.memory)


def anywhere(kernels: Iterable[Kernel]) -> Iterator[Kernel]:
    """Yield, for each kernel of concrete classes, one that takes flat tensors in main memory."""
    for kernel in kernels:
        flat = with_flat_tensors(kernel, _bound)
        if (flat.outputs, flat.inputs) != (kernel.outputs, kernel.inputs):
            yield flat


def with_flat_tensors(kernel: Kernel, bind: Callable[..., BoundCall]) -> Kernel:
    """Return a kernel that takes flat tensors in main memory and is bound by `bind(kernel, ...)`.

    `bind` gets the kernel, its outputs and operands, and its scratch by name.
    """
    return replace(
        kernel,
        name=f"{kernel.name} anywhere",
        function=partial(bind, kernel),
        outputs=tuple(map(_flat, kernel.outputs)),
        inputs=tuple(map(_flat, kernel.inputs)),
        binding=True,
    )


def _flat(slot: KernelSlot) -> KernelSlot:
    """Return a slot that takes flat tensors of the same dtypes."""
    takes, *also = dict.fromkeys(_flat_class(class_) for class_ in (slot.takes, *slot.also))
    return replace(slot, takes=takes, also=tuple(also))


def _flat_class(class_: Annotation) -> Annotation:
    key = _KEYS.get(class_)
    return class_ if key is None else CLASSES[TensorClass(key.dtype, LayoutKind.FLAT, Memory.DDR)]


def _bound(kernel: Kernel, *tensors: Tensor | ShapeParam, **scratch: Tensor) -> BoundCall:
    """Bind a kernel to tensors where it wants them; the call copies there and back."""
    count = len(kernel.outputs)
    slots = (*kernel.outputs, *(kernel.slots_for(len(tensors) - count) or ()))
    own = [_placed(slot, tensor) for slot, tensor in zip(slots, tensors, strict=True)]
    results = [tensor for tensor in own[:count] if isinstance(tensor, Tensor)]
    call = kernel.bind(results, own[count:], tuple(scratch.values()))

    def run() -> None:
        _copy(tensors[count:], own[count:])
        call()
        _copy(results, tensors[:count])

    return run


def _placed(slot: KernelSlot, tensor: Tensor | ShapeParam) -> Tensor | ShapeParam:
    """Return a tensor like this one, of the first class of the slot that has its dtype."""
    if isinstance(tensor, ShapeParam) or (spec := spec_in(slot, tensor.spec)) is None:
        return tensor
    return constant_tensor(spec, tensor.stored()) if tensor.constant else new_tensor(spec)


def spec_in(slot: KernelSlot, spec: TensorSpec) -> TensorSpec | None:
    """Return a spec where the first class of a slot that has its dtype wants it; None for any."""
    keys = (_KEYS.get(class_) for class_ in (slot.takes, *slot.also))
    own = next((key for key in keys if key and key.dtype is spec.dtype), None)
    return None if own is None else spec.with_place(Place(own.layout, own.memory))


def _copy(sources: Sequence[Tensor | ShapeParam], targets: Sequence[Tensor | ShapeParam]) -> None:
    """Copy the stored values of tensors to others; what is constant is there already."""
    for source, target in zip(sources, targets, strict=True):
        if isinstance(source, ShapeParam) or isinstance(target, ShapeParam):
            continue
        if source is not target and not target.constant:
            target.store_raw(source.stored())
