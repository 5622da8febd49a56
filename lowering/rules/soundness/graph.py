"""A module under construction whose function is complete after each added op."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from ....dialects.htp.base import native
from ....dialects.htp.ops.movement import ReshapeOp
from ....dialects.htp.ops.state import StateOp, state, state_write
from ....dialects.locations import NAME
from ....dialects.spec_of import spec_of, type_of
from ....dialects.value.spec import TensorSpec


class Graph:
    """The body of `@main` with its named inputs and outputs and its states.

    A native one has a Reshape behind each input and in front of each output.
    """

    def __init__(self, native: bool = True) -> None:
        self.native = native
        self.block = Block([ReturnOp()])
        self.inputs: list[str] = []
        self.outputs: list[str] = []
        self.states: list[StateOp] = []
        self._writes: list[Operation] = []

    def add(self, op: Operation) -> Operation:
        """Append an op."""
        self.block.insert_op_before(op, self._return)
        return op

    def input(self, name: str, spec: TensorSpec) -> SSAValue:
        """Add an input and return it, or the result of its Reshape."""
        self.inputs.append(name)
        argument = self.block.insert_arg(type_of(spec), len(self.block.args))
        if not self.native:
            return argument
        return self.add(native(ReshapeOp, [argument], spec)).results[0]

    def output(self, name: str, value: SSAValue) -> None:
        """Return a value as an output."""
        self.outputs.append(name)
        if self.native:
            value = self.add(native(ReshapeOp, [value], spec_of(value))).results[0]
        returned = self._return
        returned.operands = [*returned.operands, value]

    def state(self, name: str, spec: TensorSpec, kept: SSAValue) -> StateOp:
        """Add a state that a value is written to, at the end, behind the reads."""
        op = state(name, spec)
        self.states.append(op)
        self._writes.append(state_write(op, kept))
        return op

    def module(self) -> ModuleOp:
        """Return the module; nothing can be added afterwards."""
        for write in self._writes:
            self.add(write)
        function = FuncOp(
            "main",
            (
                [argument.type for argument in self.block.args],
                [value.type for value in self._return.operands],
            ),
            Region(self.block),
            arg_attrs=_named(self.inputs),
            res_attrs=_named(self.outputs),
        )
        return ModuleOp([*self.states, function])

    @property
    def _return(self) -> ReturnOp:
        last = self.block.last_op
        if not isinstance(last, ReturnOp):
            raise TypeError("a function without a return")
        return last


def _named(names: Sequence[str]) -> ArrayAttr[DictionaryAttr]:
    return ArrayAttr([DictionaryAttr({NAME: StringAttr(name)}) for name in names])
