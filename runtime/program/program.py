"""A prepared program: the allocation of every value, and the calls in order.

It is made once from a module and shared by sessions; each session binds it to memory and states
of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from xdsl.ir import Operation, SSAValue

from ...dialects.value import Memory, TensorSpec
from ..kernel.kernel import Call
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
