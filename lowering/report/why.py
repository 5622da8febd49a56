"""Why a tensor lies where it lies, in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, OpResult, SSAValue, Use

from ...dialects.htp.base import NativeOp
from ...dialects.htp.ops.const import ConstOp
from ...dialects.htp.ops.copies import CopyOp, ReasonedOp
from ...dialects.htp.ops.movement import ReshapeOp
from ...dialects.htp.ops.state import StateReadOp, StateWriteOp
from ...dialects.htp.ops.transfers import CopyWaitOp, StartOp
from ...dialects.value.place import Memory
from ...dialects.value.spec import spec_of
from ...runtime.program.boundary import inputs_of, outputs_of
from ..levels import mnemonic, operand_label
from ..rules.language.properties import TensorProperties

_LABEL = re.compile(r"([\w.]+)@(\d+)")


class Why:
    """Reads the reason off the ops around a tensor and off their tensor properties."""

    def __init__(self, properties: Mapping[str, TensorProperties], function: FuncOp) -> None:
        self._properties = properties
        self._inputs = {value: name for name, value in inputs_of(function).items()}
        self._outputs = {value: name for name, value in outputs_of(function).items()}
        self._now = {op: index for index, op in enumerate(function.body.block.ops)}
        self._counted = [op for op in self._now if not _is_later(op)]

    def text(self, value: SSAValue) -> str:
        """The first reason that applies: who it is, who wants it there, or that nobody minds."""
        reasons: tuple[Callable[[SSAValue], str], ...] = (
            self._boundary,
            self._move,
            _itself,
            self._wanted_by_readers if isinstance(value.owner, CopyOp) else self._wanted_by_maker,
            self._wanted_by_readers,
        )
        found = next((reason for read in reasons if (reason := read(value))), "")
        return found or _nobody_minds(value)

    def _move(self, value: SSAValue) -> str:
        """A move's reason, with ops as they are counted now: the allocator counted without moves.

        Where its count does not fit an op, that op's bare name is left.
        """
        op = value.owner
        return _LABEL.sub(self._renumbered, op.reason) if isinstance(op, ReasonedOp) else ""

    def _renumbered(self, found: re.Match[str]) -> str:
        name, old = found[1], int(found[2])
        op = self._counted[old] if old < len(self._counted) else None
        same = op is not None and (mnemonic(op) == name or isinstance(op, CopyWaitOp))
        return f"{name}@{self._now[op]}" if op and same else name

    def _boundary(self, value: SSAValue) -> str:
        if isinstance(value.owner, Block):
            return f"input '{self._inputs[value]}'"
        names = [self._outputs[user.results[0]] for user in _returned(value)]
        return f"output '{names[0]}'" if names else ""

    def _wanted_by_maker(self, value: SSAValue) -> str:
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

    def _wanted_by_readers(self, value: SSAValue) -> str:
        memory = spec_of(value).memory
        for use in _uses(value):
            op = use.operation
            declared = self._properties.get(op.name)
            tag = declared.input_tag(use.index) if declared else None
            if declared and _fixed(declared, tag) is memory:
                label = operand_label(op, use.index)
                return f"{mnemonic(op)} wants '{label}' {_demand(declared, tag)}"
        return ""


def _fixed(declared: TensorProperties, tag: str | None) -> Memory | None:
    """The memory that an op wants a tensor in, if it says so."""
    return declared.memory(tag) if tag else None


def _demand(declared: TensorProperties, tag: str | None) -> str:
    layout, memory = declared.layout(tag) if tag else None, _fixed(declared, tag)
    return " in ".join(kind.value for kind in (layout, memory) if kind)


def _is_later(op: Operation) -> bool:
    """Whether an op came in when others had been counted: spills, fills and early starts."""
    if isinstance(op, CopyWaitOp):
        return isinstance(op.operands[0].owner, ReasonedOp)
    return isinstance(op, (ReasonedOp, StartOp))


def _uses(value: SSAValue) -> Iterator[Use]:
    """The uses of a value; those of what the wait gives, for a copy that is only started."""
    for use in value.uses:
        if isinstance(use.operation, CopyWaitOp):
            yield from use.operation.results[0].uses
        else:
            yield use


def _returned(value: SSAValue) -> Iterator[Operation]:
    """The Reshapes of a value that are returned."""
    for use in value.uses:
        op = use.operation
        if isinstance(op, ReshapeOp) and any(
            isinstance(end.operation, ReturnOp) for end in op.results[0].uses
        ):
            yield op


def _itself(value: SSAValue) -> str:
    """What the tensor is says where it lies."""
    op = value.owner
    match op:
        case ConstOp():
            return "constant"
        case StateReadOp():
            return f"state @{op.symbol}"
        case _:
            return _kept(value)


def _kept(value: SSAValue) -> str:
    """What the tensor is for, where that decides."""
    written = [use.operation for use in value.uses if isinstance(use.operation, StateWriteOp)]
    if written and spec_of(value).memory is Memory.DDR:
        return f"next state @{written[0].symbol}"
    return ""


def _nobody_minds(value: SSAValue) -> str:
    readers = [use.operation for use in _uses(value)]
    if isinstance(value.owner, CopyOp) and readers:
        return f"for {mnemonic(readers[0])}, which is there"
    if spec_of(value).memory is Memory.TCM:
        return "nobody demands it; there is room in TCM"
    return "no room in TCM, or no kernel takes it from there"
