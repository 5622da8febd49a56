"""Dtype variants: kernels for f16 and quantised tensors, one for every f32 kernel and place.

Operands are read as real numbers, the f32 kernel works on these, and its results are rounded or
quantised once. The classes of a variant follow from those of the f32 kernel: the same places, with
weights in any quantised dtype and scalars also as f32.

Sums of quantised products are summed over integers, as in `exact`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from ...kernel.kernel import Annotation, BoundCall, Call, Kernel, KernelSlot
from ...tensors.tensor_classes import Int32Tensor, PlainFloatTensor
from ...tensors.tensors import ShapeParam, Tensor
from ..support.calls import in_order
from ..support.families import ENCODED, HALVES, PLACE_OF, PLACES, Family, place_name
from ..support.reals import alike, read, written
from .sums import SUMS, through_sums

Function = Callable[..., BoundCall]

_FLAT_IN_DDR: tuple[Annotation, ...] = (PlainFloatTensor, Int32Tensor, ShapeParam)


def dtype_variants(reals: Iterable[Kernel], elementwise: Collection[str] = ()) -> list[Kernel]:
    """Make the f16 and quantised kernels for some f32 ones.

    The ops in `elementwise` (`htp.Add`) work on elements in storage order.
    """
    variants: list[Kernel] = []
    groups = by_op(reals)
    for op, kernels in groups.items():
        plain = plain_of(kernels)
        if plain is not None:
            function = through_reals(plain, op in elementwise)
            # Quantised tensors are summed over integers where the op sums products.
            sums = SUMS.get(op)
            core = plain_of(groups[sums.core]) if sums else None
            exact = function if sums is None or core is None else through_sums(sums, core, function)
            variants += for_family(kernels, HALVES, replace(plain, function=function))
            variants += for_family(kernels, ENCODED, replace(plain, function=exact))
    return variants


def by_op(kernels: Iterable[Kernel]) -> dict[str, list[Kernel]]:
    """Group kernels by op."""
    groups: dict[str, list[Kernel]] = {}
    for kernel in kernels:
        groups.setdefault(kernel.op, []).append(kernel)
    return groups


def plain_of(kernels: Iterable[Kernel]) -> Kernel | None:
    """Find the first kernel that works on flat f32 tensors in main memory and nothing else."""
    for kernel in kernels:
        if all(slot.takes in _FLAT_IN_DDR for slot in (*kernel.outputs, *kernel.inputs)):
            return kernel
    return None


def for_family(reals: Sequence[Kernel], family: Family, variant: Kernel) -> Iterator[Kernel]:
    """Give `variant` the family's classes at every place that one of the f32 kernels serves.

    Its scratch, if any, is that of the kernel there: it holds f32.
    """
    for place in PLACES:
        served = [k for k in reals if PLACE_OF.get(k.outputs[0].takes) == place]
        if served:
            yield replace(
                variant,
                name=f"{family.name}.{place_name(place)}",
                outputs=_slots([k.outputs for k in served], family, is_output=True),
                inputs=_slots([k.inputs for k in served], family, is_output=False),
                variadic=False,
                scratch=served[0].scratch if variant.scratch else (),
            )


def through_reals(kernel: Kernel, elementwise: bool = False) -> Function:
    """Make a kernel on flat f32 tensors in main memory one for tensors of any class."""
    count = len(kernel.outputs)

    def bind(*tensors: Tensor | ShapeParam, **scratch: Tensor) -> BoundCall:
        outputs = [tensor for tensor in tensors[:count] if isinstance(tensor, Tensor)]
        operands = tensors[count:]
        data = [t for t in operands if isinstance(t, Tensor) and t.spec.elements > 1]
        storage_order = elementwise and alike([*outputs, *data])
        before: list[Call] = []
        after: list[Call] = []
        reals: list[Tensor | ShapeParam] = []
        for operand, slot in zip(operands, kernel.inputs, strict=True):
            if isinstance(operand, ShapeParam) or slot.takes is not PlainFloatTensor:
                reals.append(operand)
                continue
            real, calls = read(operand, storage_order)
            reals.append(real)
            before += calls
        results: list[Tensor] = []
        for output in outputs:
            result, calls = written(output, storage_order)
            results.append(result)
            after += calls
        bound = kernel.bind(results, reals, tuple(scratch.values()))
        return in_order([*before, bound, *after])

    return bind


def _slots(
    kernels: Sequence[tuple[KernelSlot, ...]], family: Family, is_output: bool
) -> tuple[KernelSlot, ...]:
    """Position by position the classes that any of the f32 kernels takes, for the family."""
    slots = []
    for same in zip(*kernels, strict=True):
        taken = list(dict.fromkeys(class_ for s in same for class_ in (s.takes, *s.also)))
        variants: Sequence[Annotation] = [c for t in taken for c in family.variants.get(t, ())]
        # The place of scalars and biases, which are flat, does not follow that of the data.
        if (
            variants
            and (taken == [PlainFloatTensor] or all(s.also for s in same))
            and not is_output
        ):
            variants = [*variants, *family.more]
        slots.append(KernelSlot.of(same[0].name, variants or taken))
    return tuple(slots)
