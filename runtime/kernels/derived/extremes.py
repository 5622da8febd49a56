"""Largest and smallest elements without arithmetic: as they are stored, whatever they stand for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ....dialects.value.dtypes import DType
from ...kernel.kernel import BoundCall, Cost, Flag, Kernel, Slot
from ...tensors.tensor_classes import Int32Tensor
from ...tensors.tensors import ShapeParam, Tensor
from ..f32.pool import pooled_max
from ..f32.reductions import reduced
from ..support.families import FLATS, PLACES, QUANTIZED, classes, place_name, slot
from ..support.reals import ungraded

Function = Callable[..., BoundCall]

_STORED = (*QUANTIZED, DType.Int32)


def extremes(otherwise: Callable[[str], Function]) -> Iterator[Kernel]:
    """The kernels; where the result has an encoding of its own, `otherwise` takes over."""
    window = (Slot("window", ShapeParam), Slot("stride", ShapeParam))
    axes = (Slot("axes", Int32Tensor),)
    for at in PLACES:
        held = slot("out", classes(_STORED, at))
        name = f"stored.{place_name(at)}"
        yield _kernel("MaxPool_valid", name, held, window, pooled_max, otherwise)
        if at in FLATS:
            yield _kernel("ReduceMax", name, held, axes, reduced("Max"), otherwise)
            yield _kernel("ReduceMin", name, held, axes, reduced("Min"), otherwise)


def _kernel(
    op: str,
    name: str,
    held: Slot,
    params: Sequence[Slot],
    function: Function,
    otherwise: Callable[[str], Function],
) -> Kernel:
    through_reals = otherwise(op)

    def stored(out: Tensor, inp: Tensor, *rest: Tensor | ShapeParam) -> BoundCall:
        same = out.spec.same_encoding(inp.spec) and ungraded(inp)
        return (function if same else through_reals)(out, inp, *rest)

    return Kernel(
        op=f"htp.{op}",
        name=name,
        function=stored,
        outputs=(held,),
        inputs=(Slot("inp", held.takes, held.also), *params),
        variadic=False,
        binding=True,
        cost=Cost.FAST,
        flags=Flag.RESOURCE_HVX,
    )
