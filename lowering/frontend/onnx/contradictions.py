"""Refusals of ONNX's own tools, told by the node at fault and the types of its inputs."""

from __future__ import annotations

from collections.abc import Mapping

from onnx import GraphProto, ModelProto, NodeProto, TensorProto, TypeProto, defs, helper
from onnx.checker import ValidationError
from onnx.shape_inference import InferenceError, infer_node_outputs, infer_shapes
from onnx.version_converter import ConvertError

from ....dialects.diagnostics import HtpError, fail
from .nodes import op_of, opsets_of, where

TOOL_ERRORS = (
    *(InferenceError, ConvertError, RuntimeError, IndexError, ValueError, TypeError),
    *(MemoryError, ValidationError),
)
"""Exceptions that onnx's own tools raise on a model that is not sound."""

_REMEDY = "the graph contradicts itself; export it again"


def one_line(error: Exception) -> str:
    """Return the beginning of what one of onnx's tools says."""
    return " ".join(str(error).split())[:300]


def contradiction(model: ModelProto, said: str) -> HtpError:
    """Make the error of a model whose types contradict each other, as a tool said.

    It names the first node that refuses the types of its inputs, if there is one.
    """
    try:
        types = stated_types(infer_shapes(model).graph)
    except TOOL_ERRORS:
        return fail("model", said, _REMEDY)
    for node in model.graph.node:
        problem = _refused(node, model, types)
        if problem:
            named = ", ".join(f"{name} ({_text(types[name])})" for name in node.input if name)
            return fail(where(node), f"does not take {named}: {problem}", _REMEDY)
    return fail("model", said, _REMEDY)


def stated_types(graph: GraphProto) -> dict[str, TypeProto]:
    """Return the types that a graph states for its values, those of initializers included."""
    tensors = {
        tensor.name: helper.make_tensor_type_proto(tensor.data_type, tensor.dims)
        for tensor in graph.initializer
    }
    return tensors | {v.name: v.type for v in (*graph.input, *graph.value_info, *graph.output)}


def _refused(node: NodeProto, model: ModelProto, types: Mapping[str, TypeProto]) -> str:
    """Return why a node does not take the types of its inputs; "" where it does."""
    domain, op = op_of(node)
    inputs = {name: types[name] for name in node.input if name in types}
    if len(inputs) != len({name for name in node.input if name}):
        return ""
    try:
        schema = defs.get_schema(op, opsets_of(model).get(domain, 1), domain)
        infer_node_outputs(schema, node, inputs, opset_imports=[*model.opset_import])
    except defs.SchemaError:
        return ""
    except TOOL_ERRORS as error:
        return one_line(error).removeprefix("[ShapeInferenceError] ")
    return ""


def _text(type_: TypeProto) -> str:
    """Return a tensor's shape and element type."""
    if not type_.HasField("tensor_type"):
        return "that is no tensor"
    tensor = type_.tensor_type
    dims = [f"{d.dim_value}" if d.HasField("dim_value") else "?" for d in tensor.shape.dim]
    known = tensor.elem_type in TensorProto.DataType.values()
    name = TensorProto.DataType.Name(tensor.elem_type) if known else f"{tensor.elem_type}"
    return f"{'x'.join(dims) or 'scalar'} {name.lower()}"
