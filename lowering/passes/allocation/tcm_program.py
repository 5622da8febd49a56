"""A function as the TCM planner sees it: the ops that touch TCM, as steps over buffers."""

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ....dialects.htp.base import NativeOp
from ....dialects.htp.ops.copies import STARTS, CopyOp
from ....dialects.spec_of import spec_of
from ...levels import mnemonic, note_graph
from ...packages.loading import packages_of
from ...planner.allocation.actions import Action, Fill, RunStep
from ...planner.allocation.steps import AllocationStep, TcmBuffer, Work
from ...rules.graph.graph import OpTables
from ...soc import MIB, check_tcm_options
from .select_kernels import ScratchNeed, scratch_of
from .tcm import NO_TABLES, TCM_ALIGNMENT, Views, copied_bytes, ddr_source, in_tcm, readable_in_ddr


@dataclass(frozen=True)
class TcmPass(ModulePass):
    """A pass of the placed level, for a TCM of some bytes and offsets of some alignment."""

    tcm_bytes: int = 8 * MIB
    alignment: int = TCM_ALIGNMENT

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_tcm_options(self.name, self.tcm_bytes, self.alignment)
        note_graph(op, self.name, placed=True)
        self.run(op, packages_of(ctx).tables)

    @abstractmethod
    def run(self, module: ModuleOp, tables: OpTables) -> None:
        """Change the module, with properties and kernels of its ops at hand."""


@dataclass(frozen=True)
class BufferView:
    """A value that is a view of a buffer, `delta` bytes after its start."""

    value: SSAValue
    delta: int = 0


