"""Ops cut out of modules: each becomes a function of its operands."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from htp_mlir.dialects.htp.base import NativeOp
from htp_mlir.dialects.htp.ops.const import ConstOp, ShapeOp
from htp_mlir.dialects.htp.ops.state import StateOp, StateReadOp, StateWriteOp
from htp_mlir.dialects.qti_aisw import ConstOp as GraphConstOp
from htp_mlir.dialects.qti_aisw import GraphOp
from htp_mlir.dialects.spec_of import spec_of
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    TensorType,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region

MOST_ELEMENTS = 16
"""The size of the largest constant that is taken."""
KINDS = (NativeOp, GraphOp, ConstOp, GraphConstOp, ShapeOp, StateReadOp, StateWriteOp)
Feature = tuple[str, object]
"""A level, and an attribute or a dtype that the text of an op has there."""


@dataclass(frozen=True)
class Sample:
    """An op of a module at a level."""

    level: str
    op: Operation

    @property
    def features(self) -> frozenset[Feature]:
        """The level, with each attribute that the op has, and each dtype of its tensors."""
        values = (*self.op.operands, *self.op.results)
        dtypes = (spec_of(value).dtype for value in values if isinstance(value.type, TensorType))
        names = (*self.op.properties, *self.op.attributes)
        return frozenset((self.level, each) for each in (None, *names, *dtypes))

    def functions(self, index: int) -> list[Operation]:
        """Return a function that does this op alone, and a state of its own if it has one."""
        arguments = list(dict.fromkeys(self.op.operands))
        block = Block(arg_types=[value.type for value in arguments])
        clone = self.op.clone(dict(zip(arguments, block.args, strict=True)))
        block.add_ops([clone, ReturnOp()])
        types = [argument.type for argument in block.args]
        function = FuncOp(f"{self.level}_{index}", (types, []), Region(block))
        if not isinstance(clone, StateReadOp | StateWriteOp):
            return [function]
        state = self._state().clone()
        state.properties["sym_name"] = StringAttr(f"state_{index}")
        clone.properties["state"] = SymbolRefAttr(f"state_{index}")
        return [state, function]

    def _state(self) -> Operation:
        """Return the state that the op reads or writes."""
        module: Operation = self.op
        while (parent := module.parent_op()) is not None:
            module = parent
        name = self.op.properties["state"].string_value()
        states = (op for op in module.walk() if isinstance(op, StateOp))
        return next(op for op in states if op.sym_name.data == name)


def samples(level: str, module: ModuleOp) -> Iterator[Sample]:
    """Yield the ops of a module, without large constants."""
    for op in module.walk():
        data = op.properties.get("value")
        large = isinstance(data, DenseIntOrFPElementsAttr) and len(data.data.data) > MOST_ELEMENTS
        if isinstance(op, KINDS) and not large:
            yield Sample(level, op)


def module_of(taken: Sequence[Sample]) -> ModuleOp:
    """Return a module with a function for each op, named by its level."""
    return ModuleOp([op for index, each in enumerate(taken) for op in each.functions(index)])
