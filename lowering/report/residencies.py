"""Residencies: which tensor is in which memory, when, at which offset, and the reason in words."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, OpResult, SSAValue, Use

from ...dialects.htp import ConstOp, NativeOp, ReshapeOp, ShapeOp, StateReadOp, StateWriteOp
from ...dialects.htp.ops.copies import OP_LABEL, CopyOp, CopyWaitOp, ReasonedOp, StartOp
from ...dialects.spec_of import spec_of, text
from ...dialects.value import Memory, TensorSpec
from ...runtime.program.boundary import inputs_of, main_function, outputs_of
from ..levels import is_tensor, mnemonic, operand_label
from ..packages.packages import Packages
from ..passes.allocation.tcm import root, spans, wholes
from ..rules.graph.graph import TensorProperties
from .sources import OpSource, Readers, sources


class Why:
    """A reader of reasons from the ops around a tensor and their tensor properties."""

    def __init__(self, properties: Mapping[str, TensorProperties], function: FuncOp) -> None:
        self._properties = properties
        self._inputs = {value: name for name, value in inputs_of(function).items()}
        self._outputs = {value: name for name, value in outputs_of(function).items()}
        self._now = {op: index for index, op in enumerate(function.body.block.ops)}
        self._readers = Readers(self._now)
        self._counted = [op for op in self._now if not _is_later(op)]

    def text(self, value: SSAValue) -> str:
        """Return the first reason that applies: the tensor itself, its ops, or free choice."""
        reasons: tuple[Callable[[SSAValue], str], ...] = (
            self._boundary,
            self._move,
            self._itself,
            self._by_readers if isinstance(value.owner, CopyOp) else self._by_producer,
            self._by_readers,
        )
        return next(
            (reason for read in reasons if (reason := read(value))), self._free_choice(value)
        )

    def cause(self, value: SSAValue) -> str:
        """Return the reason with ops named without their positions."""
        return OP_LABEL.sub(r"\1", self.text(value))

    def _move(self, value: SSAValue) -> str:
        """Return a move's reason with ops numbered as they are now.

        The allocator numbered them before it added the moves. An op whose number does not fit
        keeps its bare name.
        """
        op = value.owner
        return OP_LABEL.sub(self._renumbered, op.reason) if isinstance(op, ReasonedOp) else ""

    def _renumbered(self, label: re.Match[str]) -> str:
        name, old = label[1], int(label[2])
        op = self._counted[old] if old < len(self._counted) else None
        same = op is not None and (mnemonic(op) == name or isinstance(op, CopyWaitOp))
        return f"{name}@{self._now[op]}" if op and same else name

    def _boundary(self, value: SSAValue) -> str:
        if isinstance(value.owner, Block):
            return f"input '{self._inputs[value]}'"
        names = [self._outputs[user.results[0]] for user in self._returned(value)]
        return f"output '{names[0]}'" if names else ""

    def _by_producer(self, value: SSAValue) -> str:
        op = value.owner
        if not isinstance(op, NativeOp) or not isinstance(value, OpResult):
            return ""
        if op.name not in self._properties:
            return f"{mnemonic(op)} has no tensor properties: main memory"
        declared = self._properties[op.name]
        tags = declared.outputs
        tag = tags[value.index] if value.index < len(tags) else None
        return (
            f"{mnemonic(op)} wants its result {_demand(declared, tag)}"
            if _fixed(declared, tag)
            else ""
        )

    def _by_readers(self, value: SSAValue) -> str:
        memory = spec_of(value).memory
        for use in self._uses(value):
            op = use.operation
            declared = self._properties.get(op.name)
            tag = declared.input_tag(use.index) if declared else None
            if declared and _fixed(declared, tag) is memory:
                label = operand_label(op, use.index)
                return f"{mnemonic(op)} wants '{label}' {_demand(declared, tag)}"
        return ""

    def _uses(self, value: SSAValue) -> Iterator[Use]:
        """List the uses of a value; a started copy is used through the result of its wait."""
        for use in self._readers.uses(value):
            if isinstance(use.operation, CopyWaitOp):
                yield from self._readers.uses(use.operation.results[0])
            else:
                yield use

    def _returned(self, value: SSAValue) -> Iterator[Operation]:
        """List the Reshapes of a value that the function returns."""
        for use in self._readers.uses(value):
            op = use.operation
            if isinstance(op, ReshapeOp) and any(
                isinstance(end.operation, ReturnOp) for end in op.results[0].uses
            ):
                yield op

    def _itself(self, value: SSAValue) -> str:
        """Return the reason that follows from the tensor's own op."""
        op = value.owner
        match op:
            case ConstOp():
                return "constant"
            case StateReadOp():
                return f"state @{op.symbol}"
            case _:
                return self._next_state(value)

    def _next_state(self, value: SSAValue) -> str:
        """Return the state that the tensor is written to, for one in main memory."""
        written = [
            use.operation
            for use in self._readers.uses(value)
            if isinstance(use.operation, StateWriteOp)
        ]
        if written and spec_of(value).memory is Memory.DDR:
            return f"next state @{written[0].symbol}"
        return ""

    def _free_choice(self, value: SSAValue) -> str:
        readers = [use.operation for use in self._uses(value)]
        if isinstance(value.owner, CopyOp) and readers:
            return f"for {mnemonic(readers[0])}, which is there"
        if spec_of(value).memory is Memory.TCM:
            return "nobody demands it; there is room in TCM"
        return "no room in TCM, or no kernel takes it from there"


