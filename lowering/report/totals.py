"""The figures of a plan, beside their lower bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp

from ...dialects.attributes import DEFAULT_PLACEMENT
from ...dialects.htp import AttentionOp, NativeOp, TransposeConv2dOp
from ...dialects.htp.ops.rnn import RecurrentOp
from ...dialects.spec_of import spec_of
from ...dialects.value.layout import CHUNK_BYTES
from ...dialects.value.place import Memory
from ...runtime.program.boundary import main_function
from ..passes.placement.conversions import noted_least
from ..passes.traffic import Traffic, TransferKind, least_traffic, traffic
from ..planner.allocation.live_intervals import LiveInterval, peak_live
from .residencies import TensorResidency


def macs(module: ModuleOp) -> int:
    """Count the multiply-accumulates of one inference of `@main`; 0 for ops that have none."""
    ops = main_function(module).body.block.ops
    return sum(_macs_of(op) for op in ops if isinstance(op, NativeOp))


def _macs_of(op: NativeOp) -> int:
    """Count the products of one op: the products that each element of its result sums."""
    if isinstance(op, RecurrentOp):
        # Each step and batch entry multiplies all of W and R.
        _, steps, batch, _ = op.dims("X")
        weights = ("W", *op.RECURRENT)
        return steps * batch * sum(op.spec(name).elements for name in weights)
    if isinstance(op, AttentionOp):
        # Queries times keys, and weights times values.
        return (op.spec("q").elements + spec_of(op.out).elements) * op.dims("k")[2]
    if isinstance(op, TransposeConv2dOp):
        # Padding cuts results off; every element of the input goes into h * w * m sums.
        height, width, _, channels = op.dims("filter")
        return op.spec("in").elements * height * width * channels
    return spec_of(op.results[0]).elements * op.ACCESS.products(op) if op.ACCESS else 0


@dataclass(frozen=True)
class Totals:
    """One plan in figures; bytes of one inference.

    `least` is the bound on `moved`: every input, constant and output once, states in and out.
    `live` is the bound on `peak`: the largest sum of live bytes, in whole chunks.
    `least_converted` is the bound on `converted`, None where placement did not state it.
    `too_large` counts the ops that run from main memory as they do not fit the TCM.
    """

    moved: int
    least: int
    peak: int
    live: int
    conversions: int
    converted: int
    least_converted: int | None
    macs: int
    too_large: int = 0
    parts: dict[TransferKind, int] = field(default_factory=dict)


def totals(module: ModuleOp, tensors: Sequence[TensorResidency]) -> Totals:
    """Measure an allocated module whose residencies are `tensors`."""
    transfers: Traffic = traffic(module)
    count, converted = transfers.conversions
    own = [tensor for tensor in tensors if tensor.memory is Memory.TCM and not tensor.inside]
    ends = (tensor.offset + tensor.bytes for tensor in own if tensor.offset is not None)
    lives = [LiveInterval(tensor.name, tensor.bytes, tensor.first, tensor.last) for tensor in own]
    return Totals(
        moved=transfers.bytes,
        least=least_traffic(module),
        peak=max(ends, default=0),
        live=peak_live(lives, CHUNK_BYTES),
        conversions=count,
        converted=converted,
        least_converted=noted_least(main_function(module)),
        macs=macs(module),
        too_large=sum(DEFAULT_PLACEMENT in op.attributes for op in module.walk()),
        parts=dict(transfers.by_kind()),
    )
