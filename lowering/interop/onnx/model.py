"""A draft as a model: what its source states besides nodes, with the constants that are read."""

from collections.abc import Mapping, Sequence
from hashlib import blake2b

import numpy as np
from onnx import GraphProto, ModelProto, ValueInfoProto, helper, numpy_helper

from ....dialects.spec_of import Array
from ....dialects.value import TensorSpec
from ...frontend.onnx.blocks.functions import add_functions
from ...frontend.onnx.preparation.nodes import opsets_of
from ...frontend.onnx.reading.weights import copy_fields
from ...importers.support.attributes import nodes_inside
from .before import Before
from .draft import ELEMENTS, Draft, ModelTensor

_LARGE = 16
"""Elements from which on a new constant is looked for among the source's."""
Named = Sequence[tuple[str, TensorSpec]]


def model_of(draft: Draft, before: Before, inputs: Named, outputs: Named) -> ModelProto:
    """Return the model of a draft whose inputs and outputs have these names."""
    model, source = ModelProto(), before.model.graph
    copy_fields(before.model, model, "graph")
    copy_fields(source, model.graph, *_OWN)
    if "" not in opsets_of(model):
        model.opset_import.add(domain="", version=before.opset)
    model.graph.name = model.graph.name or "main"
    constants = draft.constants()
    _name_as_before([each for each in constants if each not in draft.encodings], before)
    model.graph.node.extend(draft.protos())
    for own, stated, named in (
        (model.graph.input, source.input, inputs),
        (model.graph.output, source.output, outputs),
    ):
        known = {value.name: value for value in stated}
        own.extend(_info(name, spec, known) for name, spec in named)
    read = {name for node in nodes_inside(model.graph.node) for name in node.input}
    _add_initializers(model.graph, before, read)
    same = {name for node in draft.nodes if node.kept for name in node.proto.output}
    same |= {tensor.name for tensor in model.graph.initializer}
    model.graph.value_info.extend(value for value in source.value_info if value.name in same)
    there = {tensor.name for tensor in model.graph.initializer}
    for name, data in {tensor.name: tensor.data for tensor in constants}.items():
        if name in read - there and data is not None:
            _add_initializer(model.graph, name, np.array(data))
    add_functions(model)
    return model


_OWN = ("node", "initializer", "input", "output", "value_info")
"""The fields of a graph that are written anew."""


def _info(name: str, spec: TensorSpec, known: Mapping[str, ValueInfoProto]) -> ValueInfoProto:
    """Return an input or output: that of the source where it is of the type."""
    element, stated = ELEMENTS[spec.dtype], known.get(name)
    if stated is not None and stated.type.tensor_type.elem_type == element:
        dims = stated.type.tensor_type.shape.dim
        sizes = [dim.dim_value if dim.HasField("dim_value") else None for dim in dims]
        pairs = zip(sizes, spec.shape, strict=False)
        if len(sizes) == spec.rank and all(size in (None, extent) for size, extent in pairs):
            return stated
    return helper.make_tensor_value_info(name, element, spec.shape)


def _add_initializers(graph: GraphProto, before: Before, read: set[str]) -> None:
    """Append those of the source that are read, or are an output, in its order."""
    wanted = read | {value.name for value in before.model.graph.output}
    for tensor in before.initializers.values():
        if tensor.name in wanted and tensor.name in before.weights:
            _add_initializer(graph, tensor.name, before.weights[tensor.name])
        elif tensor.name in wanted:
            graph.initializer.append(tensor)


def _add_initializer(graph: GraphProto, name: str, data: Array) -> None:
    """Append a tensor field by field: protobuf copies no whole message above 2 GiB."""
    fields = numpy_helper.from_array(data, name).ListFields()
    graph.initializer.add(**{field.name: value for field, value in fields})


def _name_as_before(constants: Sequence[ModelTensor], before: Before) -> None:
    """Give new constants that are initializers of the source their names, equal ones one name."""
    names: dict[object, str] = {}
    for name, tensor in before.initializers.items():
        if np.prod(tensor.dims) >= _LARGE:
            data = before.weights.get(name)
            names[_key(numpy_helper.to_array(tensor) if data is None else data)] = name
    for tensor in constants:
        if tensor.data is not None and tensor.data.size >= _LARGE and not tensor.name:
            tensor.name = names.setdefault(_key(tensor.data), "")


def _key(data: Array) -> object:
    """Return what is equal for equal data."""
    raw = np.ascontiguousarray(data).reshape(-1).view(np.uint8)
    return data.shape, data.dtype.str, blake2b(raw.data, digest_size=16).digest()
