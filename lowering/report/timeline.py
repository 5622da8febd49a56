"""The TCM over time: one block per stay of a tensor, in steps that run."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from xdsl.dialects.builtin import ModuleOp

from ...dialects.value.place import Memory
from ..packages.loading import installed
from .plan import Op, Plan, plan_of
from .tensors import Held, Role


class Look(Enum):
    """How a block is drawn; the value is its class in the page."""

    PLAIN = "block"
    FILL = "block fill"
    PART = "block part"
    SCRATCH = "block scratch"


_LOOKS = {Role.SCRATCH: Look.SCRATCH, Role.FILL: Look.FILL}


@dataclass(frozen=True)
class Block:
    """A tensor's bytes at an offset from the step that writes it to the last that reads it."""

    held: Held
    offset: int
    first: int
    last: int
    look: Look

    @property
    def end(self) -> int:
        """The first byte above the block."""
        return self.offset + self.held.bytes


@dataclass(frozen=True)
class Timeline:
    """Every stay in TCM of one function, and its steps."""

    blocks: tuple[Block, ...]
    steps: tuple[Op, ...]

    @property
    def peak(self) -> int:
        """The first byte above everything that is ever held."""
        return max((block.end for block in self.blocks), default=0)


def timeline(module: ModuleOp) -> Timeline:
    """The stays in TCM of `@main`'s tensors, with the op packages that are installed."""
    return timeline_of(plan_of(module, installed()))


def timeline_of(plan: Plan) -> Timeline:
    """The stays of a plan; whole tensors come before the parts that lie in them."""
    positions = [op.position for op in plan.ops]
    blocks = [
        _block(held, held.offset, positions)
        for held in plan.held
        if held.memory is Memory.TCM and held.offset is not None
    ]
    blocks.sort(key=lambda block: block.look is Look.PART)
    return Timeline(tuple(blocks), plan.ops)


def _block(held: Held, offset: int, positions: Sequence[int]) -> Block:
    """Positions in the function become the numbers of the steps that run."""
    first = min(bisect_left(positions, held.first), max(len(positions) - 1, 0))
    last = max(bisect_right(positions, held.last) - 1, first)
    return Block(held, offset, first, last, _look(held))


def _look(held: Held) -> Look:
    if held.inside:
        return Look.PART
    return _LOOKS.get(held.role, Look.PLAIN)
