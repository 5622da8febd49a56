"""From a file to a model and its weights, which are read from the model's own folder alone.

The data of large initializers is found in the bytes of a file, and not copied, by one walk over
protobuf's wire format, in O(fields). A message is a row of fields: a varint of number * 8 + kind,
then a varint (kind 0), 8 bytes (1), a length and as many bytes (2), or 4 bytes (5). So `3a 04 | 2a
02 | 4a 00` is graph { initializer { raw_data: "" } }. Tensors may have external data, in files
beside the model. Source: protobuf encoding guide; field numbers of onnx.proto.
"""

import mmap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path, PurePosixPath

import numpy as np
from onnx import AttributeProto, ModelProto, SparseTensorProto, TensorProto, helper, numpy_helper

from .....dialects.diagnostics import Fault, HtpError, fail
from .....dialects.spec_of import Array
from .....dialects.value.limits import MAX_TENSOR_BYTES
from ....importers.support.attributes import graphs_of, nodes_inside
from .weights import Weights, is_weight, without_data

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


_GRAPH, _INITIALIZER, _RAW_DATA = 7, 5, 9
_FIXED = {1: 8, 5: 4}
_BYTES = 2

Span = tuple[int, int]
"""Begin and end in the bytes of a file."""


@dataclass(frozen=True)
class SplitModel:
    """The bytes of a model without large data, and for each initializer where its data lie."""

    model: bytes
    data: Sequence[Span | None]


@dataclass(frozen=True)
class _Field:
    number: int
    kind: int
    begin: int
    content: int
    end: int

    def is_message(self, number: int) -> bool:
        return self.number == number and self.kind == _BYTES


def split(data: memoryview, least: int) -> SplitModel:
    """Take the data of initializers with `least` bytes and more out of a model file.

    Raises ValueError where the bytes are not a protobuf message.
    """
    pieces: list[bytes] = []
    spans: list[Span | None] = []
    for field in _fields(data, 0, len(data)):
        if not field.is_message(_GRAPH):
            pieces.append(data[field.begin : field.end].tobytes())
            continue
        parts = []
        for inner in _fields(data, field.content, field.end):
            if not inner.is_message(_INITIALIZER):
                parts.append(data[inner.begin : inner.end].tobytes())
                continue
            tensor, span = _tensor(data, inner, least)
            parts.append(_message(_INITIALIZER, tensor))
            spans.append(span)
        pieces.append(_message(_GRAPH, b"".join(parts)))
    return SplitModel(b"".join(pieces), spans)


def _tensor(data: memoryview, tensor: _Field, least: int) -> tuple[bytes, Span | None]:
    """Return the bytes of an initializer without large data, and where these lie."""
    if tensor.end - tensor.content < least:
        return data[tensor.content : tensor.end].tobytes(), None
    fields = [*_fields(data, tensor.content, tensor.end)]
    raw = [field for field in fields if field.is_message(_RAW_DATA)]
    if len(raw) != 1 or raw[0].end - raw[0].content < least:
        return data[tensor.content : tensor.end].tobytes(), None
    rest = (data[field.begin : field.end] for field in fields if field is not raw[0])
    return b"".join(rest), (raw[0].content, raw[0].end)


def _fields(data: memoryview, begin: int, end: int) -> Iterator[_Field]:
    """Yield the fields of a message; ValueError where they do not fill it."""
    while begin < end:
        key, content = _varint(data, begin, end)
        number, kind = key >> 3, key & 7
        if kind == 0:
            _, after = _varint(data, content, end)
        elif kind == _BYTES:
            length, content = _varint(data, content, end)
            after = content + length
        elif kind in _FIXED:
            after = content + _FIXED[kind]
        else:
            raise ValueError(f"a field of kind {kind}")
        if after > end:
            raise ValueError("a field ends behind its message")
        yield _Field(number, kind, begin, content, after)
        begin = after


def _varint(data: memoryview, begin: int, end: int) -> tuple[int, int]:
    """Return a number, seven bits a byte from the lowest, and where it ends."""
    number = 0
    for place in range(begin, min(begin + 10, end)):
        number |= (data[place] & 0x7F) << (7 * (place - begin))
        if data[place] < 0x80:
            return number, place + 1
    raise ValueError("a number that does not end")


