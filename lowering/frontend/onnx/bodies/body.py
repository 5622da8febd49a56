"""A body: the functions that a node calls in place of its op until they are inlined; a builder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, cast

import numpy as np
from onnx import (
    AttributeProto,
    FunctionProto,
    GraphProto,
    NodeProto,
    TensorProto,
    TypeProto,
    defs,
    helper,
    numpy_helper,
)
from onnx.defs import OpSchema

from .....dialects.spec_of import Array
from ....importers.support.attributes import key_of
from ....importers.support.registry import MAKE_CONSTANT, NodeFault, OpKey, UnknownInput, domain_of
from ....importers.support.types import shape_of_onnx

BODY, STEP = "htp.body", "htp.step"
"""The domains of the functions that represent nodes, and of those that bodies call in turn."""


MAX_NODES = 50_000
"""Nodes of a model with all bodies in place; the import takes about half a minute for them."""


@dataclass(frozen=True)
class Scope:
    """A graph with its opsets by domain, and what is known of its values."""

    graph: GraphProto
    opsets: Mapping[str, int]
    constants: Mapping[str, Array]
    types: Mapping[str, TypeProto]
    makers: Mapping[str, NodeProto]

    def shape(self, name: str) -> tuple[int, ...]:
        """Return the shape of a tensor; UnknownInput where it is not static, or no tensor."""
        if name in self.constants:
            return tuple(self.constants[name].shape)
        shape = shape_of_onnx(self.types.get(name, TypeProto()))
        if shape is None:
            raise UnknownInput
        return shape

    def integers(self, node: NodeProto, index: int, named: str) -> list[int] | None:
        """Return a constant input, None where it is left out; NodeFault where it is computed."""
        if index >= len(node.input) or not node.input[index]:
            return None
        name = node.input[index]
        if name not in self.constants:
            self.shape(name)
            raise NodeFault(f"its {named} '{name}' is not constant", MAKE_CONSTANT)
        array = self.constants[name]
        if array.dtype.kind not in "biu":
            raise NodeFault(f"its {named} '{name}' is {array.dtype}", "it must be whole numbers")
        return [int(number) for number in array.reshape(-1)]

    def integer(self, node: NodeProto, index: int, named: str) -> int | None:
        """Return a constant input of one number, None where it is left out."""
        numbers = self.integers(node, index, named)
        if numbers is not None and len(numbers) != 1:
            raise NodeFault(f"its {named} has {len(numbers)} numbers", "it must have one")
        return numbers[0] if numbers else None


@dataclass(frozen=True)
class Body:
    """A function, the inputs of its call, its attributes, and the functions that it calls."""

    function: FunctionProto
    inputs: Sequence[str]
    attributes: Sequence[AttributeProto] = ()
    steps: Sequence[FunctionProto] = ()


Attribute = int | float | str | Sequence[int] | Sequence[float] | TensorProto


def _binary(op: str) -> Callable[[Inner, Inner | float], Inner]:
    return lambda x, y: x.op(op, y)


@dataclass(frozen=True, eq=False)
class Inner:
    """A value inside a body, and the builder of the nodes that read it; a number takes its type."""

    name: str
    builder: FunctionBuilder

    def op(self, op: str, *others: Inner | float | None, **attributes: Attribute) -> Inner:
        """Add a node whose first input this is."""
        (result,) = self.ops(op, 1, *others, **attributes)
        return result

    def ops(
        self, op: str, count: int, *others: Inner | float | None, **attributes: Attribute
    ) -> list[Inner]:
        """Add a node of several outputs."""
        operands = (self.number(o) if isinstance(o, int | float) else o for o in others)
        return self.builder.emit(op, [self, *operands], count, attributes)

    def number(self, number: float) -> Inner:
        """Add a constant of one number, of the element type of this value."""
        return self.builder.const(np.asarray(number, np.float32)).op("CastLike", self)

    __add__, __sub__, __mul__ = _binary("Add"), _binary("Sub"), _binary("Mul")
    __and__, __lt__, __le__ = _binary("And"), _binary("Less"), _binary("LessOrEqual")
    __gt__, __ge__ = _binary("Greater"), _binary("GreaterOrEqual")

    def plus(self, term: Inner | None) -> Inner:
        """Return a sum; the value itself where the term is left out."""
        return self if term is None else self + term

    def cast(self, to: int) -> Inner:
        """Return the value in an element type of ONNX."""
        return self.op("Cast", to=to)

    def reshape(self, *dims: int) -> Inner:
        """Return the value under another shape, as Reshape says it."""
        return self.op("Reshape", self.builder.integers(*dims))

    def transpose(self, *order: int) -> Inner:
        """Return the value with its dims in another order."""
        return self.op("Transpose", perm=order)

    def parts(self, sizes: Sequence[int], axis: int, *, keep: bool) -> list[Inner]:
        """Cut the value along an axis, which parts of size 1 lose unless it is kept."""
        parts = self.ops("Split", len(sizes), self.builder.integers(*sizes), axis=axis)
        axes = None if keep else self.builder.integers(axis)
        return parts if keep else [part.op("Squeeze", axes) for part in parts]


def joined(parts: Sequence[Inner], axis: int, *, new: bool = False) -> Inner:
    """Join values along an axis, a new one if so said."""
    if new:
        axes = parts[0].builder.integers(axis)
        parts = [part.op("Unsqueeze", axes) for part in parts]
    return parts[0].op("Concat", *parts[1:], axis=axis)


class FunctionBuilder:
    """A function under construction for one node; its own names cannot clash with the model's."""

    def __init__(self, node: NodeProto, scope: Scope) -> None:
        self.node = node
        self.scope = scope
        self.nodes: list[NodeProto] = []
        self._formals: dict[str, str] = {}

    def outer(self, name: str) -> Inner:
        """Return a value of the graph, as it is named inside."""
        return Inner(self._formals.setdefault(name, f"in.{len(self._formals)}"), self)

    def emit(
        self,
        op: str,
        inputs: Sequence[Inner | None],
        count: int,
        attributes: Mapping[str, Attribute],
        domain: str = "",
    ) -> list[Inner]:
        """Add a node; return its outputs."""
        names = [f"value.{len(self.nodes)}.{index}" for index in range(count)]
        operands = ["" if each is None else each.name for each in inputs]
        node = helper.make_node(op, operands, names, domain=domain)
        node.attribute.extend(helper.make_attribute(*item) for item in attributes.items())
        self.nodes.append(node)
        return [Inner(name, self) for name in names]

    def const(self, array: Array) -> Inner:
        """Add a constant of the array's own type."""
        tensor = numpy_helper.from_array(np.asarray(array))
        return self.emit("Constant", [], 1, {"value": tensor})[0]

    def integers(self, *numbers: int) -> Inner:
        """Add a constant of int64 numbers."""
        return self.emit("Constant", [], 1, {"value_ints": numbers})[0]

    def integer(self, number: int) -> Inner:
        """Add a constant of one int64 number without dims."""
        return self.emit("Constant", [], 1, {"value_int": number})[0]

    def body(self, results: Sequence[Inner], steps: Sequence[FunctionProto] = ()) -> Body:
        """Return the body whose outputs are these values."""
        outputs = [f"out.{index}" for index in range(len(self.node.output))]
        for result, output in zip(results, outputs, strict=False):
            self.nodes.append(helper.make_node("Identity", [result.name], [output]))
        function = helper.make_function(
            BODY, key_of(self.node), [*self._formals.values()], outputs, self.nodes, []
        )
        return Body(function, [*self._formals], steps=steps)


