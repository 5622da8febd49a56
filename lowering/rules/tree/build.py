"""Building a replacement: detached ops whose types come from a reference output.

Graph ops are built by their inputs as rules write them: operands, then params as constants.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from xdsl.dialects.builtin import LocationAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import PropertyDef, VarResultDef

from ....dialects.diagnostics import did_you_mean, fail
from ....dialects.htp.base import NativeOp
from ....dialects.htp.ops.const import const, shape
from ....dialects.qti_aisw.base import GraphOp, bool_attr, float_attr, int_attr, ints_attr
from ....dialects.qti_aisw.choices import (
    BufferMode,
    BufferModeAttr,
    Direction,
    DirectionAttr,
    MaskMode,
    MaskModeAttr,
)
from ....dialects.qti_aisw.ops.const import const as graph_const
from ....dialects.spec_of import Array, spec_of, type_of
from ....dialects.text.constant import Constant
from ....dialects.value import FLAT_DDR, DType, Shape, TensorSpec
from ..graph.env import Env
from ..graph.graph import DEFAULT_PACKAGE, INT_MAX, TO, EvaluationError, origin, params_of, resolve

ABSENT_INPUT: SSAValue = const(np.zeros(1, np.int32), TensorSpec((1,), DType.Int32)).out
"""The value, outside of any graph, that represents an input that an op is built without."""


def graph_op(
    op_class: type[GraphOp], inputs: Sequence[SSAValue], types: Sequence[Attribute]
) -> GraphOp:
    """Return a new graph op by its inputs, operands first, and the types of its results.

    EvaluationError where an input is not a value of its param.
    """
    operands, params = _divided(op_class, inputs)
    definition = op_class.get_irdl_definition()
    if TO in definition.properties and isinstance(types[0], TensorType):
        params[TO] = types[0].get_element_type()
    variadic = any(isinstance(result, VarResultDef) for _, result in definition.results)
    results = [types] if variadic else types
    return op_class.build(operands=operands, result_types=results, properties=params)


def _divided(
    op_class: type[GraphOp], inputs: Sequence[SSAValue]
) -> tuple[Sequence[Sequence[SSAValue]], dict[str, Attribute]]:
    """Divide inputs into operands, by definition, and params; the last operands may be absent."""
    definition, names = op_class.get_irdl_definition(), params_of(op_class)
    count, most = len(inputs) - len(names), len(definition.operands)
    if not 0 <= count <= most:
        raise EvaluationError(
            f"{op_class.name} is given {len(inputs)} inputs, it takes {most} operands "
            f"and {len(names)} params"
        )
    if any(origin(value) is not None for value in inputs[:count]):
        raise EvaluationError(f"{op_class.name} is given a param where it takes a tensor")
    operands = [[] if value is ABSENT_INPUT else [value] for value in inputs[:count]]
    params = {
        name: _param(value, name, definition.properties[name])
        for name, value in zip(names, inputs[count:], strict=True)
        if value is not ABSENT_INPUT
    }
    return [*operands, *([] for _ in range(most - count))], params


def _param(value: SSAValue, name: str, declared: PropertyDef) -> Attribute:
    """Return a constant as a param of the declared type; EvaluationError where it is none."""
    owner = value.owner
    if not isinstance(owner, Constant):
        raise EvaluationError(f"param '{name}' is no constant")
    param = origin(value)
    forms = _forms(owner.array) if param is None else [param]
    fitting = (form for form in forms if declared.constr.verifies(form))
    param = next(fitting, None)
    if param is None:
        raise EvaluationError(f"param '{name}' is {owner.array.tolist()}, which is not of its type")
    return param


_CASES: Sequence[Sequence[Attribute]] = (
    [BufferModeAttr(mode) for mode in BufferMode],
    [DirectionAttr(way) for way in Direction],
    [MaskModeAttr(mode) for mode in MaskMode],
)
"""The attributes of params with named values, in the order of their numbers."""


def _forms(array: Array) -> Iterator[Attribute]:
    """Yield the params that the numbers of a constant may be."""
    numbers = [float(number) for number in array.flat]
    whole = [int(n) for n in numbers if n.is_integer() and abs(n) < 1 << 63]
    if len(whole) == len(numbers):
        yield ints_attr(whole)
    if len(numbers) == 1:
        yield from map(int_attr, whole)
        yield from (bool_attr(bool(number)) for number in whole if number in (0, 1))
        yield from (cases[n] for n in whole for cases in _CASES if 0 <= n < len(cases))
        yield float_attr(numbers[0])


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
