"""Largest and smallest elements without arithmetic: compared as they are stored."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ....dialects.value.dtypes import DType
from ...kernel.annotations import Takes
from ...kernel.declare import KernelSet
from ...kernel.kernel import BoundCall, Cost
from ...tensors.tensor_classes import Int32Tensor
from ...tensors.tensors import ShapeParam, Tensor
from ..f32.pool import max_pool
from ..f32.reductions import reduced
from ..support.families import FLATS, PLACES, QUANTIZED, classes, place_name
from ..support.reals import has_one_encoding

Function = Callable[..., BoundCall]

_WINDOW: dict[str, Takes] = {"window": ShapeParam, "stride": ShapeParam}
_AXES: dict[str, Takes] = {"axes": Int32Tensor}


def extremes(otherwise: Callable[[str], Function]) -> KernelSet:
    """Declare the kernels; where the result has an encoding of its own, `otherwise` takes over."""
    kernels = KernelSet()
    for name, params, function, places in (
        ("MaxPool_valid", _WINDOW, max_pool, PLACES),
        ("ReduceMax", _AXES, partial(reduced, "Max"), FLATS),
        ("ReduceMin", _AXES, partial(reduced, "Min"), FLATS),
    ):
        stored = partial(_stored, function, otherwise(f"htp.{name}"))
        for place in places:
            data = classes((*QUANTIZED, DType.Int32), place)
            kernels.add(
                name,
                stored,
                {"out": data},
                {"inp": data, **params},
                name=f"stored.{place_name(place)}",
                cost=Cost.FAST,
            )
    return kernels


def _stored(
    function: Function,
    through_reals: Function,
    out: Tensor,
    inp: Tensor,
    *rest: Tensor | ShapeParam,
) -> BoundCall:
    same = out.spec.same_encoding(inp.spec) and has_one_encoding(inp)
    return (function if same else through_reals)(out, inp, *rest)
