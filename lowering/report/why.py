"""The reason for a tensor's place, in words."""

import re
from collections.abc import Callable, Iterator, Mapping

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, OpResult, SSAValue, Use

from ...dialects.htp import ConstOp, NativeOp, ReshapeOp, StateReadOp, StateWriteOp
from ...dialects.htp.ops.copies import CopyOp, ReasonedOp
from ...dialects.htp.ops.transfers import CopyWaitOp, StartOp
from ...dialects.spec_of import spec_of
from ...dialects.value import Memory
from ...runtime.program.boundary import inputs_of, outputs_of
from ..levels import mnemonic, operand_label
from ..rules.graph.tables import TensorProperties
from .sources import Readers

_LABEL = re.compile(r"([\w.]+)@(\d+)")


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
        return _LABEL.sub(r"\1", self.text(value))

    def _move(self, value: SSAValue) -> str:
        """Return a move's reason with ops numbered as they are now.

        The allocator numbered them before it added the moves. An op whose number does not fit
        keeps its bare name.
        """
        op = value.owner
        return _LABEL.sub(self._renumbered, op.reason) if isinstance(op, ReasonedOp) else ""

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