class _Schema(Protocol):
    """The part of onnx's schemas that concerns bodies, which their type stubs leave out."""

    attributes: Mapping[str, OpSchema.Attribute]
    has_function: bool
    has_context_dependent_function: bool
    function_opset_versions: Sequence[int]
    context_dependent_function_opset_versions: Sequence[int]

    def get_function_with_opset_version(self, version: int, /) -> bytes: ...

    def get_context_dependent_function_with_opset_version(
        self, version: int, node: bytes, types: Sequence[bytes], /
    ) -> bytes: ...


def has_schema_body(op: OpKey, version: int) -> bool:
    """Tell whether ONNX has a function body for an op."""
    schema = _schema(op, version)
    return schema is not None and (schema.has_function or schema.has_context_dependent_function)


def schema_body(node: NodeProto, scope: Scope) -> Body:
    """Return the body that ONNX has for a node, whose inputs must be static."""
    domain = domain_of(node.domain)
    schema = _schema((domain, node.op_type), scope.opsets[domain])
    if schema is None:
        raise NodeFault("ONNX has no such op", "export the model again")
    function = FunctionProto.FromString(_serialized(schema, node, scope))
    if not function.node:
        raise NodeFault("ONNX has no body for its types and attributes", "express it in other ops")
    function.domain, function.name = BODY, key_of(node)
    return Body(function, node.input, [a for a in node.attribute if a.name in function.attribute])


def write_defaults(node: NodeProto, version: int) -> None:
    """Write out the attributes that a node leaves to their defaults, as its body reads them."""
    schema = _schema((domain_of(node.domain), node.op_type), version)
    stated = {attribute.name for attribute in node.attribute}
    for name, declared in schema.attributes.items() if schema else ():
        if name not in stated and declared.default_value.type:
            node.attribute.append(declared.default_value)


def _serialized(schema: _Schema, node: NodeProto, scope: Scope) -> bytes:
    """Return the body in the newest opset that is not newer than the model's."""
    newest = scope.opsets[domain_of(node.domain)]
    types = [_type(name, scope).SerializeToString() for name in node.input]
    versions = [v for v in schema.function_opset_versions if v <= newest]
    if versions:
        return schema.get_function_with_opset_version(max(versions))
    versions = [v for v in schema.context_dependent_function_opset_versions if v <= newest]
    if not versions:
        raise NodeFault(f"ONNX has no body for it in opset {newest}", "export with a newer opset")
    serialized = node.SerializeToString()
    build = schema.get_context_dependent_function_with_opset_version
    return build(max(versions), serialized, types)


def _type(name: str, scope: Scope) -> TypeProto:
    if not name:
        return TypeProto()
    if name in scope.constants:
        array = scope.constants[name]
        return helper.make_tensor_type_proto(
            helper.np_dtype_to_tensor_dtype(array.dtype), array.shape
        )
    type_ = scope.types.get(name, TypeProto())
    if not type_.HasField("sequence_type"):
        scope.shape(name)
    return type_


def _schema(op: OpKey, version: int) -> _Schema | None:
    try:
        return cast("_Schema", defs.get_schema(op[1], version, op[0]))
    except defs.SchemaError:
        return None