def _fixed(declared: TensorProperties, tag: str | None) -> Memory | None:
    """Return the memory that an op's properties fix for a tensor, if any."""
    return declared.memory(tag) if tag else None


def _demand(declared: TensorProperties, tag: str | None) -> str:
    layout, memory = declared.layout(tag) if tag else None, _fixed(declared, tag)
    return " in ".join(kind.value for kind in (layout, memory) if kind)


def _is_later(op: Operation) -> bool:
    """Return true for an op that the allocator added: a spill, a fill or an early start."""
    if isinstance(op, CopyWaitOp):
        return isinstance(op.operands[0].owner, ReasonedOp)
    return isinstance(op, (ReasonedOp, StartOp))


class TensorRole(Enum):
    """The purpose of a tensor."""

    DATA = "data"
    SCRATCH = "scratch"
    SPILL = "spill"
    FILL = "fill"


@dataclass(frozen=True)
class TensorResidency:
    """A tensor in a memory, from the op that writes it to the last op that reads it.

    Ops are counted in the order of the function. `inside` names the whole tensor of a part that is
    in place.
    """

    name: str
    source: OpSource
    label: str
    bytes: int
    first: int
    last: int
    memory: Memory
    layout: str
    offset: int | None
    why: str
    inside: str = ""
    role: TensorRole = TensorRole.DATA

    @property
    def node(self) -> str:
        """The first node that the tensor comes from."""
        return self.source.node

    @property
    def where(self) -> str:
        """Layout and memory as the IR spells them."""
        return f"{self.layout}, {self.memory.value}"


def residencies(module: ModuleOp, packages: Packages) -> tuple[TensorResidency, ...]:
    """List the tensors of `@main` in the order of writing; views and params are left out."""
    return tuple(_ResidencyReader(module, packages).read())


class _ResidencyReader:
    """A reader of one function that knows the positions and names of its ops."""

    def __init__(self, module: ModuleOp, packages: Packages) -> None:
        self._function = main_function(module)
        self._ops = list(self._function.body.block.ops)
        self._sources = sources(self._ops)
        self._position = {op: index for index, op in enumerate(self._ops)}
        self._why = Why(packages.properties, self._function)
        self._inside = wholes(self._ops)
        self._spans = spans(self._ops, self._inside)

    def read(self) -> Iterator[TensorResidency]:
        for name, value in inputs_of(self._function).items():
            yield self._residency(value, name, OpSource(name, f"input '{name}'"))
        for index, op in enumerate(self._ops):
            if isinstance(op, (ReshapeOp, ShapeOp, CopyWaitOp)):
                continue
            for result in op.results:
                if is_tensor(result) and not only_param(result):
                    yield self._residency(result, self._name(result), self._sources[op])
            yield from self._scratch(op, index)

    def _residency(self, value: SSAValue, name: str, source: OpSource) -> TensorResidency:
        """Describe a tensor; a whole lasts from the first write of a part to the last read."""
        whole = root(value, self._inside)
        first, last = self._spans.get(value, (0, 0))
        spec = spec_of(value)
        return TensorResidency(
            name,
            source,
            _label(spec),
            spec.nbytes,
            first if isinstance(value.owner, Operation) else 0,
            last,
            spec.memory,
            spec.layout.value,
            spec.place.offset if spec.place else None,
            self._why.text(value) if whole is value else "part of a whole, in place",
            "" if whole is value else self._name(whole),
            _role(value),
        )

    def _name(self, value: SSAValue) -> str:
        if not isinstance(value, OpResult):
            return "an input"
        suffix = f".{value.index}" if value.index else ""
        return f"{mnemonic(value.op)}@{self._position[value.op]}{suffix}"

    def _scratch(self, op: Operation, index: int) -> Iterator[TensorResidency]:
        """List the scratch tensors of the op's kernel."""
        specs = op.scratch_specs() if isinstance(op, NativeOp) else ()
        for number, spec in enumerate(specs):
            yield TensorResidency(
                f"{mnemonic(op)}@{index} scratch {number}",
                self._sources[op],
                _label(spec),
                spec.nbytes,
                index,
                index,
                spec.memory,
                spec.layout.value,
                spec.place.offset if spec.place else None,
                "scratch of its kernel",
                role=TensorRole.SCRATCH,
            )


def _role(value: SSAValue) -> TensorRole:
    """Return the purpose; the moves that the allocator added are not data of the model."""
    if not isinstance(value.owner, ReasonedOp):
        return TensorRole.DATA
    return TensorRole.SPILL if spec_of(value).memory is Memory.DDR else TensorRole.FILL


def _label(spec: TensorSpec) -> str:
    return f"{text(spec.shape)} {spec.dtype.name}"


def only_param(value: SSAValue) -> bool:
    """Return true if every use of a tensor is as a param of an op, so that it is not data."""
    uses = list(value.uses)
    return bool(uses) and all(
        isinstance(use.operation, NativeOp)
        and use.operation.operand_name(use.index) in use.operation.PARAMS
        for use in uses
    )
