"""External data: the tensors of a model that have some, and the reading of it."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from pathlib import Path, PurePosixPath

from onnx import AttributeProto, GraphProto, ModelProto, SparseTensorProto, TensorProto, helper

from ....dialects.value.limits import MAX_TENSOR_BYTES
from .subgraphs import graphs_of, nodes_inside

_NOT_READ = {"UNDEFINED", "STRING"}
"""Element types without a number of bits."""

_BITS = {
    **{"INT4": 4, "UINT4": 4, "FLOAT4E2M1": 4, "INT2": 2, "UINT2": 2},
    **dict.fromkeys(("FLOAT6E2M3", "FLOAT6E3M2"), 6),
}
"""Bits of one element, of types that are packed in less than a byte."""


def external_tensors(model: ModelProto) -> list[TensorProto]:
    """Return every tensor of a model, functions and subgraphs included, with data elsewhere."""
    nodes = [*model.graph.node, *(node for body in model.functions for node in body.node)]
    attributes = [attribute for node in nodes_inside(nodes) for attribute in node.attribute]
    graphs = [model.graph, *(graph for each in attributes for graph in graphs_of(each))]
    tensors = [tensor for graph in graphs for tensor in _initializers(graph)]
    tensors += [tensor for attribute in attributes for tensor in _tensors(attribute)]
    return [tensor for tensor in tensors if tensor.data_location == TensorProto.EXTERNAL]


def _initializers(graph: GraphProto) -> Iterator[TensorProto]:
    yield from graph.initializer
    for sparse in graph.sparse_initializer:
        yield from _parts(sparse)


def _tensors(attribute: AttributeProto) -> Iterator[TensorProto]:
    yield from [attribute.t] if attribute.HasField("t") else []
    yield from attribute.tensors
    for sparse in (attribute.sparse_tensor, *attribute.sparse_tensors):
        yield from _parts(sparse)


def _parts(sparse: SparseTensorProto) -> tuple[TensorProto, TensorProto]:
    return sparse.values, sparse.indices


def load_external(tensor: TensorProto, folder: Path) -> str:
    """Move external data into the tensor; what is wrong with it, or nothing.

    Just the bytes that the tensor's type asks for are read, and those are bounded.
    """
    entries = {entry.key: entry.value for entry in tensor.external_data}
    location = entries.get("location", "")
    named = f"external data '{location}'"
    wanted = _bytes(tensor)
    if isinstance(wanted, str):
        return wanted
    path = _inside(folder, location)
    if path is None:
        return f"{named} is not inside the model's folder"
    try:
        offset, length = int(entries.get("offset", 0)), int(entries.get("length", wanted))
        if length != wanted:
            return f"{named} has {length} bytes, its type takes {wanted}"
        if path.exists() and not path.is_file():
            return f"{named} is no file"
        if offset < 0 or offset + wanted > path.stat().st_size:
            return f"{named} ends before the tensor does"
        with path.open("rb") as file:
            file.seek(offset)
            tensor.raw_data = file.read(wanted)
    except (OSError, ValueError) as error:
        return f"{named} cannot be read: {error}"
    tensor.data_location = TensorProto.DEFAULT
    del tensor.external_data[:]
    return ""


def _bytes(tensor: TensorProto) -> int | str:
    """Return the bytes that a tensor's type takes, or what is wrong with the type."""
    kind = tensor.data_type
    name = TensorProto.DataType.Name(kind) if kind in TensorProto.DataType.values() else ""
    if not name or name in _NOT_READ:
        return f"external data cannot be of element type {name or kind}"
    if any(dim < 0 for dim in tensor.dims):
        return f"has the dims {list(tensor.dims)}"
    bits = _BITS.get(name) or 8 * helper.tensor_dtype_to_np_dtype(kind).itemsize
    count: int = -(-prod(tensor.dims) * bits // 8)
    if count > MAX_TENSOR_BYTES:
        return f"takes {count} bytes, at most {MAX_TENSOR_BYTES} can be addressed"
    return count


def _inside(folder: Path, location: str) -> Path | None:
    """Return the file, or None if it is absolute or leads out of the folder, by a link too."""
    parts = PurePosixPath(location.replace("\\", "/"))
    if not location or parts.is_absolute() or ".." in parts.parts or ":" in location:
        return None
    path = (folder / parts).resolve()
    return path if path.is_relative_to(folder.resolve()) else None
