"""What a planner sees of a program: steps that read and write blocks of TCM."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from .lifetimes import Lifetime


@dataclass(frozen=True)
class Block:
    """A tensor in TCM: its bytes, and whether its contents also lie in main memory.

    A backed block was copied from main memory and never changes: it can leave TCM for nothing.
    """

    name: str
    bytes: int
    backed: bool = False


class Work(Enum):
    """What an op does. One that brings blocks from main memory can begin while another computes."""

    COMPUTES = "computes"
    BRINGS = "brings"
    MOVES = "moves"


@dataclass(frozen=True)
class Step:
    """One op: the blocks it reads and the blocks it writes. A name is written exactly once.

    `takes`: how many bytes the op takes of blocks of which it can read a part in main memory.
    """

    name: str
    reads: tuple[Block, ...] = ()
    writes: tuple[Block, ...] = ()
    work: Work = Work.COMPUTES
    takes: Mapping[str, int] = field(default_factory=dict[str, int])

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Every block the step needs at once, each one time."""
        return tuple({block.name: block for block in (*self.reads, *self.writes)}.values())


def uses(steps: Sequence[Step]) -> dict[str, list[int]]:
    """For each block the steps that read it, in order."""
    found: dict[str, list[int]] = defaultdict(list)
    for index, step in enumerate(steps):
        for name in dict.fromkeys(block.name for block in step.reads):
            found[name].append(index)
    return found


def lifetimes(steps: Sequence[Step], early: bool = False) -> list[Lifetime]:
    """The lifetime of each block, from the step that writes it to the last that reads it.

    `early`: what is copied is there from the last step before that computes.
    """
    last = {block.name: index for index, step in enumerate(steps) for block in step.reads}
    found: list[Lifetime] = []
    computing = 0
    for index, step in enumerate(steps):
        first = computing if early and step.work is Work.BRINGS else index
        for block in step.writes:
            end = last.get(block.name, index)
            found.append(Lifetime(block.name, block.bytes, first, end))
        computing = index if step.work is Work.COMPUTES else computing
    return found
