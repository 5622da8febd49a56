"""Refusals of ONNX's own tools, with the node at fault and the types of its inputs."""

import re
from collections.abc import Mapping
from math import prod

from onnx import GraphProto, ModelProto, NodeProto, TensorProto, TypeProto, defs, helper
from onnx.checker import ValidationError
from onnx.shape_inference import InferenceError, infer_node_outputs, infer_shapes
from onnx.version_converter import ConvertError

from .....dialects.diagnostics import HtpError, fail
from .nodes import op_of, opsets_of, where

TOOL_ERRORS = (
    *(InferenceError, ConvertError, RuntimeError, IndexError, ValueError, TypeError),
    *(MemoryError, ValidationError),
)
"""Exceptions that onnx's own tools raise on a model that is not sound."""

_OP = re.compile(r"op_type:(?P<op>\w+)")
"""The op of the node at fault in what shape inference says."""
_ASSERTION = re.compile(r"\S+\.(?:cc|h):\d+: \w+: Assertion `.*?` failed: ")
"""Place and code of a check of ONNX's own, in front of what it says."""
_MOST_NUMBERS = 1024
"""Elements of a constant that shape inference may read."""
_REMEDY = "the graph contradicts itself; export it again"


def one_line(error: Exception) -> str:
    """Return the beginning of what one of onnx's tools says."""
    return _ASSERTION.sub("", " ".join(str(error).split()))[:300]


def contradiction(model: ModelProto, said: str) -> HtpError:
    """Make the error of a model whose types contradict each other, as a tool said.

    It names the first node that refuses its inputs, or gives another result than the model states;
    else the only one of the op that the tool named, if there is one.
    """
    try:
        types = stated_types(infer_shapes(model).graph)
    except TOOL_ERRORS:
        types = stated_types(model.graph)
    data = {tensor.name: tensor for tensor in model.graph.initializer}
    data |= {
        node.output[0]: attribute.t
        for node in model.graph.node
        if op_of(node) == ("", "Constant")
        for attribute in node.attribute
        if attribute.name == "value"
    }
    for node in model.graph.node:
        if problem := _fault(node, model, types, data):
            return fail(where(node), problem, _REMEDY)
    named = _OP.search(said)
    nodes = [node for node in model.graph.node if named and node.op_type == named["op"]]
    if len(nodes) == 1:
        return fail(where(nodes[0]), said, _REMEDY)
    return fail("model", said, _REMEDY)


def stated_types(graph: GraphProto) -> dict[str, TypeProto]:
    """Return the types that a graph states for its values, those of initializers included."""
    tensors = {
        tensor.name: helper.make_tensor_type_proto(tensor.data_type, tensor.dims)
        for tensor in graph.initializer
    }
    return tensors | {v.name: v.type for v in (*graph.input, *graph.value_info, *graph.output)}


def _fault(
    node: NodeProto,
    model: ModelProto,
    types: Mapping[str, TypeProto],
    data: Mapping[str, TensorProto],
) -> str:
    """Return why a node does not take its inputs or contradicts its results; "" where neither."""
    domain, op = op_of(node)
    inputs = {name: types[name] for name in node.input if name in types}
    if len(inputs) != len({name for name in node.input if name}):
        return ""
    known = {name: data[name] for name in inputs if name in data and _is_small(data[name])}
    imports = [*model.opset_import]
    try:
        schema = defs.get_schema(op, opsets_of(model).get(domain, 1), domain)
        results = infer_node_outputs(schema, node, inputs, known, opset_imports=imports)
    except defs.SchemaError:
        return ""
    except TOOL_ERRORS as error:
        said = one_line(error).removeprefix("[ShapeInferenceError] ")
        return f"does not take {_reads(node, types)}: {said}"
    for name, result in results.items():
        if name in types and _differ(result, types[name]):
            stated = f"the model states {_text(types[name])}"
            return f"gives {name} ({_text(result)}) from {_reads(node, types)}; {stated}"
    return ""


def _is_small(tensor: TensorProto) -> bool:
    """Tell whether a tensor may say a shape, an axis or the like: it is short and in the model."""
    stored = tensor.data_location != TensorProto.EXTERNAL
    return stored and prod(tensor.dims) <= _MOST_NUMBERS


def _differ(one: TypeProto, other: TypeProto) -> bool:
    """Tell whether both are tensors of known shapes, of which no tensor has both."""
    if not all(each.tensor_type.HasField("shape") for each in (one, other)):
        return False
    dims = [
        [d.dim_value if d.HasField("dim_value") else None for d in each.tensor_type.shape.dim]
        for each in (one, other)
    ]
    pairs = zip(*dims, strict=False)
    return len(dims[0]) != len(dims[1]) or any(None not in p and p[0] != p[1] for p in pairs)


def _reads(node: NodeProto, types: Mapping[str, TypeProto]) -> str:
    """Return the inputs of a node with their types, as `x (2x3 float), w (3 int64)`."""
    return ", ".join(f"{name} ({_text(types[name])})" for name in node.input if name)


def _text(type_: TypeProto) -> str:
    """Return a tensor's shape and element type."""
    if not type_.HasField("tensor_type"):
        return "that is no tensor"
    tensor = type_.tensor_type
    if not tensor.HasField("shape"):
        dims = ["unknown shape"]
    else:
        dims = [f"{d.dim_value}" if d.HasField("dim_value") else "?" for d in tensor.shape.dim]
    known = tensor.elem_type in TensorProto.DataType.values()
    name = TensorProto.DataType.Name(tensor.elem_type) if known else f"{tensor.elem_type}"
    return f"{'x'.join(dims) or 'scalar'} {name.lower()}"
