"""Builds graph ops in front of one op and lets the last take its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import VarResultDef
from xdsl.rewriter import InsertPoint, Rewriter

from ....dialects.qti_aisw import GRAPH_OPS
from ....dialects.qti_aisw.base import GraphOp, build
from ....dialects.qti_aisw.ops.movement import ReshapeOp
from ....dialects.qti_aisw.params import ints_attr
from ....dialects.spec_of import spec_of, type_of
from ....dialects.value.spec import Shape, TensorSpec

_SEGMENTS = "operandSegmentSizes"


class Rewrite:
    """The ops that replace one op; they have its location and its attributes."""

    def __init__(self, op: GraphOp) -> None:
        self.op = op
        self.ops: list[GraphOp] = []

    def emit(self, name: str, operand: SSAValue, properties: Mapping[str, Attribute]) -> SSAValue:
        """Return the result of a new op of one operand."""
        return self._add(build(GRAPH_OPS[name], [operand], dict(properties))).results[0]

    def reshape(self, value: SSAValue, shape: Shape) -> SSAValue:
        """Return the value under another shape; Reshapes in a row become one."""
        while isinstance(value.owner, ReshapeOp) and spec_of(value).shape != shape:
            value = value.owner.inp
        if spec_of(value).shape == shape:
            return value
        return self.emit("Reshape", value, {"shape": ints_attr(shape)})

    def same(
        self,
        operands: Sequence[SSAValue],
        properties: Mapping[str, Attribute],
        results: Sequence[TensorSpec],
    ) -> Sequence[SSAValue]:
        """Return the results of the same op on other operands, with some params changed."""
        rest = iter(operands)
        kept = {name: value for name, value in self.op.properties.items() if name != _SEGMENTS}
        types = [type_of(spec) for spec in results]
        definition = self.op.get_irdl_definition()
        variadic = isinstance(definition.results[0][1], VarResultDef)
        new = type(self.op).build(
            operands=[self._segment(name, rest) for name, _ in definition.operands],
            result_types=[types] if variadic else types,
            properties={**kept, **properties},
        )
        return self._add(new).results

    def finish(self, values: Sequence[SSAValue]) -> list[GraphOp]:
        """Let values replace the op's results, and return the new ops."""
        for old, value in zip(self.op.results, values, strict=True):
            shaped = self.reshape(value, spec_of(old).shape)
            shaped.name_hint = shaped.name_hint or old.name_hint
            old.replace_all_uses_with(shaped)
        sources = list(self.op.operands)
        Rewriter.erase_op(self.op)
        # Reshapes that led to the op alone have no use left.
        for value in sources:
            while isinstance(value.owner, ReshapeOp) and value.owner.parent and not value.uses:
                op, value = value.owner, value.owner.inp
                Rewriter.erase_op(op)
        return self.ops

    def _segment(self, name: str, values: Iterator[SSAValue]) -> list[SSAValue]:
        """Return as many of the values as the op has operands of this name."""
        own: SSAValue | Sequence[SSAValue] | None = getattr(self.op, name)
        count = 0 if own is None else 1 if isinstance(own, SSAValue) else len(own)
        return [next(values) for _ in range(count)]

    def _add(self, new: GraphOp) -> GraphOp:
        new.location = self.op.location
        new.attributes |= self.op.attributes
        Rewriter.insert_op(new, InsertPoint.before(self.op))
        self.ops.append(new)
        return new
