"""Attention in the forms of ONNX Runtime, by ONNX's own Attention; masks become terms to add.

Letters of shapes: B batch, S queries, T keys with the past, N heads, H a head's dims.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from onnx import TensorProto

from ..builder import Attribute
from .call import NodeCall, OpSignature
from .quantized import product_of_integers

_HIDDEN = float(np.finfo(np.float32).min)
"""The term of keys after their query. Source: ONNX Runtime, attention on CPU."""


@dataclass(frozen=True)
class _Scores:
    """The extents of the scores, the names of the past keys and values, and their length."""

    batch: int
    queries: int
    fresh: int
    past: int = 0
    pasts: tuple[str, str] = ("", "")

    @property
    def keys(self) -> int:
        """The number of keys of a query, T."""
        return self.past + self.fresh


def _packed(call: NodeCall) -> list[str]:
    """Attention of one input: the product with the weights gives queries, keys and values."""
    return _of_projection(call, call.emit("MatMul", call["X"], call["W"]))


def _quantized(call: NodeCall) -> list[str]:
    """Attention of stored integers, whose product with the weights is real."""
    scale = call.emit("Mul", call["X_scale"], call["W_scale"])
    zeros = [call["X_zero"], call["W_zero"]]
    return _of_projection(call, product_of_integers(call, call["X"], call["W"], zeros, scale))


def _of_projection(call: NodeCall, product: str) -> list[str]:
    *_, width = call.shape("W")
    sizes = call.get("qkv_hidden_sizes", list) or [width // 3] * 3
    fits = len(sizes) == 3 and sum(sizes) == width
    call.require(fits, f"{width} columns of weights do not divide into {sizes}")
    batch, length, _ = call.shape("X")
    scores = _Scores(batch, length, length)
    if call["past"]:
        keys, values = call.parts(call["past"], [1, 1], 0, keep=False)
        scores = _Scores(batch, length, length, call.shape("past")[3], (keys, values))
    parts = call.parts(call.plus(product, call["bias"]), sizes, -1, keep=True)
    result, *present = _attention(call, [_per_head(call, part) for part in parts], scores)
    return [result, call.joined(present, 0, new=True)] if present else [result]


def _multi_head(call: NodeCall) -> list[str]:
    """Attention of queries, keys and values, apart or packed as (B, S, N, 3 or 2, H)."""
    shape = call.shape("K" if call["K"] else "Q")
    batch, queries, *_ = call.shape("Q")
    scores = _Scores(batch, queries, shape[2 if len(shape) == 4 else 1])
    if call["past_key"]:
        past = call.shape("past_key")[2]
        pasts = (call["past_key"], call["past_value"])
        scores = _Scores(batch, queries, scores.fresh, past, pasts)
    operands = [part for name in ("Q", "K", "V") if call[name] for part in _split(call, name)]
    call.require(len(operands) == 3, f"has {len(operands)} operands, it must have 3")
    return _attention(call, _biased(call, operands), scores)


def _split(call: NodeCall, name: str) -> list[str]:
    """Return what an input holds, by heads."""
    shape = call.shape(name)
    if len(shape) == 4:
        return [call[name]]
    if len(shape) == 3:
        return [_per_head(call, call[name])]
    call.require(len(shape) == 5, f"operand {name} has rank {len(shape)}, it must be 3 to 5")
    parts = call.parts(call[name], [1] * shape[3], 3, keep=False)
    return [call.emit("Transpose", part, perm=(0, 2, 1, 3)) for part in parts]


def _per_head(call: NodeCall, value: str) -> str:
    """Return (B, S, N * H) as (B, N, S, H)."""
    heads = call.get("num_heads", int)
    call.require(heads >= 1, f"attribute 'num_heads' is {heads}", "use a number >= 1")
    split = call.emit("Reshape", value, call.integers(0, 0, heads, -1))
    return call.emit("Transpose", split, perm=(0, 2, 1, 3))


def _biased(call: NodeCall, operands: Sequence[str]) -> list[str]:
    """Add the bias; keys and values that come by heads have their bias already."""
    if not call["bias"]:
        return [*operands]
    heads, (total,) = call.get("num_heads", int), call.shape("bias")
    shape = call.shape("Q")
    width = shape[2] * (shape[4] if len(shape) == 5 else 1)
    values = total - 2 * width
    call.require(values > 0, f"its bias has {total} numbers, the queries alone have {width}")
    parts = call.parts(call["bias"], [width, width, values], 0, keep=True)
    ready = bool(call["K"]) and len(call.shape("K")) == 4
    terms = [call.emit("Reshape", p, call.integers(heads, 1, -1)) for p in parts]
    added = [call.emit("Add", *pair) for pair in zip(operands, terms, strict=True)]
    return [added[0], *operands[1:]] if ready else added


def _attention(call: NodeCall, operands: Sequence[str], scores: _Scores) -> list[str]:
    """Return the result, and keys and values with the past where the node gives them."""
    scale = call.get("scale", float)
    outputs = 3 if any(call.node.output[1:]) else 1
    mask = _mask(call, scores, operands[0])
    inputs = [*operands, mask, *scores.pasts]
    attributes: dict[str, Attribute] = {"scale": scale} if scale else {}
    result, *present = call.emit_all("Attention", inputs, outputs, attributes)
    turned = call.emit("Transpose", result, perm=(0, 2, 1, 3))
    return [call.emit("Reshape", turned, call.integers(0, 0, -1)), *present]


def _mask(call: NodeCall, scores: _Scores, like: str) -> str:
    """Return what is added to the scores: padding, order and the bias together; "" for nothing."""
    terms = []
    if call["mask"]:
        hidden = call.scalar(call.get("mask_filter_value", float), like)
        shown = _shown(call, scores)
        terms.append(call.emit("Where", shown, call.scalar(0, like), hidden))
    if call.get("unidirectional", int):
        later = np.triu(
            np.full((scores.queries, scores.keys), _HIDDEN, np.float32), scores.past + 1
        )
        terms.append(call.emit("CastLike", call.constant(later), like))
    if call["attention_bias"]:
        terms.append(call["attention_bias"])
    first, *rest = terms or [""]
    for term in rest:
        first = call.emit("Add", first, term)
    return first


def _shown(call: NodeCall, scores: _Scores) -> str:
    """Return which keys count, from flags for each or from where they end, and where they begin."""
    shape, mask, batch = call.shape("mask"), call["mask"], scores.batch
    if shape == (batch, scores.keys):
        flags = call.emit("Unsqueeze", mask, call.integers(1, 2))
        return call.emit("Cast", flags, to=TensorProto.BOOL)
    if shape == (batch, scores.queries, scores.keys):
        flags = call.emit("Unsqueeze", mask, call.integers(1))
        return call.emit("Cast", flags, to=TensorProto.BOOL)
    if shape not in ((batch,), (2 * batch,)):
        sizes = "x".join(map(str, shape))
        call.require(False, f"its mask is {sizes}", "give a flag for each key, or lengths")
    places = call.constant(np.arange(scores.keys, dtype=np.int32))
    bounds = call.emit("Reshape", mask, call.integers(-1, batch, 1, 1, 1))
    ends, *begins = call.parts(bounds, [1] * (shape[0] // batch), 0, keep=False)
    shown = call.emit("Less", places, ends)
    for begin in begins:
        shown = call.emit("And", shown, call.emit("GreaterOrEqual", places, begin))
    return shown


_ATTRIBUTES: dict[str, Attribute] = {
    **{"num_heads": 0, "scale": 0.0, "mask_filter_value": -10000.0, "unidirectional": 0}
}
_PACKED: dict[str, Attribute] = {**_ATTRIBUTES, "qkv_hidden_sizes": []}
_ONLY: dict[str, Attribute] = {"do_rotary": 0, "past_present_share_buffer": 0}

ATTENTION: dict[str, OpSignature] = {
    "Attention": OpSignature("X W bias? mask? past? attention_bias?", _packed, _PACKED, _ONLY),
    "QAttention": OpSignature(
        "X W bias X_scale W_scale mask? X_zero? W_zero? past?", _quantized, _PACKED, _ONLY
    ),
    "MultiHeadAttention": OpSignature(
        "Q K? V? bias? mask? attention_bias? past_key? past_value?", _multi_head, _ATTRIBUTES
    ),
}
"""Attention, by name."""
