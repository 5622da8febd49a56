"""Bodies that ONNX itself has for its ops. Source: onnx.defs, function bodies."""

from collections.abc import Mapping, Sequence
from typing import Protocol, cast

from onnx import FunctionProto, NodeProto, TypeProto, defs, helper
from onnx.defs import OpSchema

from ....importers.support.attributes import key_of
from ....importers.support.context import NodeFault
from ....importers.support.registry import OpKey, domain_of
from .body import BODY, Body, Scope


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
