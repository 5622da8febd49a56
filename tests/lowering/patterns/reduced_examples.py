"""Reductions for rules: planned along a dim, over parts of rows or columns, and summed in f32."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from htp_mlir.dialects.attributes import TILE_PLAN
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value import TensorSpec
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.lowering.patterns.tile_table import REDUCED, WHOLE
from htp_mlir.lowering.planner.tiling.program import SUMMED
from htp_mlir.lowering.rules.language.tile_plan import plan_attr
from xdsl.dialects.builtin import ModuleOp

from tests.support.native_graph import NativeGraph


def planned(name: str, dim: int) -> ModuleOp:
    """A reduction over one dim, with a plan along another one."""
    graph = NativeGraph()
    x = graph.input(2, 16, 16, 64)
    over = 1 if dim != 1 else 2
    shape = tuple(1 if at == over else size for at, size in enumerate(spec_of(x).shape))
    spec = TensorSpec(shape, DType.Int32 if name in WHOLE else DType.Float32)
    out = graph.op(name, x, graph.ints(over), out=spec)
    out.owner.attributes[TILE_PLAN] = plan_attr([(dim, (1, 8, 8, 32)[dim])])
    return graph.module(out)


def in_parts(name: str, axes: tuple[int, ...]) -> ModuleOp:
    """A reduction with a plan of parts of what it runs over; 19 rows are no multiple of 8."""
    graph = NativeGraph()
    x = graph.input(2, 19, 21, 5)
    shape = tuple(1 if at in axes else size for at, size in enumerate(spec_of(x).shape))
    out = graph.op(name, x, graph.ints(*axes), out=shape)
    out.owner.attributes[TILE_PLAN] = plan_attr([(SUMMED, 8)])
    return graph.module(out)


def narrow(name: str, dtype: DType) -> ModuleOp:
    """A reduction of f16 or u8 over an image."""
    graph = NativeGraph()
    x, coded = graph.input(1, 9, 7, 5), Quant((0.05,), (3,))
    quant = coded if dtype.is_quantized else None
    spec = replace(spec_of(x), dtype=dtype, quant=quant)
    image = graph.op("Quantize" if quant else "Cast", x, out=spec)
    out = graph.op(name, image, graph.ints(1, 2), out=spec.with_shape((1, 1, 1, 5)))
    return graph.module(out)


def whole_pool(dtype: DType) -> ModuleOp:
    """A mean over windows that are as large as the image."""
    graph = NativeGraph()
    x = graph.input(1, 9, 7, 5)
    if dtype is not DType.Float32:
        x = graph.op(
            "Quantize", x, out=replace(spec_of(x), dtype=dtype, quant=Quant((0.05,), (3,)))
        )
    pads = graph.const(np.zeros((1, 1, 2, 2), np.int32))
    params = graph.ints(9, 7), graph.ints(1, 1), pads, graph.ints(0), graph.ints(0)
    out = spec_of(x).with_shape((1, 1, 1, 5))
    return graph.module(graph.op("PoolAvg2d", x, *params, out=out))


REDUCTIONS: dict[str, Callable[[], ModuleOp]] = {
    **{
        f"planned {name}, {'BHWD'[dim]}": partial(planned, name, dim)
        for name in (*WHOLE, *(f"Reduce{kind}" for kind in REDUCED))
        for dim in range(4)
    },
    **{
        f"Reduce{kind} in parts, {axes}": partial(in_parts, f"Reduce{kind}", axes)
        for kind in REDUCED
        for axes in ((1, 2), (2,))
    },
    **{
        f"Reduce{kind} of {dtype.name}": partial(narrow, f"Reduce{kind}", dtype)
        for kind in ("Sum", "Mean")
        for dtype in (DType.Float16, DType.QUInt8)
    },
    **{
        f"whole pool of {dtype.name}": partial(whole_pool, dtype)
        for dtype in (DType.Float32, DType.QUInt8)
    },
}
"""What makes each example, by its name."""
