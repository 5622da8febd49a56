"""A prepared program: the allocation of every value, and the steps in order with the call of each.

It is made once from a module and shared by sessions; each session binds it to memory and states
of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Protocol

import numpy as np
from xdsl.ir import Operation, SSAValue

from ...dialects.qti_aisw.base import GraphOp
from ...dialects.value import Memory, TensorSpec
from ..functions.support.arrays import Array
from ..kernel.kernel import Call, Kernel
from ..kernel.library import Evaluator, StatefulEvaluator
from ..tensors.memory import Arena
from ..tensors.tensor_classes import block_of, tensor
from ..tensors.tensors import Bytes, RunTensor, ShapeParam, Tensor
from .state import StateCell, StateSpec, StateStore


class Region(Enum):
    """A kind of memory: constants are shared by sessions, DDR and TCM belong to one.

    Values of a module of graph ops are arrays of one run.
    """

    CONSTANT = "constants"
    RUN = "run"
    DDR = "ddr"
    TCM = "tcm"


SESSION = (Region.DDR, Region.TCM)
"""The memories of a session, where tensors share bytes over time."""


@dataclass(frozen=True)
class BlockOf:
    """A block of a flat tensor, by where it begins in it."""

    whole: TensorSpec
    start: tuple[int, ...]


@dataclass(frozen=True)
class Allocation:
    """The bytes of a tensor; the offset of a constant is inside its own data.

    A tensor `within` a larger one is a block of that, whose lines are apart.
    """

    spec: TensorSpec
    region: Region
    offset: int
    label: str
    within: BlockOf | None = None

    @property
    def end(self) -> int:
        """The first byte after the tensor."""
        return self.offset + (self.within.whole if self.within else self.spec).nbytes

    def meets(self, other: Allocation) -> bool:
        """Tell whether two allocations of one region share a byte."""
        return self.offset < other.end and other.offset < self.end


class Step(Protocol):
    """An op to run: its label for errors, the tensors that it reads and writes, its scratch."""

    @property
    def op(self) -> Operation: ...

    @property
    def label(self) -> str: ...

    @property
    def reads(self) -> Sequence[SSAValue]: ...

    @property
    def writes(self) -> Sequence[SSAValue]: ...

    @property
    def scratch(self) -> Sequence[Allocation]: ...

    def bind(self, bindings: Bindings) -> Call | None:
        """Make the call for each run, over a session's memory; None where binding did it."""


@dataclass
class Program:
    """A module that is ready to be bound to memory.

    `aliases` maps a value to one that shares its bytes. `gates` names, for a value, the switches
    that must be on for it to be there; a value that is not listed is always there. Memory that is
    `shared` can be mapped by the processes in which kernels run.
    """

    inputs: dict[str, SSAValue] = field(default_factory=dict)
    outputs: dict[str, SSAValue] = field(default_factory=dict)
    allocations: dict[SSAValue, Allocation] = field(default_factory=dict)
    aliases: dict[SSAValue, SSAValue] = field(default_factory=dict)
    constants: dict[SSAValue, Tensor] = field(default_factory=dict)
    shapes: dict[SSAValue, ShapeParam] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    states: list[StateSpec] = field(default_factory=list)
    gates: dict[SSAValue, frozenset[int]] = field(default_factory=dict)
    switches: int = 0
    ddr_bytes: int = 0
    tcm_bytes: int = 0
    shared: bool = False

    def origin(self, value: SSAValue) -> SSAValue:
        """Find the value whose bytes a value shares; itself where it has its own."""
        while value in self.aliases:
            value = self.aliases[value]
        return value

    def gate(self, values: Sequence[SSAValue]) -> frozenset[int]:
        """List the switches that must be on for these values to be there."""
        return frozenset().union(*(self.gates.get(value, frozenset()) for value in values))


class Bindings:
    """A program's values over the memory of one session.

    `switches` holds one truth value per stateful graph op: whether its results are ready in the
    run under way.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.ddr = Arena(Memory.DDR, program.ddr_bytes, program.shared)
        self.tcm = Arena(Memory.TCM, program.tcm_bytes, program.shared)
        self.states = StateStore(program.states)
        self.switches = [False] * program.switches
        self._tensors: dict[SSAValue, Tensor] = {}
        self._scratch: dict[Allocation, Tensor] = {}

    def tensor(self, value: SSAValue) -> Tensor:
        """Look up the tensor of a value."""
        if value not in self._tensors:
            self._tensors[value] = self._make(value)
        return self._tensors[value]

    def forget(self, value: SSAValue) -> None:
        """Drop the views of a value in simulated memory; the next look-up makes them anew."""
        self._tensors.pop(value, None)

    def operand(self, value: SSAValue) -> Tensor | ShapeParam:
        """Look up the tensor or the dims of a value."""
        shape = self.program.shapes.get(value)
        return self.tensor(value) if shape is None else shape

    def scratch(self, allocation: Allocation) -> Tensor:
        """Look up the tensor of a step's scratch."""
        if allocation not in self._scratch:
            memory = self._bytes(allocation)
            self._scratch[allocation] = tensor(allocation.spec, memory)
        return self._scratch[allocation]

    def cell(self, name: str) -> StateCell:
        """Look up the state of this name."""
        return self.states.cells[name]

    def _make(self, value: SSAValue) -> Tensor:
        at, source = self.program.allocations[value], self.program.origin(value)
        if at.region is Region.RUN:
            return self._of_run(value, at.spec)
        constant = source in self.program.constants
        if at.region is Region.CONSTANT:
            memory = self.program.constants[source].bytes[at.offset : at.end]
        else:
            memory = self._bytes(at)
        if at.within:
            return block_of(tensor(at.within.whole, memory), at.spec, at.within.start)
        return tensor(at.spec, memory, constant=constant)

    def _of_run(self, value: SSAValue, spec: TensorSpec) -> RunTensor:
        result = RunTensor(spec)
        if value in self.program.aliases:
            source = self.tensor(self.program.aliases[value])
            assert isinstance(source, RunTensor)
            source.views.append(result)
        return result

    def _bytes(self, at: Allocation) -> Bytes:
        arena = self.ddr if at.region is Region.DDR else self.tcm
        return arena.view(at.offset, at.end - at.offset, at.label)