def _message(number: int, content: bytes) -> bytes:
    """Return a field that holds a message."""
    return _number(number << 3 | _BYTES) + _number(len(content)) + content


def _number(number: int) -> bytes:
    groups = [number >> shift & 0x7F for shift in range(0, max(number.bit_length(), 1), 7)]
    return bytes([*(group | 0x80 for group in groups[:-1]), groups[-1]])


_LIMIT = 2**31 - 1
"""Protobuf refuses messages of 2 GB and more."""

_LEAST = 2**12
"""Bytes from which on data are not parsed with the model."""


def read_model(path: Path) -> tuple[ModelProto, Weights]:
    """Read a model, and apart from it its weights by name; HtpError for a part of one."""
    divided = _divided(path)
    model = parse_model(divided.model, str(path))
    try:
        weights = _restored(model, divided.data, path)
        faults = [*_from_outside(model, weights, path)]
    except OSError as error:
        raise _unreadable(path, error) from error
    if faults:
        raise HtpError(*faults)
    return model, weights


def parse_model(data: bytes, where: str) -> ModelProto:
    """Return the model in these bytes; HtpError where they are empty, cut off or something else."""
    if not data:
        raise fail(where, "is empty", "export the model again")
    model = ModelProto()
    try:
        model.ParseFromString(data)
    except Exception as error:
        # What it raises on bad bytes differs between protobuf's backends.
        raise fail(where, "is no ONNX model, or only a part of one", "export it again") from error
    missing = [name for name in ("ir_version", "graph") if not model.HasField(name)]
    missing += [] if model.opset_import else ["opset_import"]
    if missing:
        raise fail(where, f"is no whole ONNX model: no {', '.join(missing)}", "export it again")
    return model


def _divided(path: Path) -> SplitModel:
    """Return the bytes of a file without large data; all of them where that cannot be done."""
    try:
        size = path.stat().st_size
        if size > _LIMIT:
            raise fail(str(path), "is larger than 2 GB", "store the weights as external data")
        with path.open("rb") as file:
            if size < _LEAST:
                return SplitModel(file.read(), ())
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            with mapped, memoryview(mapped) as data:
                try:
                    return split(data, _LEAST)
                except ValueError:
                    return SplitModel(data.tobytes(), ())
    except OSError as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: OSError) -> HtpError:
    return fail(str(path), error.strerror or str(error), "give a readable file")


def _restored(model: ModelProto, spans: Sequence[Span | None], path: Path) -> Weights:
    """Return the weights of a file; other data that were not parsed go into their tensors."""
    weights: Weights = {}
    for tensor, span in zip(model.graph.initializer, spans, strict=False):
        if span is None:
            continue
        place = DataPlace(path, span[0], span[1] - span[0])
        plain = tensor.data_location == TensorProto.DEFAULT
        if plain and is_weight(tensor) and bytes_of(tensor) == place.size:
            weights[tensor.name] = place.view(tensor)
            tensor.CopyFrom(without_data(tensor.name, tensor.data_type, tensor.dims))
        else:
            tensor.raw_data = place.read()
    return weights


def _from_outside(model: ModelProto, weights: Weights, path: Path) -> Iterator[Fault]:
    """Take in what lies in other files, weights as views; yield the faults."""
    for tensor in external_initializers(model):
        if tensor.name in weights:
            continue
        place = place_of(tensor, path.parent)
        if isinstance(place, str):
            yield _fault(tensor, place, path)
        elif is_weight(tensor):
            weights[tensor.name] = place.view(tensor)
        else:
            _fill(tensor, place)
    for tensor in external_tensors(model):
        place = place_of(tensor, path.parent)
        if isinstance(place, str):
            yield _fault(tensor, place, path)
        else:
            _fill(tensor, place)


def _fill(tensor: TensorProto, place: DataPlace) -> None:
    """Read data into a tensor."""
    tensor.raw_data = place.read()
    tensor.data_location = TensorProto.DEFAULT
    del tensor.external_data[:]


def _fault(tensor: TensorProto, problem: str, path: Path) -> Fault:
    return Fault(f"{path}: tensor '{tensor.name}'", problem, "keep weights beside the model file")
