"""A function as the TCM planner sees it: the ops that touch TCM, as steps over blocks of bytes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from xdsl.ir import Block, Operation, SSAValue

from ....dialects.htp.base import NativeOp
from ....dialects.htp.ops.copies import CopyOp
from ....dialects.htp.ops.transfers import STARTS
from ....dialects.value.spec import spec_of
from ...levels import mnemonic
from ...planner.allocation.spill import Action, Fill, Run, moved_bytes
from ...planner.allocation.steps import Block as TcmBlock
from ...planner.allocation.steps import Step, Work
from .scratch import ScratchNeed
from .tcm import bytes_taken, home_of, in_tcm
from .tcm_views import Views


@dataclass(frozen=True)
class Held:
    """A value in the bytes of a block, so many bytes after its start."""

    value: SSAValue
    delta: int = 0


@dataclass
class TcmProgram:
    """The ops of a block that touch TCM, as steps, and what is behind each name.

    That is a value, with those that lie in its bytes, or an op's scratch tensor of this number: a
    block that nothing reads.
    """

    views: Views
    ops: list[Operation] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    values: dict[str, SSAValue] = field(default_factory=dict)
    parts: dict[str, list[Held]] = field(default_factory=lambda: defaultdict(list))
    scratch: dict[str, tuple[NativeOp, int]] = field(default_factory=dict)
    names: dict[SSAValue, TcmBlock] = field(default_factory=dict)

    def block_of(self, value: SSAValue) -> TcmBlock:
        """The block in whose bytes a value in TCM lies."""
        return self.names[self.views.root(value)[0]]

    def add(self, label: str, op: Operation, need: ScratchNeed | None) -> None:
        """The step of one op, with a block for each of its results that has its own bytes."""
        reads = [self.block_of(operand) for operand in op.operands if in_tcm(operand)]
        writes: list[TcmBlock] = []
        for index, result in enumerate(op.results):
            if in_tcm(result):
                name = f"{label}.{index}" if index else label
                made, fresh = self.enter(name, result)
                (writes if fresh else reads).append(made)
        own = dict(_scratch_blocks(label, op, need))
        self.scratch.update({block.name: found for block, found in own.items()})
        if op not in self.views.ops and (reads or writes or own):
            self.ops.append(op)
            read = tuple(dict.fromkeys(reads))
            self.steps.append(Step(label, read, (*writes, *own), _work(op), self.takes(op)))

    def takes(self, op: Operation) -> dict[str, int]:
        """The block of which an op can read a part in main memory, and the bytes of that part."""
        part = bytes_taken(op)
        if part is None or not in_tcm(op.operands[0]) or op.operands[0] in self.views.inside:
            return {}
        return {self.block_of(op.operands[0]).name: part}

    def enter(self, name: str, value: SSAValue) -> tuple[TcmBlock, bool]:
        """The block of a result, and whether this is the first that is written to it."""
        root, delta = self.views.root(value)
        fresh = root not in self.names
        if fresh:
            backed = root is value and home_of(value) is not None
            self.names[root] = TcmBlock(name, spec_of(root).nbytes, backed)
            self.values[name] = root
        made = self.names[root]
        if root is not value:
            self.parts[made.name].append(Held(value, delta))
        return made, fresh

    def pinned(self) -> list[Step]:
        """The steps, where no block leaves TCM while parts of it are in use."""
        steps = list(self.steps)
        for name, (first, last) in self.spans().items():
            block = self.names[self.values[name]]
            for index in range(first + 1, last + 1):
                step = steps[index]
                if block not in step.reads:
                    steps[index] = replace(step, reads=(*step.reads, block))
        return steps

    def spans(self) -> dict[str, tuple[int, int]]:
        """For each block with parts the step that writes it and the last that uses a part."""
        owner = {held.value: name for name, parts in self.parts.items() for held in parts}
        first = {block.name: i for i, step in enumerate(self.steps) for block in step.writes}
        last = {
            owner[value]: index
            for index, op in enumerate(self.ops)
            for value in (*op.operands, *op.results)
            if value in owner
        }
        return {name: (first[name], end) for name, end in last.items()}

    def keeps_parts(self, actions: Sequence[Action]) -> bool:
        """Whether every block with parts stays where it is while they are in use."""
        spans, now = self.spans(), 0
        for action in actions:
            match action:
                case Run(step):
                    now = step + 1
                case Fill(stay) if stay.name in spans and now <= spans[stay.name][1]:
                    return False
                case _:
                    pass
        return True

    def moved(self, actions: Sequence[Action]) -> int:
        """The bytes that spills and fills move, and what is read where it was saved."""
        return moved_bytes(self.steps, actions)


def tcm_program(
    block: Block, needs: Mapping[Operation, ScratchNeed], views: Views | None = None
) -> TcmProgram:
    """Read the ops that touch TCM, each result under the name `op@position`."""
    program = TcmProgram(views or Views())
    for position, op in enumerate(block.ops):
        program.add(f"{mnemonic(op)}@{position}", op, needs.get(op))
    return program


def _work(op: Operation) -> Work:
    if not isinstance(op, CopyOp):
        return Work.COMPUTES
    return Work.BRINGS if op.mnemonic() in STARTS else Work.MOVES


def _scratch_blocks(
    label: str, op: Operation, need: ScratchNeed | None
) -> Iterator[tuple[TcmBlock, tuple[NativeOp, int]]]:
    """What of an op's scratch takes TCM, and where it is found in the op."""
    if need is not None and isinstance(op, NativeOp):
        for index in need.in_tcm:
            yield TcmBlock(f"{label}.scratch{index}", need.specs[index].nbytes), (op, index)