@dataclass(frozen=True)
class OpStep:
    """A step of an op: its label, the tensors that it reads and writes, its scratch."""

    op: Operation
    label: str
    reads: tuple[SSAValue, ...]
    writes: tuple[SSAValue, ...]
    scratch: tuple[Allocation, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True)
class KernelStep(OpStep):
    """A native op: its kernel on its tensors; `operands` are those it reads and its shapes.

    `copies_to_tcm`: it copies a tensor to TCM unchanged. `overwrites`: the operand on whose bytes
    its result may lie.
    """

    kernel: Kernel
    operands: tuple[SSAValue, ...]
    copies_to_tcm: bool = field(default=False, kw_only=True)
    overwrites: SSAValue | None = field(default=None, kw_only=True)

    def bind(self, bindings: Bindings) -> Call:
        """Bind the kernel."""
        outputs = [bindings.tensor(value) for value in self.writes]
        operands = [bindings.operand(value) for value in self.operands]
        return self.kernel.bind(outputs, operands, [bindings.scratch(h) for h in self.scratch])


@dataclass(frozen=True)
class StartStep(KernelStep):
    """The first half of a copy, which makes all of it; the checker makes it again at the wait."""


@dataclass(frozen=True)
class WaitStep(OpStep):
    """The second half of a copy: its tensor may be read from now on; `start` is the first half."""

    start: StartStep

    def bind(self, bindings: Bindings) -> None:
        """Nothing is left to do."""


@dataclass(frozen=True)
class LoadStep(OpStep):
    """A constant in TCM: loaded once, or on every run if other tensors use its bytes."""

    source: Tensor
    resident: bool = False

    def bind(self, bindings: Bindings) -> Call | None:
        """Copy the constant at once, for kernels that are bound next, and on every run."""
        (value,) = self.writes
        load = partial(np.copyto, bindings.tensor(value).bytes, self.source.bytes)
        load()
        return None if self.resident else load


@dataclass(frozen=True)
class ReadStep(OpStep):
    """A state's value, or `init` where there is none or reset is true."""

    symbol: str

    def bind(self, bindings: Bindings) -> Call:
        """Copy from the state or from init."""
        init, reset = (bindings.tensor(value) for value in self.reads)
        out, cell = bindings.tensor(self.writes[0]), bindings.cell(self.symbol)

        def run() -> None:
            fresh = bool(reset.array.any()) or not cell.readable
            out.pack_from(init.stored() if fresh else cell.value)

        return run


@dataclass(frozen=True)
class WriteStep(OpStep):
    """A state's next value."""

    symbol: str

    def bind(self, bindings: Bindings) -> Call:
        """Copy into the state; the value is pending until the run succeeds."""
        value, cell = bindings.tensor(self.reads[0]), bindings.cell(self.symbol)
        return lambda: cell.put(value.stored())


@dataclass(frozen=True)
class GraphStep(OpStep):
    """A graph op without state."""

    op: GraphOp
    operands: tuple[SSAValue | None, ...]
    evaluate: Evaluator

    def bind(self, bindings: Bindings) -> Call:
        """Evaluate, from stored values to stored values."""
        inputs = _tensors(bindings, self.operands)
        outputs = [bindings.tensor(value) for value in self.writes]

        def run() -> None:
            _store(outputs, self.evaluate(self.op, _arrays(inputs)))

        return run


@dataclass(frozen=True)
class StatefulStep(OpStep):
    """A graph op with states; `switch` tells the steps after it whether its results are ready."""

    op: GraphOp
    operands: tuple[SSAValue | None, ...]
    reset: SSAValue | None
    evaluate: StatefulEvaluator
    symbols: tuple[str, ...]
    switch: int

    def bind(self, bindings: Bindings) -> Call:
        """Make one step of the op; its new states are pending until the run succeeds."""
        tensors = _tensors(bindings, self.operands)
        outputs = [bindings.tensor(value) for value in self.writes]
        cells = [bindings.cell(symbol) for symbol in self.symbols]
        reset = None if self.reset is None else bindings.tensor(self.reset)

        def run() -> None:
            fresh = (reset is not None and bool(reset.array.any())) or not cells[0].written
            inputs, old = _arrays(tensors), [cell.committed for cell in cells]
            before = self.evaluate.initial_state(self.op, inputs) if fresh else old
            results, after = self.evaluate.step(self.op, inputs, before)
            for cell, value in zip(cells, after, strict=True):
                cell.put(value)
            bindings.switches[self.switch] = results is not None
            _store(outputs if results is not None else [], results or ())

        return run


def _tensors(bindings: Bindings, operands: Sequence[SSAValue | None]) -> list[Tensor | None]:
    return [None if value is None else bindings.tensor(value) for value in operands]


def _arrays(tensors: Sequence[Tensor | None]) -> list[Array | None]:
    return [None if tensor is None else tensor.array for tensor in tensors]


def _store(outputs: Sequence[Tensor], results: Sequence[Array]) -> None:
    for out, result in zip(outputs, results, strict=True):
        out.store_raw(np.asarray(result))
