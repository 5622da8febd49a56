"""The TCM over time: one block per residency of a tensor, in steps that run."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from xdsl.dialects.builtin import ModuleOp

from ...dialects.value import Memory
from ..packages.loading import installed
from .plan import ModulePlan, Op, plan_of
from .residencies import TensorResidency, TensorRole

_LEAST_HEIGHT = 4096
"""The lowest picture, in bytes: its quarters are whole KiB."""


class BlockLook(Enum):
    """The look of a block; the value is its CSS class."""

    PLAIN = "block"
    FILL = "block fill"
    PART = "block part"
    SCRATCH = "block scratch"


_LOOKS = {TensorRole.SCRATCH: BlockLook.SCRATCH, TensorRole.FILL: BlockLook.FILL}


@dataclass(frozen=True)
class Block:
    """A residency in TCM at an offset, from its first step to its last."""

    residency: TensorResidency
    offset: int
    first: int
    last: int
    look: BlockLook

    @property
    def end(self) -> int:
        """The first byte above the block."""
        return self.offset + self.residency.bytes


@dataclass(frozen=True)
class Timeline:
    """The residencies in TCM of one function, and its steps."""

    blocks: tuple[Block, ...]
    steps: tuple[Op, ...]

    @property
    def peak(self) -> int:
        """The first byte above all blocks."""
        return max((block.end for block in self.blocks), default=0)


def timeline(module: ModuleOp) -> Timeline:
    """Read the timeline of `@main`, with the installed op packages."""
    return timeline_of(plan_of(module, installed()))


def timeline_of(plan: ModulePlan) -> Timeline:
    """Read the timeline of a plan; whole tensors come before their parts."""
    positions = [op.position for op in plan.ops]
    blocks = [
        _block(tensor, tensor.offset, positions)
        for tensor in plan.residencies
        if tensor.memory is Memory.TCM and tensor.offset is not None
    ]
    blocks.sort(key=lambda block: block.look is BlockLook.PART)
    return Timeline(tuple(blocks), plan.ops)


def height(*plans: ModulePlan) -> int:
    """Return the bytes that a picture of plans spans: those of the TCM, halved while all fit.

    So the blocks of a small model can be seen in a large TCM.
    """
    top, peak = plans[0].tcm_bytes, max(plan.totals.peak for plan in plans)
    while top // 2 >= max(peak, _LEAST_HEIGHT):
        top //= 2
    return top


def _block(tensor: TensorResidency, offset: int, positions: Sequence[int]) -> Block:
    """Make a block; positions in the function become numbers of steps that run."""
    first = min(bisect_left(positions, tensor.first), max(len(positions) - 1, 0))
    last = max(bisect_right(positions, tensor.last) - 1, first)
    look = BlockLook.PART if tensor.inside else _LOOKS.get(tensor.role, BlockLook.PLAIN)
    return Block(tensor, offset, first, last, look)
