"""A prepared program: where every value lies and what is called, in order.

It is made once from a module and shared by sessions; each session binds it to memory and states
of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from xdsl.ir import SSAValue

from ...dialects.value.place import Memory
from ...dialects.value.spec import TensorSpec
from ..kernel.kernel import Call
from ..tensors.memory import Arena
from ..tensors.tensor_classes import tensor
from ..tensors.tensors import Bytes, ShapeParam, Tensor
from .state import StateCell, StateSpec, StateStore


class Region(Enum):
    """What holds a value: constants are shared by sessions, memories belong to one."""

    CONSTANT = "constants"
    DDR = "ddr"
    TCM = "tcm"


@dataclass(frozen=True)
class Home:
    """Where a tensor lies; `offset` is in bytes, for a constant those inside it."""

    spec: TensorSpec
    region: Region
    offset: int
    label: str

    @property
    def end(self) -> int:
        """The first byte after the tensor."""
        return self.offset + self.spec.nbytes


class Step(Protocol):
    """One op to run. `label` names it in errors, reads and writes are its tensors.

    `scratch` is what it needs besides, while it runs.
    """

    @property
    def label(self) -> str: ...

    @property
    def reads(self) -> Sequence[SSAValue]: ...

    @property
    def writes(self) -> Sequence[SSAValue]: ...

    @property
    def scratch(self) -> Sequence[Home]: ...

    def bind(self, bindings: Bindings) -> Call | None:
        """The call to make at each run, over a session's memory; None where binding did it."""


@dataclass
class Program:
    """What a module prepares to.

    `aliases` maps a value to one that shares its bytes. `gates` names, for a value, the switches
    that must be on for it to be there; a value that is not listed is always there.
    """

    inputs: dict[str, SSAValue] = field(default_factory=dict)
    outputs: dict[str, SSAValue] = field(default_factory=dict)
    homes: dict[SSAValue, Home] = field(default_factory=dict)
    aliases: dict[SSAValue, SSAValue] = field(default_factory=dict)
    constants: dict[SSAValue, Tensor] = field(default_factory=dict)
    shapes: dict[SSAValue, ShapeParam] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    states: list[StateSpec] = field(default_factory=list)
    gates: dict[SSAValue, frozenset[int]] = field(default_factory=dict)
    switches: int = 0
    ddr_bytes: int = 0
    tcm_bytes: int = 0

    def origin(self, value: SSAValue) -> SSAValue:
        """The value whose bytes a value shares; itself where it has its own."""
        while value in self.aliases:
            value = self.aliases[value]
        return value

    def gate(self, values: Sequence[SSAValue]) -> frozenset[int]:
        """The switches that must be on for these values to be there."""
        return frozenset().union(*(self.gates.get(value, frozenset()) for value in values))


class Bindings:
    """A program's values over the memory of one session.

    `switches` holds one truth value per stateful graph op: whether its results are ready in the
    run under way.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.ddr = Arena(Memory.DDR, program.ddr_bytes)
        self.tcm = Arena(Memory.TCM, program.tcm_bytes)
        self.states = StateStore(program.states)
        self.switches = [False] * program.switches
        self._tensors: dict[SSAValue, Tensor] = {}
        self._scratch: dict[Home, Tensor] = {}

    def tensor(self, value: SSAValue) -> Tensor:
        """The tensor of a value."""
        held = self._tensors.get(value)
        if held is None:
            held = self._tensors[value] = self._make(value)
        return held

    def operand(self, value: SSAValue) -> Tensor | ShapeParam:
        """The tensor or the dims of a value."""
        shape = self.program.shapes.get(value)
        return self.tensor(value) if shape is None else shape

    def scratch(self, home: Home) -> Tensor:
        """The tensor of a step's scratch."""
        held = self._scratch.get(home)
        if held is None:
            held = self._scratch[home] = tensor(home.spec, self._bytes(home))
        return held

    def cell(self, name: str) -> StateCell:
        """The state of this name."""
        return self.states.cells[name]

    def _make(self, value: SSAValue) -> Tensor:
        home = self.program.homes[value]
        source = self.program.origin(value)
        constant = source in self.program.constants
        if home.region is Region.CONSTANT:
            held = self.program.constants[source].bytes
            return tensor(home.spec, held[home.offset : home.end], constant=True)
        return tensor(home.spec, self._bytes(home), constant=constant)

    def _bytes(self, home: Home) -> Bytes:
        arena = self.ddr if home.region is Region.DDR else self.tcm
        return arena.view(home.offset, home.spec.nbytes, home.label)
