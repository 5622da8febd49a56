"""Bodies of ops on optionals, where it is known whether there is a value. Source: ONNX spec."""

from __future__ import annotations

from onnx import NodeProto, TensorProto

from ..support.faults import NodeFault, UnknownInput
from .body import Body, Scope, key_of
from .builder import FunctionBuilder


def wrap(node: NodeProto, scope: Scope) -> Body:
    """Optional: nothing is to be done, its users read it."""
    if key_of(node) in {value.name for value in scope.graph.output}:
        raise NodeFault("an optional is an output of the model", "return its tensor")
    raise UnknownInput


def has_element(node: NodeProto, scope: Scope) -> Body:
    """OptionalHasElement: a constant."""
    builder = FunctionBuilder(node, scope)
    there = builder.integer(_element(node, scope) is not None)
    return builder.body([there.cast(TensorProto.BOOL)])


def get_element(node: NodeProto, scope: Scope) -> Body:
    """OptionalGetElement: the tensor itself."""
    builder, element = FunctionBuilder(node, scope), _element(node, scope)
    if element is None:
        raise NodeFault("its optional holds nothing", "take it out")
    return builder.body([builder.outer(element)])


def _element(node: NodeProto, scope: Scope) -> str | None:
    """Return the tensor of an optional, None where there is none.

    UnknownInput where nothing is known of it, or it is an input, which has a fault of its own.
    """
    name = next(iter(node.input), "")
    if not name or name in scope.constants:
        return name or None
    maker = scope.makers.get(name)
    if maker is not None and maker.op_type == "Optional":
        return _element(maker, scope)
    type_ = scope.types.get(name)
    if type_ is not None and type_.HasField("tensor_type"):
        return name
    if type_ is None or maker is None:
        raise UnknownInput
    raise NodeFault(f"its optional '{name}' is not known", "export it for one of the cases")
