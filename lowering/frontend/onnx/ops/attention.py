"""Attention, with its masks, its past, and its windows. Source: ONNX operator spec, opset 25."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from xdsl.ir import SSAValue

from .....dialects.spec_of import plain_element_type
from .....dialects.value.dtypes import DType
from ..support.context import NodeContext
from ..support.registry import ImporterSet
from ..support.types import DTYPES

if TYPE_CHECKING:
    from onnx import NodeProto, TypeProto

ONNX = ImporterSet(keeps_stored=False)

_Q, _K, _V, _MASK, _PAST_K, _PAST_V, _LENGTHS = range(7)
_Y, _, _, _SCORES = range(4)
_UNDEFINED = 0
"""The element type of a value that is not known."""


def _left_to_body(node: NodeProto, types: Mapping[str, TypeProto]) -> bool:
    """Leave what the op does not have: an output with the scores, and other floats."""
    type_ = types.get(node.output[_Y])
    element = type_.tensor_type.elem_type if type_ else _UNDEFINED
    taken = element == _UNDEFINED or DTYPES.get(element) in (DType.Float32, DType.Float16)
    return any(node.output[_SCORES:]) or not taken


@ONNX.importer("Attention", leaves=_left_to_body)
def attention(ctx: NodeContext) -> list[SSAValue]:
    """Attention; its softmax is in f32, whatever `softmax_precision` asks for."""
    for name in ("softmax_precision", "qk_matmul_output_mode"):
        ctx.integer(name)
    q = _by_heads(ctx, _Q, "q_num_heads")
    k, v = (
        _after_past(ctx, past, _by_heads(ctx, index, "kv_num_heads"))
        for index, past in ((_K, _PAST_K), (_V, _PAST_V))
    )
    depth, keys = ctx.shape(q)[3], ctx.shape(k)[2]
    mask = _mask(ctx, q, keys)
    window = _window(ctx)
    if ctx.has(_LENGTHS):
        lengths = _bias(ctx, _within_lengths(ctx, q, keys, window), q)
        mask = lengths if mask is None else ctx.emit("ElementWiseAdd", mask, lengths)
        window = {}
    past = ctx.shape(ctx.value(_PAST_K))[2] if ctx.has(_PAST_K) else 0
    out = ctx.emit(
        *("Attention", q, k, v, mask),
        scale=ctx.real("scale", max(depth, 1) ** -0.5),
        softcap=ctx.real("softcap", 0.0),
        first=window["first"] + past if "first" in window else None,
        last=window["last"] + past if "last" in window else None,
    )
    if len(ctx.shape(ctx.value(_Q))) == 3:
        out = ctx.reshape(ctx.transpose(out, (0, 2, 1, 3)), ctx.out().shape)
    return [out, k, v]


def _by_heads(ctx: NodeContext, index: int, name: str) -> SSAValue:
    """Return queries, keys or values as [batch, heads, sequence, depth]."""
    x, heads = ctx.value(index), ctx.integer(name)
    if len(ctx.shape(x)) != 3:
        return x
    batch, sequence, width = ctx.shape(x)
    problem = f"input {index} has depth {width}, attribute '{name}' is {heads}"
    ctx.require(heads > 0 and width % heads == 0, problem, "it must divide the depth")
    return ctx.transpose(ctx.reshape(x, (batch, sequence, heads, width // heads)), (0, 2, 1, 3))


def _after_past(ctx: NodeContext, index: int, x: SSAValue) -> SSAValue:
    """Return keys or values with those of the past in front."""
    past = ctx.optional(index)
    return x if past is None else ctx.emit("Concat", [past, x], axis=2)


def _window(ctx: NodeContext) -> dict[str, int]:
    """Return the bounds on a key's number less its query's; what is absent is unbounded."""
    left, right = (ctx.integer(f"{side}_window_size", -1) for side in ("left", "right"))
    ends = [right] * (right >= 0) + [0] * (ctx.integer("is_causal") != 0)
    first = {"first": -left} if left >= 0 else {}
    return first | ({"last": min(ends)} if ends else {})


def _mask(ctx: NodeContext, q: SSAValue, keys: int) -> SSAValue | None:
    """Return what is added to the scores; keys behind the mask's end take no part."""
    mask = ctx.optional(_MASK)
    if mask is None:
        return None
    if ctx.dtype(mask) is DType.Bool8:
        mask = _bias(ctx, mask, q)
    elif ctx.dtype(mask) is not ctx.dtype(q):
        mask = ctx.emit("Cast", mask, to=plain_element_type(ctx.dtype(q)))
    *front, columns = ctx.shape(mask) or (1,)
    if columns >= keys:
        return mask
    none = np.full((*front, keys - columns), -np.inf, ctx.dtype(q).storage)
    return ctx.emit("Concat", [ctx.reshape(mask, (*front, columns)), ctx.const(none)], axis=-1)


def _bias(ctx: NodeContext, takes_part: SSAValue, like: SSAValue) -> SSAValue:
    """Return 0 where a key takes part and -infinity elsewhere."""
    zero, none = ctx.scalar(0, like), ctx.scalar(-np.inf, like)
    return ctx.emit("ElementWiseSelect", takes_part, zero, none)


def _within_lengths(
    ctx: NodeContext, q: SSAValue, keys: int, window: Mapping[str, int]
) -> SSAValue:
    """Tell which keys are within each sequence's length, and in the window from its end back."""
    batch, _, rows, _ = ctx.shape(q)
    lengths = ctx.reshape(ctx.value(_LENGTHS), (batch, 1, 1, 1))
    dtype = ctx.dtype(lengths).storage
    key = np.arange(keys, dtype=dtype)[np.newaxis, np.newaxis, np.newaxis]
    within = ctx.emit("ElementWiseLess", ctx.const(key), lengths)
    # The last query is at the end: query i is number i + length - rows of its sequence.
    distance = key + rows - np.arange(rows, dtype=dtype)[:, np.newaxis]
    compared = {"first": "ElementWiseGreaterEqual", "last": "ElementWiseLessEqual"}
    for name, bound in window.items():
        inside = ctx.emit(compared[name], ctx.const(distance - dtype.type(bound)), lengths)
        within = ctx.emit("ElementWiseAnd", within, inside)
    return within
