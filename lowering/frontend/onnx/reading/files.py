"""From a file to a model and its weights, which are read from the model's own folder alone.

The data of large initializers is found in the bytes of a file, and not copied, by one walk over
protobuf's wire format, in O(fields). A message is a row of fields: a varint of number * 8 + kind,
then a varint (kind 0), 8 bytes (1), a length and as many bytes (2), or 4 bytes (5). So `3a 04 | 2a
02 | 4a 00` is graph { initializer { raw_data: "" } }. Source: protobuf encoding guide; field
numbers of onnx.proto.
"""

import mmap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from onnx import ModelProto, TensorProto

from .....dialects.diagnostics import Fault, HtpError, fail
from .external import DataPlace, bytes_of, external_initializers, external_tensors, place_of
from .weights import Weights, is_weight, without_data

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
