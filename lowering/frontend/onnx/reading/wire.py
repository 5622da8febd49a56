"""A model file without the data of its large initializers, found in its bytes and not copied.

One walk over protobuf's wire format, in O(fields). A message is a row of fields: a varint of
number * 8 + kind, then a varint (kind 0), 8 bytes (1), a length and as many bytes (2), or 4 bytes
(5). So `3a 04 | 2a 02 | 4a 00` is graph { initializer { raw_data: "" } }.
Source: protobuf encoding guide; field numbers of onnx.proto.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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
