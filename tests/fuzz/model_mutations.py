"""Accidents of ONNX models: any field of any message lost, doubled, exchanged or made absurd."""

from collections.abc import Callable
from random import Random
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from onnx import ModelProto

_INTEGERS = (
    *(0, 1, -1, 2, 3, 5, 8, 9, 10, 15, 16, 25, 64, 255, 1000, 4096, 65536, 10**6, 2**26),
    *(2**31 - 1, 2**31, 2**32, 2**40, 2**62, 2**63 - 1, -(2**31), -(2**63)),
)
_FLOATS = (0.0, -1.0, 1e-30, 0.5, 1e30, float("inf"), float("-inf"), float("nan"))
_TEXTS = (
    *("", "x", "y", "nothing", "ai.onnx", "é", "x" * 5000, "qti_aisw", "com.example", "-1", "7"),
    *(
        "99999999999999999999",
        "1e9",
        "../w.bin",
        "w.bin",
        "/dev/zero",
        ".",
        "a\nb",
        "NOTSET",
        "a\0b",
    ),
    *("SAME_UPPER", "If", "Loop", "Scan", "Constant", "Identity", "Concat", "Shape", "Expand"),
    *("Tile", "ConstantOfShape", "Range", "OneHot", "SequenceAt", "location", "offset", "length"),
)

Pair = tuple[Message, FieldDescriptor]
"""A message and one of its fields."""


def mutated(random: Random, model: ModelProto, other: ModelProto) -> ModelProto:
    """Return a copy of the model after one to four accidents; parts may come from the other."""
    copy = ModelProto()
    copy.CopyFrom(model)
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        pairs = _pairs(copy)
        message, field = random.choice(pairs)
        pool = pairs if random.random() < 0.8 else _pairs(other)
        change = _repeated if field.is_repeated else _single
        try:
            change(random, message, field, pool)
        except (ValueError, TypeError):
            # A value that the field does not take: then nothing has changed.
            continue
    return copy


def _pairs(message: Message) -> list[Pair]:
    """Return every field of a message and of all inside it; of unset ones only a few kinds."""
    pairs = []
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        if field.is_repeated:
            pairs += [(message, field)] * (1 + bool(value))
            inner = list(value) if field.message_type else []
        elif message.HasField(field.name):
            pairs += [(message, field)] * 2
            inner = [value] if field.message_type else []
        else:
            inner = []
            pairs += [(message, field)] if field.name in _ALSO_UNSET else []
        for one in inner:
            pairs += _pairs(one)
    return pairs


_ALSO_UNSET = {
    "data_location",
    "dim_value",
    "dim_param",
    "g",
    "ref_attr_name",
    "raw_data",
    "domain",
}


def _value(random: Random, field: FieldDescriptor, value: Any, pool: list[Pair]) -> Any:
    """Return another value for a field that is no message."""
    if field.enum_type:
        return random.choice([number.number for number in field.enum_type.values])
    match field.cpp_type:
        case FieldDescriptor.CPPTYPE_STRING if field.type == FieldDescriptor.TYPE_BYTES:
            return _bytes(random, bytes(value))
        case FieldDescriptor.CPPTYPE_STRING:
            texts = [t for m, f in pool for t in _texts(m, f)] if random.random() < 0.7 else _TEXTS
            return random.choice(texts or _TEXTS)
        case FieldDescriptor.CPPTYPE_FLOAT | FieldDescriptor.CPPTYPE_DOUBLE:
            return random.choice(_FLOATS)
        case _:
            return random.choice((*_INTEGERS, int(value) + 1, int(value) - 1, int(value) * 2))


def _texts(message: Message, field: FieldDescriptor) -> list[str]:
    if field.type != FieldDescriptor.TYPE_STRING:
        return []
    value = getattr(message, field.name)
    return list(value) if field.is_repeated else [value]


def _bytes(random: Random, data: bytes) -> bytes:
    at = random.randrange(len(data) + 1)
    return random.choice((data[:at], data + b"\xff" * 4, b"", data * 2, data[:at] + b"\xff\x00"))


def _single(random: Random, message: Message, field: FieldDescriptor, pool: list[Pair]) -> None:
    if random.random() < 0.15:
        message.ClearField(field.name)
    elif field.message_type is None:
        value = _value(random, field, getattr(message, field.name), pool)
        setattr(message, field.name, value)
    else:
        getattr(message, field.name).CopyFrom(_copied(random.choice(_alike(field, pool))))


def _alike(field: FieldDescriptor, pool: list[Pair]) -> list[Message]:
    """Return the messages of the type of a field."""
    alike: list[Message] = []
    for message, other in pool:
        if other.message_type is field.message_type:
            value = getattr(message, other.name)
            alike += list(value) if other.is_repeated else [value]
    return alike or [field.message_type._concrete_class()]


def _copied(message: Message) -> Message:
    copy = type(message)()
    copy.CopyFrom(message)
    return copy


def _repeated(random: Random, message: Message, field: FieldDescriptor, pool: list[Pair]) -> None:
    values = getattr(message, field.name)
    kept = [_copied(value) if field.message_type else value for value in values]
    random.choice(_LIST_CHANGES)(random, kept, field, pool)
    message.ClearField(field.name)
    values = getattr(message, field.name)
    values.extend(kept)


def _lose(random: Random, values: list[Any], field: FieldDescriptor, pool: list[Pair]) -> None:
    at = random.randrange(len(values) or 1)
    del values[at : at + random.choice((1, 1, 100))]


def _double(random: Random, values: list[Any], field: FieldDescriptor, pool: list[Pair]) -> None:
    if values:
        values += [random.choice(values)] * random.choice((1, 1, 2, 40))


def _swap(random: Random, values: list[Any], field: FieldDescriptor, pool: list[Pair]) -> None:
    random.shuffle(values)


def _take(random: Random, values: list[Any], field: FieldDescriptor, pool: list[Pair]) -> None:
    """Put another value into the list, in place of one or beside it."""
    at = random.randrange(len(values) or 1)
    if field.message_type:
        value = _copied(random.choice(_alike(field, pool)))
    else:
        value = _value(random, field, values[at] if values else field.default_value or 0, pool)
    values[at : at + random.choice((0, 1, 1))] = [value]


_LIST_CHANGES: tuple[Callable[[Random, list[Any], FieldDescriptor, list[Pair]], None], ...] = (
    *(_lose, _double, _swap, _take, _take, _take),
)
