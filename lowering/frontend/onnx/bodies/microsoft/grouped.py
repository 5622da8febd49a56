"""Attention of grouped heads with a cache, and rotary embeddings, in the forms of ONNX Runtime.

Letters of shapes: B batch, S new steps, L steps of the cache, N heads, G heads of keys, H a head's
dims. Row b of the cache has `seqlens_k[b] + 1` steps once the new ones stand behind the old.
"""

from dataclasses import dataclass

import numpy as np
from onnx import TensorProto

from .....importers.support.context import require
from ..body import Attribute, Inner
from .call import NodeCall, OpSignature


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
