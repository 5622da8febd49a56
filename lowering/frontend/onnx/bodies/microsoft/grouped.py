"""Attention of grouped heads with a cache, and rotary embeddings, in the forms of ONNX Runtime.

Letters of shapes: B batch, S new steps, L steps of the cache, N heads, G heads of keys, H a head's
dims. Row b of the cache has `seqlens_k[b] + 1` steps once the new ones stand behind the old.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from onnx import TensorProto

from ..builder import Attribute
from .call import NodeCall, OpSignature


def _rotary(call: NodeCall) -> list[str]:
    """RotaryEmbedding: positions are stated one by one, or count from one number."""
    shape = call.shape("X")
    call.require(len(shape) in (3, 4), f"operand X has rank {len(shape)}, it must be 3 or 4")
    heads, width = call.get("num_heads", int), call.get("rotary_embedding_dim", int)
    if len(shape) == 3 and not heads:
        call.require(not width, "attribute 'num_heads' is 0", "use a number >= 1")
        heads = shape[2] // max(2 * call.shape("cos")[1], 1)
    positions = call["positions"]
    if call.shape("positions") in ((), (1,)):
        steps = call.constant(np.arange(shape[-2], dtype=np.int64))
        counted = call.emit("Add", call.emit("Reshape", positions, call.integers(1, 1)), steps)
        positions = call.emit("Expand", counted, call.integers(shape[0], 1))
    attributes = {
        "interleaved": call.get("interleaved", int),
        "num_heads": heads if len(shape) == 3 else 0,
        "rotary_embedding_dim": width,
    }
    return [_rotated(call, call["X"], positions, attributes)]


def _rotated(call: NodeCall, value: str, positions: str, attributes: dict[str, int]) -> str:
    """Return a value with its heads turned by the angles of positions [B, S]."""
    stated: dict[str, Attribute] = {name: number for name, number in attributes.items() if number}
    inputs = [value, call["cos"], call["sin"], positions]
    return call.emit("RotaryEmbedding", *inputs, **stated)


@dataclass(frozen=True)
class _Steps:
    """The number of new steps and of those of the cache, a row's first new step and its last.

    The latter two are int64 [B, 1, 1, 1].
    """

    fresh: int
    cached: int
    first: str
    last: str


def _grouped(call: NodeCall) -> list[str]:
    """GroupQueryAttention: new steps go behind the old ones, and queries see no later step."""
    counts = [call.get(name, int) for name in ("num_heads", "kv_num_heads", "kv_num_heads")]
    fits = min(counts) >= 1 and counts[0] % counts[1] == 0
    call.require(fits, f"has {counts[0]} heads of queries and {counts[1]} of keys")
    batch, fresh, width = call.shape("Q")
    operands = [call["Q"], call["K"], call["V"]]
    if not call["K"]:
        depth = width // sum(counts)
        operands = call.parts(call["Q"], [count * depth for count in counts], -1, keep=True)
    total = int(call.data("total").reshape(-1)[0])
    past = call.shape("past_key")[2] if call["past_key"] else 0
    call.require(past > 0 or fresh == total, f"has {fresh} steps of {total} and no past")
    last = call.emit("Cast", call["lengths"], to=TensorProto.INT64)
    last = call.emit("Reshape", last, call.integers(batch, 1, 1, 1))
    first = call.constant(np.zeros((batch, 1, 1, 1), np.int64))
    if fresh != total:
        first = call.emit("Add", last, call.integers(1 - fresh))
    steps = _Steps(fresh, max(past, total), first, last)
    q, k, v = (_by_heads(call, *pair) for pair in zip(operands, counts, strict=True))
    if call.get("do_rotary", int):
        q, k = (_at_steps(call, value, steps) for value in (q, k))
    if past:
        k = _cached(call, "past_key", k, steps)
        v = _cached(call, "past_value", v, steps)
    return [_attended(call, (q, k, v), steps), k, v]


def _by_heads(call: NodeCall, value: str, heads: int) -> str:
    """Return [B, S, heads * H] as [B, heads, S, H]."""
    split = call.emit("Reshape", value, call.integers(0, 0, heads, -1))
    return call.emit("Transpose", split, perm=(0, 2, 1, 3))


def _at_steps(call: NodeCall, value: str, steps: _Steps) -> str:
    """Return queries or keys turned by the angles of their steps."""
    positions = call["positions"]
    if not positions:
        numbers = call.constant(np.arange(steps.fresh, dtype=np.int64))
        counted = call.emit("Add", steps.first, numbers)
        positions = call.emit("Reshape", counted, call.integers(0, -1))
    return _rotated(call, value, positions, {"interleaved": call.get("rotary_interleaved", int)})


def _cached(call: NodeCall, past: str, fresh: str, steps: _Steps) -> str:
    """Return the cache [B, G, L, H] with the new steps in their places."""
    batch, groups, length, depth = call.shape(past)
    old = call[past]
    if length < steps.cached:
        pads = call.integers(0, 0, 0, 0, 0, 0, steps.cached - length, 0)
        old = call.emit("Pad", old, pads)
    places = call.constant(np.arange(steps.cached, dtype=np.int64)[:, None])
    source = call.emit("Sub", places, steps.first)
    ends = call.integer(0), call.integer(steps.fresh)
    new = call.emit(
        "And", call.emit("GreaterOrEqual", source, ends[0]), call.emit("Less", source, ends[1])
    )
    if steps.fresh > 1:
        last = call.integer(steps.fresh - 1)
        source = call.emit("Min", call.emit("Max", source, ends[0]), last)
        shape = call.integers(batch, groups, steps.cached, depth)
        fresh = call.emit("GatherElements", fresh, call.emit("Expand", source, shape), axis=2)
    return call.emit("Where", new, fresh, old)


def _attended(call: NodeCall, operands: tuple[str, str, str], steps: _Steps) -> str:
    """Return [B, S, N * H]: what queries make of the keys up to their own step."""
    scale, softcap = call.get("scale", float), call.get("softcap", float)
    attributes: dict[str, Attribute] = {"scale": scale} if scale else {}
    attributes |= {"softcap": softcap} if softcap else {}
    own = call.emit("Add", steps.first, call.constant(np.arange(steps.fresh)[:, None]))
    keys, window = call.constant(np.arange(steps.cached)), call.get("local_window_size", int)
    shown = call.emit("LessOrEqual", keys, call.emit("Min", own, steps.last))
    if window >= 0:
        least = call.emit("Sub", own, call.integers(window))
        shown = call.emit("And", shown, call.emit("Greater", keys, least))
    mask = shown
    if call["attention_bias"]:
        bias, wide = call["attention_bias"], call.shape("attention_bias")[-1]
        call.require(wide == steps.cached, f"its bias is for {wide} of {steps.cached} keys")
        hidden = call.scalar(float("-inf"), bias)
        mask = call.emit("Where", shown, bias, hidden)
    result = call.emit("Attention", *operands, mask, **attributes)
    turned = call.emit("Transpose", result, perm=(0, 2, 1, 3))
    return call.emit("Reshape", turned, call.integers(0, 0, -1))


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
