"""Attention, with its masks, its past and its windows; RotaryEmbedding. Source: ONNX spec."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from ....dialects.value import DType
from ..graph.value import Value, joined, where
from ..support.registry import ImporterSet, NodeContext, require
from ..support.types import DTYPES, require_few

if TYPE_CHECKING:
    from onnx import NodeProto, TypeProto

ONNX = ImporterSet(keeps_stored=False)

_Y, _, _, _SCORES = range(4)
_UNDEFINED = 0
"""The element type of a value that is not known."""


def _left_to_body(node: NodeProto, types: Mapping[str, TypeProto]) -> bool:
    """Leave what the op does not have: an output with the scores, and other floats."""
    type_ = types.get(node.output[_Y])
    element = type_.tensor_type.elem_type if type_ else _UNDEFINED
    taken = element == _UNDEFINED or DTYPES.get(element) in (DType.Float32, DType.Float16)
    return any(node.output[_SCORES:]) or not taken


@dataclass(frozen=True)
class _Window:
    """The attributes that say which keys a query sees."""

    is_causal: bool = False
    left_window_size: int = -1
    right_window_size: int = -1

    @property
    def bounds(self) -> tuple[int | None, int | None]:
        """The bounds on a key's number less its query's; None where there is none."""
        left, right = self.left_window_size, self.right_window_size
        ends = [right] * (right >= 0) + [0] * self.is_causal
        return -left if left >= 0 else None, min(ends, default=None)


@ONNX.importer("Attention", leaves=_left_to_body)
def attention(
    ctx: NodeContext,
    q: Value,
    k: Value,
    v: Value,
    mask: Value | None,
    past_k: Value | None,
    past_v: Value | None,
    lengths: Value | None,
    *,
    q_num_heads: int = 0,
    kv_num_heads: int = 0,
    scale: float | None = None,
    softcap: float = 0.0,
    window: _Window,
    softmax_precision: int = 0,
    qk_matmul_output_mode: int = 0,
) -> list[Value]:
    """Attention; its softmax is in f32, whatever `softmax_precision` asks for."""
    flat = q.rank == 3
    q = _by_heads(0, q, "q_num_heads", q_num_heads)
    k = _after_past(past_k, _by_heads(1, k, "kv_num_heads", kv_num_heads))
    v = _after_past(past_v, _by_heads(2, v, "kv_num_heads", kv_num_heads))
    bias = None if mask is None else _bias(mask, q, k.shape[2])
    first, last = window.bounds
    if lengths is not None:
        shown = _hidden_else(_within_lengths(lengths, q, k.shape[2], first, last), q)
        bias, first, last = shown if bias is None else bias + shown, None, None
    past = 0 if past_k is None else past_k.shape[2]
    out = q.op(
        *("Attention", k, v, bias),
        scale=float(np.float32(max(q.shape[3], 1) ** -0.5)) if scale is None else scale,
        softcap=softcap,
        first=None if first is None else first + past,
        last=None if last is None else last + past,
    )
    return [out.transpose(0, 2, 1, 3).reshape(*ctx.out().shape) if flat else out, k, v]


def _by_heads(index: int, x: Value, name: str, heads: int) -> Value:
    """Return queries, keys or values as [batch, heads, sequence, depth]."""
    if x.rank != 3:
        return x
    batch, sequence, width = x.shape
    problem = f"input {index} has depth {width}, attribute '{name}' is {heads}"
    require(heads > 0 and width % heads == 0, problem, "it must divide the depth")
    return x.reshape(batch, sequence, heads, width // heads).transpose(0, 2, 1, 3)


def _after_past(past: Value | None, x: Value) -> Value:
    """Return keys or values with those of the past in front."""
    return x if past is None else joined([past, x], axis=2)


def _bias(mask: Value, q: Value, keys: int) -> Value:
    """Return what is added to the scores; keys behind the mask's end take no part."""
    bias = _hidden_else(mask, q) if mask.dtype is DType.Bool8 else mask.cast(q.dtype)
    *front, columns = bias.shape or (1,)
    if columns >= keys:
        return bias
    require_few(prod(front) * keys, f"has a mask of {prod(front)} rows of {keys} keys")
    none = np.full((*front, keys - columns), -np.inf)
    return joined([bias.reshape(*front, columns), q.like(none)], axis=-1)


def _hidden_else(shown: Value, like: Value) -> Value:
    """Return 0 where a key takes part and -infinity elsewhere."""
    return where(shown, like.like(0), -np.inf)


def _within_lengths(
    lengths: Value, q: Value, keys: int, first: int | None, last: int | None
) -> Value:
    """Tell which keys are within each sequence's length, and in the window from its end back."""
    batch, _, rows, _ = q.shape
    require_few(rows * keys, f"has {rows} rows of {keys} keys")
    ends = lengths.reshape(batch, 1, 1, 1)
    key = np.arange(keys)[np.newaxis, np.newaxis, np.newaxis]
    within = ends.like(key) < ends
    # The last query is at the end: query i is number i + length - rows of its sequence.
    distance = key + rows - np.arange(rows)[:, np.newaxis]
    if first is not None:
        within = within & (ends.like(distance - first) >= ends)
    return within if last is None else within & (ends.like(distance - last) <= ends)


@ONNX.importer("RotaryEmbedding")
def rotary_embedding(
    x: Value,
    cos: Value,
    sin: Value,
    positions: Value | None,
    *,
    num_heads: int = 0,
    interleaved: bool = False,
    rotary_embedding_dim: int = 0,
) -> Value:
    """RotaryEmbedding of the first numbers of each head; the angles are those of all heads."""
    shape = x.shape
    require(x.rank in (3, 4), f"input 0 has rank {x.rank}, it must be 3 or 4")
    if len(shape) == 3:
        fits = num_heads > 0 and shape[2] % num_heads == 0
        require(fits, f"attribute 'num_heads' is {num_heads}, input 0 has depth {shape[2]}")
        x = x.reshape(*shape[:2], num_heads, shape[2] // num_heads)
    depth, heads_dim = x.shape[3], 2 if len(shape) == 3 else 1
    size = rotary_embedding_dim or depth
    fits = 0 < size <= depth and size % 2 == 0
    require(fits, f"attribute 'rotary_embedding_dim' is {size}, heads have depth {depth}")
    angles = [
        _angles(index, half, positions, size, heads_dim, interleaved)
        for index, half in ((1, cos), (2, sin))
    ]
    rest: list[Value] = []
    if size < depth:
        x, *rest = x.ops("Split", axis=3, split_index=(size,))
    out = x.op("RotaryEmbedding", *angles, interleaved=interleaved)
    return (joined([out, *rest], axis=3) if rest else out).reshape(*shape)


def _angles(
    index: int, half: Value, positions: Value | None, size: int, heads: int, pairs: bool
) -> Value:
    """Return cosines or sines of each position, twice for each pair, with a dim for the heads."""
    half = half if positions is None else half.gather(positions)
    fits = half.rank == 3 and half.shape[2] == size // 2
    require(fits, f"input {index} has shape {half.shape}, pairs are {size // 2}")
    column = half.reshape(*half.shape, 1) if pairs else half
    whole = joined([column, column], axis=-1)
    dims = [*half.shape[:2], size]
    dims.insert(heads, 1)
    return whole.reshape(*dims)
