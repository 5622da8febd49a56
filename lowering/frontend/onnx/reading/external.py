"""External data: the tensors of a model that have some, and the reading of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from pathlib import Path, PurePosixPath

import numpy as np
from onnx import AttributeProto, ModelProto, SparseTensorProto, TensorProto, helper, numpy_helper

from .....dialects.dense import Array
from .....dialects.value.limits import MAX_TENSOR_BYTES
from ....importers.support.attributes import graphs_of, nodes_inside

_NOT_READ = {"UNDEFINED", "STRING"}
"""Element types without a number of bits."""

_BITS = {
    **{"INT4": 4, "UINT4": 4, "FLOAT4E2M1": 4, "INT2": 2, "UINT2": 2},
    **dict.fromkeys(("FLOAT6E2M3", "FLOAT6E3M2"), 6),
}
"""Bits of one element, of types that are packed in less than a byte."""

_LEAST_MAPPED = 2**16
"""Bytes from which on data are mapped; a process may have some 65,000 mappings."""


def external_initializers(model: ModelProto) -> list[TensorProto]:
    """Return the initializers of a model with data elsewhere."""
    return [*filter(_is_external, model.graph.initializer)]


def external_tensors(model: ModelProto) -> list[TensorProto]:
    """Return the other tensors with data elsewhere, those of functions and subgraphs included."""
    nodes = [*model.graph.node, *(node for body in model.functions for node in body.node)]
    attributes = [attribute for node in nodes_inside(nodes) for attribute in node.attribute]
    graphs = [graph for each in attributes for graph in graphs_of(each)]
    tensors = [tensor for graph in graphs for tensor in graph.initializer]
    sparse = [each for graph in (model.graph, *graphs) for each in graph.sparse_initializer]
    tensors += [part for each in sparse for part in _parts(each)]
    tensors += [tensor for attribute in attributes for tensor in _tensors(attribute)]
    return [*filter(_is_external, tensors)]


def _is_external(tensor: TensorProto) -> bool:
    return tensor.data_location == TensorProto.EXTERNAL


def _tensors(attribute: AttributeProto) -> Iterator[TensorProto]:
    yield from [attribute.t] if attribute.HasField("t") else []
    yield from attribute.tensors
    for sparse in (attribute.sparse_tensor, *attribute.sparse_tensors):
        yield from _parts(sparse)


def _parts(sparse: SparseTensorProto) -> tuple[TensorProto, TensorProto]:
    return sparse.values, sparse.indices


@dataclass(frozen=True)
class DataPlace:
    """The place of a tensor's data: a file, and where in it they begin."""

    path: Path
    offset: int
    size: int

    def read(self) -> bytes:
        """Return the data."""
        with self.path.open("rb") as file:
            file.seek(self.offset)
            return file.read(self.size)

    def view(self, tensor: TensorProto) -> Array:
        """Return the data as the tensor's type says, large ones as a view of the file's pages."""
        dtype, shape = helper.tensor_dtype_to_np_dtype(tensor.data_type), (*tensor.dims,)
        if self.size != prod(shape) * dtype.itemsize:
            packed = TensorProto(data_type=tensor.data_type, dims=shape, raw_data=self.read())
            return numpy_helper.to_array(packed)
        if self.size < _LEAST_MAPPED:
            return np.frombuffer(self.read(), dtype).reshape(shape)
        return np.asarray(np.memmap(self.path, dtype, "r", self.offset, shape))


def place_of(tensor: TensorProto, folder: Path) -> DataPlace | str:
    """Return where a tensor's external data lie, or what is wrong with them.

    They are exactly the bytes that the tensor's type asks for, and those are bounded.
    """
    entries = {entry.key: entry.value for entry in tensor.external_data}
    location = entries.get("location", "")
    named = f"external data '{location}'"
    wanted = bytes_of(tensor)
    if isinstance(wanted, str):
        return wanted
    try:
        path = _inside(folder, location)
        if path is None:
            return f"{named} is not inside the model's folder"
        offset, length = int(entries.get("offset", 0)), int(entries.get("length", wanted))
        if length != wanted:
            return f"{named} has {length} bytes, its type takes {wanted}"
        if path.exists() and not path.is_file():
            return f"{named} is no file"
        if offset < 0 or offset + wanted > path.stat().st_size:
            return f"{named} ends before the tensor does"
    except (OSError, ValueError) as error:
        return f"{named} cannot be read: {error}"
    return DataPlace(path, offset, wanted)


def bytes_of(tensor: TensorProto) -> int | str:
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
    """Return the file, or None if it is absolute or leads out of the folder, by a link too.

    Raises OSError where a link leads back to itself, and ValueError for what is not a name.
    """
    parts = PurePosixPath(location.replace("\\", "/"))
    if not location or parts.is_absolute() or ".." in parts.parts or ":" in location:
        return None
    try:
        path = (folder / parts).resolve()
    except RuntimeError as error:
        raise OSError(str(error)) from error
    return path if path.is_relative_to(folder.resolve()) else None
