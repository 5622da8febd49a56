"""Numbers in place of numbers: LabelEncoder and OneHotEncoder, domain ai.onnx.ml."""

from __future__ import annotations

import numpy as np
from xdsl.ir import SSAValue

from ......dialects.dense import Array
from ......dialects.spec_of import plain_element_type
from ......dialects.value.dtypes import DType
from ...support.context import NodeContext
from ...support.registry import ImporterSet
from ...support.types import MOST_ELEMENTS
from ..tensors.steps import like
from .classical import DOMAIN, refuse_text

ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("LabelEncoder", domain=DOMAIN)
def label_encoder(ctx: NodeContext) -> list[SSAValue]:
    """LabelEncoder: the value of the last key that an element equals, else the default."""
    refuse_text(ctx, *(f"{role}_strings" for role in ("keys", "values")))
    x, keys, values = ctx.value(0), _listed(ctx, "keys"), _listed(ctx, "values")
    # NaN equals NaN here. The first of the keys from the end is the one that counts.
    _, last = np.unique(keys[::-1], return_index=True)
    keys, values = keys[::-1][last], values[::-1][last]
    hits = _hits(ctx, x, keys)
    steps = np.arange(keys.size, dtype=np.int32) - np.int32(keys.size)
    hits = ctx.emit("Cast", hits, to=plain_element_type(DType.Int32))
    chosen = ctx.emit("ElementWiseMultiply", hits, ctx.const(steps))
    place = ctx.emit("ReduceSum", chosen, axes=[-1], keep_dims=False)
    place = ctx.emit("ElementWiseAdd", place, ctx.scalar(keys.size, place))
    table = np.append(values, _default(ctx, values)).astype(values.dtype)
    return [ctx.emit("Gather", ctx.const(table), place, axis=0)]


@ONNX.importer("OneHotEncoder", domain=DOMAIN)
def one_hot_encoder(ctx: NodeContext) -> list[SSAValue]:
    """OneHotEncoder of integers: 1 at the place of an element's category, else 0."""
    refuse_text(ctx, "cats_strings")
    x, categories = ctx.value(0), np.array(ctx.integers("cats_int64s") or (), np.int64)
    problem = "attribute 'zeros' is 0, so a category that is not listed fails the run"
    ctx.require(ctx.integer("zeros", 1) != 0, problem, "set it to 1")
    if ctx.dtype(x) is not DType.Int64:
        x = ctx.emit("Cast", x, to=plain_element_type(DType.Int64))
    return [ctx.emit("Cast", _hits(ctx, x, categories), to=plain_element_type(DType.Float32))]


def _hits(ctx: NodeContext, x: SSAValue, numbers: Array) -> SSAValue:
    """Tell of each element which numbers it equals, in a further dim."""
    shape = ctx.shape(x)
    count = int(np.prod(shape)) * numbers.size
    ctx.require(count <= MOST_ELEMENTS, f"compares {count} pairs", f"at most {MOST_ELEMENTS}")
    column = ctx.reshape(x, (*shape, 1))
    hits = ctx.emit("ElementWiseEqual", column, like(ctx, numbers, x))
    missing = numbers != numbers
    if not missing.any():
        return hits
    nan = ctx.emit("ElementWiseNotEqual", column, column)
    return ctx.emit("ElementWiseOr", hits, ctx.emit("ElementWiseAnd", nan, ctx.const(missing)))


def _listed(ctx: NodeContext, role: str) -> Array:
    """Return the keys or values, whichever attribute has them."""
    for name, numbers, dtype in (
        (f"{role}_int64s", ctx.integers(f"{role}_int64s") or (), np.int64),
        (f"{role}_floats", ctx.reals(f"{role}_floats"), np.float32),
    ):
        if ctx.given(name):
            return np.array(numbers, dtype)
    listed = ctx.array(f"{role}_tensor").reshape(-1)
    problem = f"attribute '{role}_tensor' holds text, which is no tensor of numbers"
    ctx.require(listed.dtype.kind in "fiu", problem, "number what it names")
    return listed


def _default(ctx: NodeContext, values: Array) -> float:
    """Return what stands for an element without a key."""
    stated = ctx.array("default_tensor").reshape(-1)
    whole, real = ctx.integer("default_int64", -1), ctx.real("default_float", -0.0)
    ctx.text("default_string", "")
    if stated.size:
        return float(stated[0]) if stated.dtype.kind == "f" else int(stated[0])
    return whole if values.dtype.kind in "iu" else real
