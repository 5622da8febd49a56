"""Weights stand aside while ONNX's own tools work on a model, which copy it at every step.

In their place the model has initializers of their types and shapes without data, as if it were in
another file. Arrays of a file are views of its pages: nothing is read before it is needed.
"""

from collections.abc import Iterator, Sequence
from math import prod

from onnx import (
    AttributeProto,
    GraphProto,
    ModelProto,
    NodeProto,
    TensorProto,
    helper,
    numpy_helper,
)

from .....dialects.diagnostics import Fault, HtpError, fail
from .....dialects.spec_of import Array
from ..preparation.nodes import op_of, where
from ..preparation.sizes import MAX_SHAPE

_Message = ModelProto | GraphProto
Weights = dict[str, Array]
"""The data of initializers by name; the import drops each as soon as it has no more reader."""

LEAST = 1024
"""Elements from which on data stand aside; a shape, or what one follows from, has fewer."""

_INITIALIZERS_ALONE = 4
"""The version of the format from which on an initializer need not be an input too."""

_INTEGERS = (TensorProto.INT64, TensorProto.INT32)


def is_weight(tensor: TensorProto) -> bool:
    """Tell whether the data of a tensor may stand aside: no shape can follow from them."""
    vector = len(tensor.dims) <= 1 and tensor.data_type in _INTEGERS
    size: int = prod(tensor.dims)
    return size >= (MAX_SHAPE if vector else LEAST)


def without_data(name: str, element: int, dims: Sequence[int]) -> TensorProto:
    """Return an initializer whose data stand aside."""
    tensor = TensorProto(name=name, data_type=element, dims=dims)
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value=name)
    return tensor


def stated(array: Array, name: str) -> TensorProto:
    """Return an initializer of an array, without the data of a weight."""
    element = helper.np_dtype_to_tensor_dtype(array.dtype)
    light = without_data(name, element, array.shape)
    return light if is_weight(light) else numpy_helper.from_array(array, name)


def set_aside(model: ModelProto, weights: Weights) -> ModelProto:
    """Copy a model without the data of its weights, which join those that stand aside already.

    A Constant of a weight becomes an initializer. Raises HtpError where data do not fit their type.
    """
    light, faults = _shell(model), list[Fault]()
    light.ir_version = max(light.ir_version, _INITIALIZERS_ALONE)
    for named, name, tensor in _tensors(model.graph):
        if name in weights or not is_weight(tensor):
            light.graph.initializer.append(tensor)
            continue
        try:
            weights[name] = array_of(tensor, named)
        except HtpError as error:
            faults += error.faults
        light.graph.initializer.append(without_data(name, tensor.data_type, tensor.dims))
    if faults:
        raise HtpError(*faults)
    return light


def _tensors(graph: GraphProto) -> Iterator[tuple[str, str, TensorProto]]:
    """Yield the initializers, and the weights that nodes make, with their names in messages."""
    for tensor in graph.initializer:
        yield f"initializer '{tensor.name}'", tensor.name, tensor
    for node in graph.node:
        if _makes_weight(node):
            yield where(node), node.output[0], node.attribute[0].t


def _makes_weight(node: NodeProto) -> bool:
    if op_of(node) != ("", "Constant") or len(node.attribute) != 1 or len(node.output) != 1:
        return False
    (attribute,) = node.attribute
    return attribute.type == AttributeProto.TENSOR and is_weight(attribute.t)


def array_of(tensor: TensorProto, named: str) -> Array:
    """Return the data of a tensor; HtpError where they do not fit its type."""
    try:
        return numpy_helper.to_array(tensor)
    except (ValueError, TypeError, KeyError) as error:
        problem = f"its data does not fit its type: {error}"
        raise fail(named, problem, "export the model again") from error


def _shell(model: ModelProto) -> ModelProto:
    """Copy a model without its initializers and the nodes that make weights."""
    light = ModelProto()
    copy_fields(model, light, "graph")
    light.graph.SetInParent()
    copy_fields(model.graph, light.graph, "initializer", "node")
    light.graph.node.extend(node for node in model.graph.node if not _makes_weight(node))
    return light


def copy_fields(source: _Message, target: _Message, *but: str) -> None:
    """Copy what a message states, but for some of its fields."""
    for field, value in source.ListFields():
        if field.name in but:
            continue
        if isinstance(value, int | float | str | bytes):
            setattr(target, field.name, value)
        else:
            getattr(target, field.name).MergeFrom(value)