@dataclass
class TcmProgram:
    """The ops of a block that touch TCM, as steps, and the tensor of each buffer name.

    That is a value, with the views of its bytes, or an op's scratch tensor of this number, which
    nothing reads. `over` are, by the buffer of a result, those that its op may overwrite,
    as operands of these positions. `fetched` counts the bytes that bring a value from DDR again.
    """

    views: Views
    fetched: Callable[[SSAValue], int | None] = copied_bytes
    ops: list[Operation] = field(default_factory=list)
    steps: list[AllocationStep] = field(default_factory=list)
    values: dict[str, SSAValue] = field(default_factory=dict)
    parts: dict[str, list[BufferView]] = field(default_factory=lambda: defaultdict(list))
    scratch: dict[str, tuple[NativeOp, int]] = field(default_factory=dict)
    names: dict[SSAValue, TcmBuffer] = field(default_factory=dict)
    tables: OpTables = NO_TABLES
    over: dict[str, dict[str, tuple[Operation, int]]] = field(default_factory=dict)

    def buffer_of(self, value: SSAValue) -> TcmBuffer:
        """Find the buffer of a value in TCM, which may be a view of it."""
        return self.names[self.views.root(value)[0]]

    def add(self, label: str, op: Operation, need: ScratchNeed | None) -> None:
        """Add the step of one op, with a buffer for each of its results that has its own bytes."""
        reads = [self.buffer_of(operand) for operand in op.operands if in_tcm(operand)]
        writes: list[TcmBuffer] = []
        for index, result in enumerate(op.results):
            if in_tcm(result):
                name = f"{label}.{index}" if index else label
                buffer, fresh = self.enter(name, result)
                (writes if fresh else reads).append(buffer)
        own: list[TcmBuffer] = []
        if need is not None and isinstance(op, NativeOp):
            for index in need.in_tcm:
                own.append(TcmBuffer(f"{label}.scratch{index}", need.specs[index].nbytes))
                self.scratch[own[-1].name] = op, index
        if op not in self.views.ops and (reads or writes or own):
            self.ops.append(op)
            read = tuple(dict.fromkeys(reads))
            work = Work.MOVES if isinstance(op, CopyOp) else Work.COMPUTES
            work = Work.BRINGS if isinstance(op, CopyOp) and op.mnemonic() in STARTS else work
            able = self.overwritable(op) if writes else {}
            self.over[label] = {name: (op, at) for name, at in able.items()}
            buffers, onto = (read, (*writes, *own)), tuple(able)
            self.steps.append(AllocationStep(label, *buffers, work, self.takes(op), onto))

    def takes(self, op: Operation) -> dict[str, int]:
        """Find the buffers that an op can read in DDR, and the bytes that it reads of each."""
        # A buffer stays as long as a view of it is read.
        views = [value for value in op.operands if value in self.views.inside]
        viewed = {self.buffer_of(value).name for value in views if in_tcm(value)}
        sizes = readable_in_ddr(op, self.tables)
        # A part that is taken from DDR again is not there as it is.
        plain = (v for v in sizes if ddr_source(v) is not None or self.fetched(v) is None)
        readable = ((self.buffer_of(value).name, sizes[value]) for value in plain)
        return {name: size for name, size in readable if name not in viewed}

    def overwritable(self, op: Operation) -> dict[str, int]:
        """Find the buffers that an op may overwrite: each is one operand, whose position it is."""
        read = {value: self.buffer_of(value) for value in op.operands if in_tcm(value)}
        buffers = [*read.values()]
        able = op.overwritable() if isinstance(op, NativeOp) else ()
        inside = [(at, op.operands[at]) for at in able if op.operands[at] in read]
        return {
            read[value].name: at
            for at, value in reversed(inside)
            if buffers.count(read[value]) == 1 and read[value].bytes == spec_of(value).nbytes
        }

    def enter(self, name: str, value: SSAValue) -> tuple[TcmBuffer, bool]:
        """Return the buffer of a result; True with it where this is the first write to it."""
        root, delta = self.views.root(value)
        fresh = root not in self.names
        if fresh:
            fetched = self.fetched(value) if root is value else None
            self.names[root] = TcmBuffer(name, spec_of(root).nbytes, fetched)
            self.values[name] = root
        buffer = self.names[root]
        if root is not value:
            self.parts[buffer.name].append(BufferView(value, delta))
        return buffer, fresh

    def pinned(self) -> list[AllocationStep]:
        """Return the steps, changed so that no buffer leaves TCM while parts tie it down."""
        steps = list(self.steps)
        for name, (first, last) in self.spans().items():
            buffer = self.names[self.values[name]]
            for index in range(first + 1, last + 1):
                step = steps[index]
                if buffer not in step.reads:
                    steps[index] = replace(step, reads=(*step.reads, buffer))
        return steps

    def spans(self) -> dict[str, tuple[int, int]]:
        """Find for each buffer with parts the step that writes it and the last that uses a part.

        Parts that follow their buffer wherever it lies are left out.
        """
        owner = {
            part.value: name
            for name, parts in self.parts.items()
            for part in parts
            if not self.views.follows(part.value)
        }
        first = {b.name: i for i, step in enumerate(self.steps) for b in step.writes}
        last = {
            owner[value]: index
            for index, op in enumerate(self.ops)
            for value in (*op.operands, *op.results)
            if value in owner
        }
        return {name: (first[name], end) for name, end in last.items()}

    def ties(self) -> dict[str, range]:
        """Find for each buffer with parts the steps in front of which it cannot move."""
        return {name: range(first + 1, last + 1) for name, (first, last) in self.spans().items()}

    def keeps_parts(self, actions: Sequence[Action]) -> bool:
        """Say whether every buffer with parts stays in its bytes while they are in use."""
        spans, now = self.spans(), 0
        for action in actions:
            match action:
                case RunStep(step):
                    now = step + 1
                case Fill(back) if back.name in spans and now <= spans[back.name][1]:
                    return False
                case _:
                    pass
        return True


def tcm_program(
    block: Block,
    views: Views | None = None,
    tables: OpTables = NO_TABLES,
    fetched: Callable[[SSAValue], int | None] = copied_bytes,
) -> TcmProgram:
    """Read the ops that touch TCM, with each result under the name `op@position`."""
    program = TcmProgram(views or Views(), fetched, tables=tables)
    for position, op in enumerate(block.ops):
        program.add(f"{mnemonic(op)}@{position}", op, scratch_of(op, tables.kernels))
    return program
