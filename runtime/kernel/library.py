"""The kernels of native ops and the evaluators of graph ops, which programs run.

Evaluators take and give stored values in arrays of the tensor's shape and storage type. Operands
come in the order of the op's definition, None for an absent optional one; those of a variadic
operand stand one after the other. Operands may be views of memory: they are not to be written.
HtpError, ValueError, IndexError or ArithmeticError fails the run and names the op; every state is
then as it was.

Kernels may take their tensors wherever they are: each is copied to where the kernel wants it. A
check of numbers runs graphs without places, in which everything is flat in main memory. There a
kernel of concrete classes, such as croutons in TCM, gets tensors of its own of those classes; they
are filled before each call and emptied after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from xdsl.ir import SSAValue

from ...dialects.diagnostics import Fault, HtpError, fail, listed
from ...dialects.faults.arguments import a
from ...dialects.qti_aisw.base import GraphOp
from ...dialects.value import DType, LayoutKind, Memory, Place, TensorSpec
from ..functions.support.arrays import Array
from ..tensors.tensor_classes import CLASSES, constant_tensor, new_tensor
from ..tensors.tensors import ShapeParam, Tensor, TensorClass
from .kernel import Annotation, BoundCall, Kernel, KernelSlot, Operand, Signature, signature_of
from .sketch import kernel_sketch


class KernelRegistry:
    """All kernels of some sets, by op (`htp.Add`): the project's own and those of user packages.

    `cpp` are the packages that are written in C++; so are the remedies about their ops.
    """

    def __init__(self, sets: Iterable[Iterable[Kernel]], cpp: Iterable[str] = ()) -> None:
        self._sets = tuple(sets)
        self._cpp = frozenset(cpp)
        self._remembered: dict[tuple[str, Signature], tuple[Kernel, ...]] = {}
        self._by_op: dict[str, dict[str, Kernel]] = {}
        self._with_scratch: set[str] = set()
        for kernel in (kernel for kernels in self._sets for kernel in kernels):
            named = self._by_op.setdefault(kernel.op, {})
            if kernel.name in named:
                raise ValueError(f"op {kernel.op} has two kernels named {kernel.name}")
            named[kernel.name] = kernel
            if kernel.scratch:
                self._with_scratch.add(kernel.op)

    def extended(self, sets: Iterable[Iterable[Kernel]], cpp: Iterable[str] = ()) -> KernelRegistry:
        """Make a registry with these kernels and, after them, more; `cpp` packages are in C++."""
        return KernelRegistry([*self._sets, *sets], {*self._cpp, *cpp})

    def in_cpp(self, op: str) -> bool:
        """Tell whether an op belongs to a package that is written in C++."""
        return op.partition(".")[0] in self._cpp

    def kernels(self, op: str) -> tuple[Kernel, ...]:
        """List the kernels of an op in the order of their declaration."""
        return tuple(self._by_op.get(op, {}).values())

    def by_name(self, op: str, name: str) -> Kernel:
        """Find the kernel that allocated IR names; HtpError where there is none."""
        named = self._by_op.get(op, {})
        if name not in named:
            raise fail(op, f"has no kernel '{name}'", listed(name, named))
        return named[name]

    def has_scratch(self, op: str) -> bool:
        """Tell whether any kernel of an op has scratch."""
        return op in self._with_scratch

    def select(self, op: str, outputs: Sequence[TensorSpec], operands: Sequence[Operand]) -> Kernel:
        """Choose the cheapest kernel that takes these tensors, the first declared among equals.

        A kernel without a body is chosen only where no other one fits.

        Raises HtpError that says, of each kernel there is, why it does not fit, and shows one that
        would.
        """
        fitting = self._fitting(op, signature_of(outputs, operands))
        if fitting:
            return min(fitting, key=lambda kernel: kernel.price(outputs, operands))
        kernels = self.kernels(op)
        if not kernels:
            sketch = kernel_sketch(op, outputs, operands, cpp=self.in_cpp(op))
            raise fail(op, "no kernel exists for this op", sketch)
        # Said once: several faults are one line each.
        sketch = kernel_sketch(op, outputs, operands, typed=True, cpp=self.in_cpp(op))
        remedies = [sketch, *[""] * len(kernels)]
        raise HtpError(
            *(
                Fault(op, f"kernel {k.name} does not fit: {k.misfit(outputs, operands)}", remedy)
                for k, remedy in zip(kernels, remedies, strict=False)
            )
        )

    def price(
        self, op: str, outputs: Sequence[TensorSpec], operands: Sequence[Operand]
    ) -> float | None:
        """Compute the cost of the cheapest kernel that fits; None where none does."""
        fitting = self._fitting(op, signature_of(outputs, operands))
        return min((kernel.price(outputs, operands) for kernel in fitting), default=None)

    def _fitting(self, op: str, signature: Signature) -> tuple[Kernel, ...]:
        """The kernels whose classes fit, those alone that run, and that end nowhere, if any does.

        They are remembered, since graphs repeat their signatures.
        """
        key = (op, signature)
        if key not in self._remembered:
            fitting = [k for k in self.kernels(op) if k.first_misfit(signature) is None]
            running = [k for k in fitting if not k.lacks] or fitting
            self._remembered[key] = tuple(k for k in running if not k.ends) or tuple(running)
        return self._remembered[key]


Inputs = Sequence[Array | None]
Evaluator = Callable[[GraphOp, Inputs], Sequence[Array]]
"""From operand values to result values, for an op without state."""


@dataclass(frozen=True)
class StatefulEvaluator:
    """An op whose results depend on earlier inferences.

    `names` are its states' roles (`content`, `h`). `initial_state` gives the values before the
    first inference and after a reset; their shapes and dtypes depend on the op alone. `step` gives
    the results, or None while they are not ready, and the new states. Whether the operand `reset`
    is true is the session's to look at.
    """

    names: tuple[str, ...]
    initial_state: Callable[[GraphOp, Inputs], Sequence[Array]]
    step: Callable[
        [GraphOp, Inputs, Sequence[Array]], tuple[Sequence[Array] | None, Sequence[Array]]
    ]


def graph_operands(op: GraphOp) -> list[tuple[str, SSAValue | None]]:
    """List name and value of each operand: None for an absent one, an entry per variadic value."""
    slots: list[tuple[str, SSAValue | None]] = []
    for name, _ in op.get_irdl_definition().operands:
        values = getattr(op, name)
        if values is None or isinstance(values, SSAValue):
            slots.append((name, values))
        else:
            slots += [(name, value) for value in values]
    return slots


@dataclass(frozen=True)
class Library:
    """Kernels by op (`htp.Add`), evaluators by the mnemonic of the graph op (`Conv2d`)."""

    kernels: KernelRegistry
    graph: Mapping[str, Evaluator]
    stateful: Mapping[str, StatefulEvaluator]

    def extended(self, *sets: Iterable[Kernel], cpp: Iterable[str] = ()) -> Library:
        """Add the kernels of user packages; without any, return the library itself.

        `cpp` are the packages that are written in C++.
        """
        return replace(self, kernels=self.kernels.extended(sets, cpp)) if sets else self


LIBRARY = a("a library", Library, remedy="give that of packages: .library")
"""The kind of an argument that is a library."""


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
