"""Building a replacement: detached ops, each with its type taken from the reference output."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from ....dialects.diagnostics import fail
from ....dialects.htp.base import NativeOp
from ....dialects.htp.ops.const import const, shape
from ....dialects.value.dense import Array
from ....dialects.value.place import FLAT_DDR
from ....dialects.value.spec import Shape, TensorSpec, type_of
from ..graph.env import Env
from ..graph.graph import Node
from ..graph.names import DEFAULT_PACKAGE, resolve
from ..graph.types import INT_MAX, EvaluationError

OpClasses = Mapping[str, type[Operation]]
Attributes = tuple[tuple[str, Attribute], ...]


class NoChange(Exception):
    """The replacement found that there is nothing to do."""


@dataclass(frozen=True)
class Reference:
    """What the next op that is built gives: spec and number of outputs, location, attributes."""

    spec: TensorSpec
    outputs: int = 1
    location: LocationAttr | None = None
    attributes: Attributes = ()

    def resized(self, dim: int, size: int) -> Reference:
        """The same with one dim changed."""
        dims = self.spec.shape
        if not 0 <= dim < len(dims):
            raise EvaluationError(f"dim {dim} of an output of rank {len(dims)}")
        return self.with_shape((*dims[:dim], checked_dim(size), *dims[dim + 1 :]))

    def with_shape(self, dims: Shape) -> Reference:
        """The same with another shape."""
        return replace(self, spec=self.spec.with_shape(dims))

    def with_spec(self, spec: TensorSpec) -> Reference:
        """The same with another spec, at the reference's own place."""
        return replace(self, spec=spec.with_place(self.spec.place))

    def with_attribute(self, name: str, value: Attribute) -> Reference:
        """The same with a further attribute on the op."""
        return replace(self, attributes=(*self.attributes, (name, value)))


class Builder:
    """Makes the ops of one replacement, detached from the graph until all of them are good."""

    def __init__(self, env: Env, root: Operation, classes: OpClasses) -> None:
        self.env = env
        self.root = root
        self.classes = classes
        self.new_ops: list[Operation] = []

    def op(self, name: str, operands: Sequence[SSAValue], ref: Reference) -> SSAValue:
        """A new op by its name in the rule; gives its first output."""
        return self._create(resolve(name, self.env.package), operands, ref).results[0]

    def native(self, name: str, operands: Sequence[SSAValue], ref: Reference) -> SSAValue:
        """A new op of the default package; gives its first output."""
        return self._create(f"{DEFAULT_PACKAGE}.{name}", operands, ref).results[0]

    def shape(self, dims: Iterable[int]) -> SSAValue:
        """A new shape."""
        op = shape(tuple(map(checked_dim, dims)))
        self.new_ops.append(op)
        return op.out

    def const(self, array: Array, spec: TensorSpec) -> SSAValue:
        """A new constant; flat in main memory where the graph is placed."""
        op = const(array, spec.with_place(FLAT_DDR if self._is_placed() else None))
        self.new_ops.append(op)
        return op.out

    def like(
        self,
        value: SSAValue,
        operands: Callable[[Operation], Sequence[SSAValue]],
        types: Sequence[Attribute] | None = None,
    ) -> Operation:
        """A new op like the one that makes `value`, with other operands; a new one is used up."""
        op = value.owner
        if not isinstance(op, Operation):
            raise EvaluationError("a graph input is no op to copy")
        made = type(op).create(
            operands=operands(op),
            result_types=types or [result.type for result in op.results],
            properties=dict(op.properties),
            attributes=dict(op.attributes),
            location=op.location,
        )
        if op in self.new_ops:
            self.new_ops.remove(op)
            op.erase()
        self.new_ops.append(made)
        return made

    def discard(self) -> None:
        """Take back everything; the use lists are as before."""
        for op in reversed(self.new_ops):
            op.erase(safe_erase=False)
        self.new_ops.clear()

    def _create(self, name: str, operands: Sequence[SSAValue], ref: Reference) -> Operation:
        op_class = self.classes.get(name)
        if op_class is None:
            raise _unknown_op(name, self.classes)
        op = op_class.create(
            operands=operands,
            result_types=[type_of(ref.spec)] * ref.outputs,
            attributes=dict(ref.attributes),
            location=ref.location or self.root.location,
        )
        self.new_ops.append(op)
        return self._with_own_types(op) if ref.outputs > 1 else op

    def _with_own_types(self, op: Operation) -> Operation:
        """Outputs of one op may differ: what its own rule says overrides the reference."""
        if not isinstance(op, NativeOp) or len(op.results) != op.RESULTS:
            return op
        op.verify_operands()
        types = [
            type_of(spec) if spec else result.type
            for spec, result in zip(op.infer(), op.results, strict=True)
        ]
        return self.like(op.results[0], lambda old: old.operands, types)

    def _is_placed(self) -> bool:
        result: OpResult = self.root.results[0]
        return Node(result).spec.place is not None


def checked_dim(dim: int) -> int:
    """A dim that a tensor can have; EvaluationError else."""
    if not 0 <= dim <= INT_MAX:
        raise EvaluationError(f"{dim} is no dim; a size below 0 wraps round")
    return int(dim)


def _unknown_op(name: str, classes: OpClasses) -> Exception:
    near = get_close_matches(name, classes, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else "no op of this name is declared"
    return fail(name, "the replacement builds an op that does not exist", hint)
