"""The figures of a plan, beside their lower bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp

from ...dialects.attributes import DEFAULT_PLACEMENT
from ...dialects.value.layout import CHUNK_BYTES
from ...dialects.value.place import Memory
from ...runtime.program.boundary import main_function
from ..passes.placement.conversions import noted_least
from ..passes.traffic import Traffic, TransferKind, least_traffic, traffic
from ..planner.allocation.live_intervals import LiveInterval, peak_live
from .macs import macs
from .residencies import TensorResidency


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
