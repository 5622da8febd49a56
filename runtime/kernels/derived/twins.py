"""Kernels for f16 and quantised tensors, one for every f32 kernel and place.

Operands are read as real numbers, the f32 kernel works on these, and what it makes is rounded or
quantised once. Which classes a twin takes follows from those of the f32 kernel: the same places,
with weights in any quantised type and scalars also as f32.

Sums of quantised products are made of whole numbers, as in `exact`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from ...kernel.kernel import Annotation, BoundCall, Call, Kernel, Slot
from ...tensors.tensor_classes import Int32Tensor, PlainFloatTensor
from ...tensors.tensors import ShapeParam, Tensor
from ..support.calls import in_order
from ..support.families import ENCODED, HALVES, PLACE_OF, PLACES, Family, is_param, place_name, slot
from ..support.reals import alike, read, written
from .sums import SUMS, through_sums

Function = Callable[..., BoundCall]

_AT_HOME: tuple[Annotation, ...] = (PlainFloatTensor, Int32Tensor, ShapeParam)


def twins(kernels: Iterable[Kernel], as_they_lie: Iterable[str] = ()) -> list[Kernel]:
    """The f16 and quantised kernels for some f32 ones.

    Ops in `as_they_lie` (`htp.Add`) work element by element: croutons need not be taken apart.
    """
    lying = set(as_they_lie)
    made: list[Kernel] = []
    groups = by_op(kernels)
    for op, found in groups.items():
        plain = plain_of(found)
        if plain is not None:
            function = through_reals(plain, op in lying)
            exact = _exact(op, function, groups)
            made += for_family(found, HALVES, replace(plain, function=function))
            made += for_family(found, ENCODED, replace(plain, function=exact))
    return made


def _exact(op: str, otherwise: Function, groups: dict[str, list[Kernel]]) -> Function:
    """The kernel for quantised tensors: on whole numbers where the op sums products."""
    sums = SUMS.get(op)
    core = plain_of(groups[sums.core]) if sums else None
    return otherwise if sums is None or core is None else through_sums(sums, core, otherwise)


def by_op(kernels: Iterable[Kernel]) -> dict[str, list[Kernel]]:
    """Kernels in groups of one op."""
    groups: dict[str, list[Kernel]] = {}
    for kernel in kernels:
        groups.setdefault(kernel.op, []).append(kernel)
    return groups


def plain_of(kernels: Iterable[Kernel]) -> Kernel | None:
    """The first kernel that works on flat f32 tensors in main memory and nothing else."""
    return next((kernel for kernel in kernels if _is_plain(kernel)), None)


def for_family(kernels: Sequence[Kernel], family: Family, made: Kernel) -> Iterator[Kernel]:
    """`made` with the family's classes at every place that one of the f32 kernels serves."""
    places = [PLACE_OF.get(kernel.outputs[0].takes) for kernel in kernels]
    for at in PLACES:
        served = [kernel for kernel, place in zip(kernels, places, strict=True) if place == at]
        if served:
            yield replace(
                made,
                name=f"{family.name}.{place_name(at)}",
                outputs=_slots([k.outputs for k in served], family, is_output=True),
                inputs=_slots([k.inputs for k in served], family, is_output=False),
                variadic=False,
            )


def through_reals(kernel: Kernel, lying: bool = False) -> Function:
    """A kernel on flat f32 tensors in main memory, for tensors of any class."""
    count = len(kernel.outputs)

    def bind(*tensors: Tensor | ShapeParam) -> BoundCall:
        outputs = [tensor for tensor in tensors[:count] if isinstance(tensor, Tensor)]
        operands = tensors[count:]
        data = [t for t in operands if isinstance(t, Tensor) and t.spec.elements > 1]
        as_they_lie = lying and alike([*outputs, *data])
        before: list[Call] = []
        after: list[Call] = []
        reals: list[Tensor | ShapeParam] = []
        for operand, taken in zip(operands, kernel.inputs, strict=True):
            real, calls = _operand(operand, taken, as_they_lie)
            reals.append(real)
            before += calls
        results: list[Tensor] = []
        for output in outputs:
            result, calls = written(output, as_they_lie)
            results.append(result)
            after += calls
        return in_order([*before, kernel.bind(results, reals), *after])

    return bind


def _operand(
    operand: Tensor | ShapeParam, taken: Slot, lying: bool
) -> tuple[Tensor | ShapeParam, list[Call]]:
    if isinstance(operand, ShapeParam) or taken.takes is not PlainFloatTensor:
        return operand, []
    return read(operand, lying)


def _is_plain(kernel: Kernel) -> bool:
    return all(slot.takes in _AT_HOME for slot in (*kernel.outputs, *kernel.inputs))


def _slots(found: Sequence[tuple[Slot, ...]], family: Family, is_output: bool) -> tuple[Slot, ...]:
    """Position by position what any of the f32 kernels takes, for the family."""
    made = []
    for same in zip(*found, strict=True):
        taken = list(dict.fromkeys(s.takes for s in same))
        held: Sequence[Annotation] = [c for t in taken for c in family.twins.get(t, ())]
        if held and is_param(taken) and not is_output:
            held = [*held, *family.more]
        made.append(slot(same[0].name, held or taken))
    return tuple(made)
