"""Building a replacement: detached ops whose types come from a reference output."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects.dense import Array
from ....dialects.diagnostics import fail
from ....dialects.htp.base import NativeOp
from ....dialects.htp.ops.const import const, shape
from ....dialects.qti_aisw.base import GraphOp
from ....dialects.qti_aisw.ops.const import const as graph_const
from ....dialects.spec_of import spec_of, type_of
from ....dialects.suggestions import did_you_mean
from ....dialects.value import FLAT_DDR, Shape, TensorSpec
from ..graph.env import Env
from ..graph.names import DEFAULT_PACKAGE, resolve
from ..graph.types import INT_MAX, EvaluationError
from .graph_op import graph_op

OpClasses = Mapping[str, type[Operation]]
Attributes = tuple[tuple[str, Attribute], ...]


class NoChange(Exception):
    """The replacement has nothing to do."""


@dataclass(frozen=True)
class Reference:
    """The reference output of the next op: spec and number of outputs, location, attributes."""

    spec: TensorSpec
    outputs: int = 1
    location: LocationAttr | None = None
    attributes: Attributes = ()

    def bare(self) -> Reference:
        """Return the reference of the ops behind the inputs, which have the spec alone."""
        is_bare = self.outputs == 1 and self.location is None and not self.attributes
        return self if is_bare else Reference(self.spec)

    def resized(self, dim: int, size: int) -> Reference:
        """Change one dim."""
        dims = self.spec.shape
        if not 0 <= dim < len(dims):
            raise EvaluationError(f"dim {dim} of an output of rank {len(dims)}")
        return self.with_shape((*dims[:dim], checked_dim(size), *dims[dim + 1 :]))

    def with_shape(self, dims: Shape) -> Reference:
        """Change the shape."""
        return replace(self, spec=self.spec.with_shape(dims))

    def with_spec(self, spec: TensorSpec) -> Reference:
        """Change the spec, except for its place."""
        return replace(self, spec=spec.with_place(self.spec.place))

    def with_attribute(self, name: str, value: Attribute) -> Reference:
        """Add an attribute of the op."""
        return replace(self, attributes=(*self.attributes, (name, value)))


class Buildable(Protocol):
    """A part of a rule that makes a value of a replacement."""

    def build(self, builder: Builder, ref: Reference) -> SSAValue:
        """Return the value for a reference output."""


class Builder:
    """The ops of one replacement, detached from the graph until all are valid.

    `location` is theirs; without it, the root's is.
    """

    def __init__(
        self,
        env: Env,
        root: Operation,
        classes: OpClasses,
        location: LocationAttr | None = None,
    ) -> None:
        self.env = env
        self.root = root
        self.location = location or root.location
        self.classes = classes
        self.new_ops: list[Operation] = []
        self.further: list[tuple[SSAValue, SSAValue]] = []
        """Values of the match other than the root, each with the one that takes its place."""
        self._shared: dict[tuple[Buildable, Reference], SSAValue] = {}

    def shared(self, form: Buildable, ref: Reference) -> SSAValue:
        """Build a form, or return what an equal one has built for the same reference."""
        key = form, ref
        if key not in self._shared:
            self._shared[key] = form.build(self, ref)
        return self._shared[key]

    def op(self, name: str, operands: Sequence[SSAValue], ref: Reference) -> SSAValue:
        """Make an op by its name in the rule; return its first output."""
        return self._create(resolve(name, self.env.package), operands, ref).results[0]

    def native(self, name: str, operands: Sequence[SSAValue], ref: Reference) -> SSAValue:
        """Make an op of the default package; return its first output."""
        return self._create(f"{DEFAULT_PACKAGE}.{name}", operands, ref).results[0]

    def shape(self, dims: Iterable[int]) -> SSAValue:
        """Make a shape."""
        op = shape(tuple(map(checked_dim, dims)))
        op.location = self.location
        self.new_ops.append(op)
        return op.out

    def const(self, array: Array, spec: TensorSpec) -> SSAValue:
        """Make a constant of the root's level; flat in DDR where the graph is placed."""
        placed = spec_of(self.root.results[0]).place is not None
        make = graph_const if isinstance(self.root, GraphOp) else const
        op = make(array, spec.with_place(FLAT_DDR if placed else None))
        op.location = self.location
        self.new_ops.append(op)
        return op.out

    def like(
        self,
        value: SSAValue,
        operands: Callable[[Operation], Sequence[SSAValue]],
        types: Sequence[Attribute] | None = None,
    ) -> Operation:
        """Copy the op that makes `value` with other operands; a detached original is erased.

        EvaluationError for an input of the graph.
        """
        op = value.owner
        if not isinstance(op, Operation):
            raise EvaluationError("a graph input is no op to copy")
        copy = type(op).create(
            operands=operands(op),
            result_types=types or [result.type for result in op.results],
            properties=dict(op.properties),
            attributes=dict(op.attributes),
            location=op.location,
        )
        if op in self.new_ops:
            self.new_ops.remove(op)
            op.erase()
        self.new_ops.append(copy)
        return copy

    def discard(self) -> None:
        """Erase all new ops, and their uses."""
        for op in reversed(self.new_ops):
            op.erase(safe_erase=False)
        self.new_ops.clear()
        self.further.clear()

    def _create(self, name: str, operands: Sequence[SSAValue], ref: Reference) -> Operation:
        op_class = self.classes.get(name)
        if op_class is None:
            hint = did_you_mean(name, self.classes, "no op of this name is declared")
            raise fail(name, "the replacement builds an op that does not exist", hint)
        types = [type_of(ref.spec)] * ref.outputs
        if issubclass(op_class, GraphOp):
            op: Operation = self._graph_op(op_class, operands, types)
        else:
            op = op_class.create(operands=operands, result_types=types)
        if ref.attributes:
            op.attributes |= dict(ref.attributes)
        op.location = ref.location or self.location
        self.new_ops.append(op)
        return self._with_own_types(op) if ref.outputs > 1 else op

    def _graph_op(
        self, op_class: type[GraphOp], inputs: Sequence[SSAValue], types: Sequence[Attribute]
    ) -> GraphOp:
        """Make a graph op, whose last inputs become its params."""
        op = graph_op(op_class, inputs, types)
        # Constants that were made for params have done their work.
        new = [each for each in self.new_ops if each.results[0] in inputs]
        for constant in (each for each in new if not each.results[0].uses):
            self.new_ops.remove(constant)
            constant.erase()
        return op

    def _with_own_types(self, op: Operation) -> Operation:
        """Give the outputs of an op the types that its own `infer` says, where they differ."""
        if isinstance(op, NativeOp) and len(op.results) == op.RESULTS:
            op.verify_operands()
        elif not isinstance(op, GraphOp) or len(op.infer()) != len(op.results):
            return op
        types = [
            type_of(spec) if spec else result.type
            for spec, result in zip(op.infer(), op.results, strict=True)
        ]
        return self.like(op.results[0], lambda old: old.operands, types)


def checked_dim(dim: int) -> int:
    """Return the dim; EvaluationError where no tensor can have it."""
    if not 0 <= dim <= INT_MAX:
        raise EvaluationError(f"{dim} is no dim; a size below 0 wraps round")
    return int(dim)
