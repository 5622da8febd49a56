"""Attention in the forms of ONNX Runtime, by ONNX's own Attention; masks become terms to add.

Letters of shapes: B batch, S queries, T keys with the past, N heads, G heads of keys,
H a head's dims. With a cache of L steps, S are the new steps, and row b of the cache has
`seqlens_k[b] + 1` steps once the new ones stand behind the old.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
from onnx import TensorProto

from .....importers.support.registry import require
from ..body import Attribute, Inner, joined
from .call import NodeCall, OpSignature
from .quantized import product_of_integers

_HIDDEN = float(np.finfo(np.float32).min)
"""The term of keys after their query. Source: ONNX Runtime, attention on CPU."""


@dataclass(frozen=True)
class _Scores:
    """The extents of the scores, the past keys and values, and their length."""

    batch: int
    queries: int
    fresh: int
    past: int = 0
    pasts: tuple[Inner | None, Inner | None] = (None, None)

    @property
    def keys(self) -> int:
        """The number of keys of a query, T."""
        return self.past + self.fresh


def _packed(call: NodeCall) -> list[Inner]:
    """Attention of one input: the product with the weights gives queries, keys and values."""
    return _of_projection(call, call["X"].op("MatMul", call["W"]))


def _quantized(call: NodeCall) -> list[Inner]:
    """Attention of stored integers, whose product with the weights is real."""
    scale = call["X_scale"] * call["W_scale"]
    zeros = [call.optional("X_zero"), call.optional("W_zero")]
    return _of_projection(call, product_of_integers(call["X"], call["W"], zeros, scale))


def _of_projection(call: NodeCall, product: Inner) -> list[Inner]:
    *_, width = call.shape("W")
    sizes = call.get("qkv_hidden_sizes", list) or [width // 3] * 3
    fits = len(sizes) == 3 and sum(sizes) == width
    require(fits, f"{width} columns of weights do not divide into {sizes}")
    batch, length, _ = call.shape("X")
    scores, past = _Scores(batch, length, length), call.optional("past")
    if past is not None:
        keys, values = past.parts([1, 1], 0, keep=False)
        scores = _Scores(batch, length, length, call.shape("past")[3], (keys, values))
    parts = product.plus(call.optional("bias")).parts(sizes, -1, keep=True)
    result, *present = _attention(call, [_per_head(call, part) for part in parts], scores)
    return [result, joined(present, 0, new=True)] if present else [result]


def _multi_head(call: NodeCall) -> list[Inner]:
    """Attention of queries, keys and values, apart or packed as (B, S, N, 3 or 2, H)."""
    shape = call.shape("Q" if call.optional("K") is None else "K")
    batch, queries, *_ = call.shape("Q")
    scores = _Scores(batch, queries, shape[2 if len(shape) == 4 else 1])
    if call.optional("past_key") is not None:
        past = call.shape("past_key")[2]
        pasts = (call["past_key"], call.optional("past_value"))
        scores = _Scores(batch, queries, scores.fresh, past, pasts)
    names = [name for name in ("Q", "K", "V") if call.optional(name) is not None]
    operands = [part for name in names for part in _split(call, name)]
    require(len(operands) == 3, f"has {len(operands)} operands, it must have 3")
    return _attention(call, _biased(call, operands), scores)


def _split(call: NodeCall, name: str) -> list[Inner]:
    """Return what an input holds, by heads."""
    shape = call.shape(name)
    if len(shape) == 4:
        return [call[name]]
    if len(shape) == 3:
        return [_per_head(call, call[name])]
    require(len(shape) == 5, f"operand {name} has rank {len(shape)}, it must be 3 to 5")
    parts = call[name].parts([1] * shape[3], 3, keep=False)
    return [part.transpose(0, 2, 1, 3) for part in parts]


def _per_head(call: NodeCall, value: Inner) -> Inner:
    """Return (B, S, N * H) as (B, N, S, H)."""
    heads = call.get("num_heads", int)
    require(heads >= 1, f"attribute 'num_heads' is {heads}", "use a number >= 1")
    return value.reshape(0, 0, heads, -1).transpose(0, 2, 1, 3)


def _biased(call: NodeCall, operands: Sequence[Inner]) -> list[Inner]:
    """Add the bias; keys and values that come by heads have their bias already."""
    bias = call.optional("bias")
    if bias is None:
        return [*operands]
    heads, (total,) = call.get("num_heads", int), call.shape("bias")
    shape = call.shape("Q")
    width = shape[2] * (shape[4] if len(shape) == 5 else 1)
    values = total - 2 * width
    require(values > 0, f"its bias has {total} numbers, the queries alone have {width}")
    parts = bias.parts([width, width, values], 0, keep=True)
    ready = call.optional("K") is not None and len(call.shape("K")) == 4
    terms = [part.reshape(heads, 1, -1) for part in parts]
    added = [value + term for value, term in zip(operands, terms, strict=True)]
    return [added[0], *operands[1:]] if ready else added


def _attention(call: NodeCall, operands: Sequence[Inner], scores: _Scores) -> list[Inner]:
    """Return the result, and keys and values with the past where the node gives them."""
    scale = call.get("scale", float)
    outputs = 3 if any(call.node.output[1:]) else 1
    q, k, v = operands
    inputs = [k, v, _mask(call, scores, q), *scores.pasts]
    attributes: dict[str, Attribute] = {"scale": scale} if scale else {}
    result, *present = q.ops("Attention", outputs, *inputs, **attributes)
    return [result.transpose(0, 2, 1, 3).reshape(0, 0, -1), *present]


def _mask(call: NodeCall, scores: _Scores, like: Inner) -> Inner | None:
    """Return what is added to the scores: padding, order and the bias together."""
    terms = []
    if call.optional("mask") is not None:
        hidden = like.number(call.get("mask_filter_value", float))
        terms.append(_shown(call, scores).op("Where", like.number(0), hidden))
    if call.get("unidirectional", int):
        later = np.full((scores.queries, scores.keys), _HIDDEN, np.float32)
        terms.append(call.const(np.triu(later, scores.past + 1)).op("CastLike", like))
    if call.optional("attention_bias") is not None:
        terms.append(call["attention_bias"])
    return reduce(Inner.__add__, terms) if terms else None


def _shown(call: NodeCall, scores: _Scores) -> Inner:
    """Return which keys count, from flags for each or from where they end, and where they begin."""
    mask, shape, batch = call["mask"], call.shape("mask"), scores.batch
    flags = {(batch, scores.keys): (1, 2), (batch, scores.queries, scores.keys): (1,)}
    if shape in flags:
        axes = call.integers(*flags[shape])
        return mask.op("Unsqueeze", axes).cast(TensorProto.BOOL)
    problem = f"its mask is {'x'.join(map(str, shape))}"
    remedy = "give a flag for each key, or lengths"
    require(shape in ((batch,), (2 * batch,)), problem, remedy)
    places = call.const(np.arange(scores.keys, dtype=np.int32))
    bounds = mask.reshape(-1, batch, 1, 1, 1)
    ends, *begins = bounds.parts([1] * (shape[0] // batch), 0, keep=False)
    shown = places < ends
    for begin in begins:
        shown = shown & (places >= begin)
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


def _rotary(call: NodeCall) -> Inner:
    """RotaryEmbedding: positions are stated one by one, or count from one number."""
    shape, x = call.shape("X"), call["X"]
    require(len(shape) in (3, 4), f"operand X has rank {len(shape)}, it must be 3 or 4")
    heads, width = call.get("num_heads", int), call.get("rotary_embedding_dim", int)
    if len(shape) == 3 and not heads:
        require(not width, "attribute 'num_heads' is 0", "use a number >= 1")
        heads = shape[2] // max(2 * call.shape("cos")[1], 1)
    positions = call["positions"]
    if call.shape("positions") in ((), (1,)):
        steps = call.const(np.arange(shape[-2], dtype=np.int64))
        counted = positions.reshape(1, 1) + steps
        positions = counted.op("Expand", call.integers(shape[0], 1))
    attributes = {
        "interleaved": call.get("interleaved", int),
        "num_heads": heads if len(shape) == 3 else 0,
        "rotary_embedding_dim": width,
    }
    return _rotated(call, x, positions, attributes)


def _rotated(call: NodeCall, value: Inner, positions: Inner, attributes: dict[str, int]) -> Inner:
    """Return a value with its heads turned by the angles of positions [B, S]."""
    stated: dict[str, Attribute] = {name: number for name, number in attributes.items() if number}
    return value.op("RotaryEmbedding", call["cos"], call["sin"], positions, **stated)


@dataclass(frozen=True)
class _Steps:
    """The number of new steps and of those of the cache, a row's first new step and its last.

    The latter two are int64 [B, 1, 1, 1].
    """

    fresh: int
    cached: int
    first: Inner
    last: Inner


def _grouped(call: NodeCall) -> list[Inner]:
    """GroupQueryAttention: new steps go behind the old ones, and queries see no later step."""
    counts = [call.get(name, int) for name in ("num_heads", "kv_num_heads", "kv_num_heads")]
    fits = min(counts) >= 1 and counts[0] % counts[1] == 0
    require(fits, f"has {counts[0]} heads of queries and {counts[1]} of keys")
    batch, fresh, width = call.shape("Q")
    if call.optional("K") is None:
        depth = width // sum(counts)
        operands = call["Q"].parts([count * depth for count in counts], -1, keep=True)
    else:
        operands = [call["Q"], call["K"], call["V"]]
    total = int(call.data("total").reshape(-1)[0])
    past = 0 if call.optional("past_key") is None else call.shape("past_key")[2]
    require(past > 0 or fresh == total, f"has {fresh} steps of {total} and no past")
    last = call["lengths"].cast(TensorProto.INT64).reshape(batch, 1, 1, 1)
    first = call.const(np.zeros((batch, 1, 1, 1), np.int64))
    first = first if fresh == total else last + call.integers(1 - fresh)
    steps = _Steps(fresh, max(past, total), first, last)
    q, k, v = (
        value.reshape(0, 0, heads, -1).transpose(0, 2, 1, 3)
        for value, heads in zip(operands, counts, strict=True)
    )
    if call.get("do_rotary", int):
        q, k = (_at_steps(call, value, steps) for value in (q, k))
    if past:
        k = _cached(call, "past_key", k, steps)
        v = _cached(call, "past_value", v, steps)
    return [_attended(call, (q, k, v), steps), k, v]


def _at_steps(call: NodeCall, value: Inner, steps: _Steps) -> Inner:
    """Return queries or keys turned by the angles of their steps."""
    positions = call.optional("positions")
    if positions is None:
        numbers = call.const(np.arange(steps.fresh, dtype=np.int64))
        positions = (steps.first + numbers).reshape(0, -1)
    return _rotated(call, value, positions, {"interleaved": call.get("rotary_interleaved", int)})


def _cached(call: NodeCall, past: str, fresh: Inner, steps: _Steps) -> Inner:
    """Return the cache [B, G, L, H] with the new steps in their places."""
    batch, groups, length, depth = call.shape(past)
    old = call[past]
    if length < steps.cached:
        old = old.op("Pad", call.integers(0, 0, 0, 0, 0, 0, steps.cached - length, 0))
    source = call.const(np.arange(steps.cached, dtype=np.int64)[:, None]) - steps.first
    least, most = call.integer(0), call.integer(steps.fresh)
    new = (source >= least) & (source < most)
    if steps.fresh > 1:
        last = call.integer(steps.fresh - 1)
        source = source.op("Max", least).op("Min", last)
        shape = call.integers(batch, groups, steps.cached, depth)
        fresh = fresh.op("GatherElements", source.op("Expand", shape), axis=2)
    return new.op("Where", fresh, old)


def _attended(call: NodeCall, operands: tuple[Inner, Inner, Inner], steps: _Steps) -> Inner:
    """Return [B, S, N * H]: what queries make of the keys up to their own step."""
    stated = {name: call.get(name, float) for name in ("scale", "softcap")}
    attributes: dict[str, Attribute] = {name: each for name, each in stated.items() if each}
    q, k, v = operands
    own = steps.first + call.const(np.arange(steps.fresh)[:, None])
    keys, window = call.const(np.arange(steps.cached)), call.get("local_window_size", int)
    shown = keys <= own.op("Min", steps.last)
    if window >= 0:
        shown = shown & (keys > own - call.integers(window))
    mask, bias = shown, call.optional("attention_bias")
    if bias is not None:
        wide = call.shape("attention_bias")[-1]
        require(wide == steps.cached, f"its bias is for {wide} of {steps.cached} keys")
        mask = shown.op("Where", bias, bias.number(float("-inf")))
    result = q.op("Attention", k, v, mask, **attributes)
    return result.transpose(0, 2, 1, 3).reshape(0, 0, -1)


GROUPED: dict[str, OpSignature] = {
    "RotaryEmbedding": OpSignature(
        "X positions cos sin",
        _rotary,
        {"interleaved": 0, "num_heads": 0, "rotary_embedding_dim": 0},
        {"is_packed_batching": 0, "scale": 1.0},
    ),
    "GroupQueryAttention": OpSignature(
        "Q K? V? past_key? past_value? lengths total cos? sin? positions? attention_bias?",
        _grouped,
        {
            **{"num_heads": 0, "kv_num_heads": 0, "scale": 0.0, "softcap": 0.0},
            **{"local_window_size": -1, "do_rotary": 0, "rotary_interleaved": 0},
        },
        {"smooth_softmax": 0, "qk_output": 0, "k_quant_type": "NONE", "v_quant_type": "NONE"},
    ),
}
"""Attention of grouped heads and what turns its queries and keys, by name."""
