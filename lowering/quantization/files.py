"""Files of encodings: the JSON that quantisation tools exchange, in its two forms.

Form 0.6.1 maps a tensor's name to a list of dictionaries, one for each channel; form 1.0.0 is a
list of dictionaries with a name and lists of scales and offsets. Keys stand in alphabetical order;
what others may write beside the encodings is passed over. In both, real = (q + offset) *
scale with q from 0 to 2^bits - 1; a symmetric grid is signed, its offset is 0 or -2^(bits - 1).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from ...dialects.diagnostics import CHECK_PATH, Fault, HtpError, fail
from ...dialects.faults.arguments import PATH, TEXT, arguments
from ...dialects.value.dtypes import DType, Quant
from ...runtime.files.atomic import write_bytes
from .encodings import ENCODINGS, Encoding, Encodings, levels

GRIDS = {
    (8, False): DType.QUInt8,
    (16, False): DType.QUInt16,
    (8, True): DType.QInt8,
    (16, True): DType.QInt16,
    (32, True): DType.QInt32,
}
"""The dtype by bits and symmetry."""
BITS = {dtype: bits for (bits, _), dtype in GRIDS.items()}
"""The bits of each dtype."""
UNSIGNED = frozenset({DType.QUInt8, DType.QUInt16})
"""The dtypes whose offset is minus the zero point."""
FLOATS = {16: DType.Float16, 32: DType.Float32}
"""The floats by bits."""
FLOAT_BITS = {dtype: bits for bits, dtype in FLOATS.items()}
"""The bits of each float."""

_LARGEST = float(np.finfo(np.float32).max)


class BadEntry(Exception):
    """An entry cannot be read: the problem, and what to do."""


def _as_dict(entry: object) -> Mapping[str, object]:
    """Return an entry that is a dictionary."""
    if not isinstance(entry, dict):
        raise BadEntry("is no dictionary", "write its properties by name")
    return entry


def _float_of(bits: int) -> Encoding:
    """Return the float encoding of this width."""
    if bits not in FLOATS:
        raise BadEntry(f"is a float of {bits} bits", "a float has 16 or 32")
    return Encoding(FLOATS[bits])


def integer(value: object, name: str) -> int:
    """Return a number that is whole."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value % 1 != 0:
        raise BadEntry(f"its {name} is {str(value)[:40]}, no whole number", f"give the {name}")
    return int(value)


def _real(value: object, name: str) -> float:
    """Return a number that is finite in f32."""
    problem = f"its {name} is {str(value)[:40]}, no finite number"
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadEntry(problem, f"give the {name}")
    if not abs(value) <= _LARGEST:
        raise BadEntry(problem, f"give the {name}")
    return float(value)


def _truth(value: object, name: str) -> bool:
    """Return a truth value, which some tools write as a word."""
    words = {"true": True, "false": False}
    if isinstance(value, bool):
        return value
    if not isinstance(value, str) or value.lower() not in words:
        raise BadEntry(f"its {name} is {str(value)[:40]}", "give true or false")
    return words[value.lower()]


def _on_grid(
    dtype: DType, scales: Sequence[float], offsets: Sequence[int], per_axis: bool
) -> Encoding:
    """Return the encoding of a grid; its axis is that of the channels of whatever it encodes."""
    if not scales or len(scales) != len(offsets):
        counts = f"{len(scales)} scales and {len(offsets)} offsets"
        raise BadEntry(f"has {counts}", "give one of each, or one of each for every channel")
    rounded = tuple(float(np.float32(scale)) for scale in scales)
    if bad := [scale for scale in rounded if scale <= 0]:
        raise BadEntry(f"its scale is {bad[0]:g}", "a scale is above 0")
    zeros = tuple(_zeros(dtype, offsets))
    return Encoding(dtype, Quant(rounded, zeros, 0 if per_axis else None))


def _grid_dtype(bits: int, is_symmetric: bool) -> DType:
    """Return the dtype of this width."""
    if (bits, is_symmetric) not in GRIDS:
        raise BadEntry(f"has {bits} bits", "an integer has 8, 16 or, where symmetric, 32")
    return GRIDS[bits, is_symmetric]


def _zeros(dtype: DType, offsets: Sequence[int]) -> Iterator[int]:
    """Yield the zero point of each offset."""
    is_symmetric, last = Encoding(dtype).is_symmetric, -levels(dtype)
    middle = last // 2
    for offset in offsets:
        if is_symmetric and offset not in (0, middle):
            remedy = f"where symmetric it is 0 or {middle}"
            raise BadEntry(f"its offset is {offset}", remedy)
        if not is_symmetric and not last <= offset <= 0:
            remedy = f"it is from {last} to 0: minus the zero point"
            raise BadEntry(f"its offset is {offset}", remedy)
        yield 0 if is_symmetric else -offset


def _offset_of(encoding: Encoding, zero_point: int) -> int:
    """Return the offset that represents a zero point in a file."""
    return -(1 << BITS[encoding.dtype] - 1) if encoding.is_symmetric else -zero_point


def _map_entries(section: object) -> Iterator[tuple[str, object]]:
    """Yield name and entry of each tensor; a section that is absent has none."""
    if section is not None and not isinstance(section, dict):
        raise BadEntry("is no map from names to encodings", "write it as version 0.6.1 does")
    yield from (section or {}).items()


def _read_map(entry: object) -> Encoding:
    """Return the encoding of a tensor."""
    if not isinstance(entry, list) or not entry:
        raise BadEntry("is no list of encodings", "write one, or one for each channel")
    channels = [_as_dict(channel) for channel in entry]
    kinds = {
        (channel.get("dtype", "int"), integer(channel.get("bitwidth"), "bitwidth"))
        for channel in channels
    }
    if len(kinds) > 1:
        raise BadEntry("has channels of several dtypes or bit widths", "give all the same")
    ((dtype, bits),) = kinds
    if dtype == "float":
        return _float_of(bits)
    if dtype != "int":
        raise BadEntry(f"its dtype is {str(dtype)[:40]}", "it is int or float")
    symmetric = {_truth(each.get("is_symmetric", False), "is_symmetric") for each in channels}
    if len(symmetric) > 1:
        raise BadEntry("has symmetric channels and others", "give all the same")
    grid = _grid_dtype(bits, symmetric.pop())
    scales, offsets = zip(*(_grid(channel, grid) for channel in channels), strict=True)
    return _on_grid(grid, scales, offsets, per_axis=len(channels) > 1)


def _grid(channel: Mapping[str, object], dtype: DType) -> tuple[float, int]:
    """Return scale and offset, from the range where they are absent; they agree within a step."""
    steps, ends = levels(dtype), None
    if "min" in channel or "max" in channel:
        ends = _real(channel.get("min"), "min"), _real(channel.get("max"), "max")
        if not ends[0] < ends[1]:
            raise BadEntry(f"its range is {ends[0]:g} to {ends[1]:g}", "max is above min")
    if "scale" not in channel and ends:
        scale = (ends[1] - ends[0]) / steps
        return scale, round(ends[0] / scale)
    scale, offset = _real(channel.get("scale"), "scale"), integer(channel.get("offset"), "offset")
    if ends and scale > 0:
        # Of a symmetric grid an offset of 0 is the zero point, and says nothing of the ends.
        off = abs(ends[0] - scale * offset) if offset or dtype in UNSIGNED else 0.0
        if max(off, abs(ends[1] - ends[0] - steps * scale)) > scale:
            problem = f"its range {ends[0]:g} to {ends[1]:g} is not that of its scale and offset"
            raise BadEntry(problem, "leave the range out, or scale and offset")
    return scale, offset


def _write_map(encodings: Mapping[str, Encoding]) -> object:
    """Return a section."""
    return {name: list(_channels(encoding)) for name, encoding in encodings.items()}


def _channels(encoding: Encoding) -> Iterator[dict[str, object]]:
    if encoding.quant is None:
        yield {"bitwidth": FLOAT_BITS[encoding.dtype], "dtype": "float"}
        return
    for scale, zero in zip(encoding.quant.scales, encoding.quant.zero_points, strict=True):
        offset = _offset_of(encoding, zero)
        yield {
            "bitwidth": BITS[encoding.dtype],
            "dtype": "int",
            "is_symmetric": str(encoding.is_symmetric),
            "min": scale * offset,
            "max": scale * (offset + levels(encoding.dtype)),
            "scale": scale,
            "offset": offset,
        }


_KINDS = ("PER_TENSOR", "PER_CHANNEL")


def _list_entries(section: object) -> Iterator[tuple[str, object]]:
    """Yield name and entry of each tensor; a section that is absent has none."""
    if section is not None and not isinstance(section, list):
        raise BadEntry("is no list of encodings", "write it as version 1.0.0 does")
    for index, entry in enumerate(section or ()):
        name = entry.get("name") if isinstance(entry, dict) else None
        yield name if isinstance(name, str) else f"number {index}", entry


def _read_list(entry: object) -> Encoding:
    """Return the encoding of a tensor."""
    properties = _as_dict(entry)
    if not isinstance(properties.get("name"), str):
        raise BadEntry("has no name", "give the tensor's")
    bits, dtype = integer(properties.get("bw"), "bw"), properties.get("dtype", "INT")
    if dtype == "FLOAT":
        return _float_of(bits)
    if dtype != "INT":
        raise BadEntry(f"its dtype is {str(dtype)[:40]}", "it is INT or FLOAT")
    kind = properties.get("enc_type", "PER_TENSOR")
    if kind not in _KINDS:
        raise BadEntry(f"its enc_type is {str(kind)[:40]}", f"supported are {' and '.join(_KINDS)}")
    scales, offsets = properties.get("scale"), properties.get("offset")
    if not isinstance(scales, list) or not isinstance(offsets, list):
        raise BadEntry("has no lists of scales and offsets", "give both")
    if kind == "PER_TENSOR" and len(scales) > 1:
        raise BadEntry(f"has {len(scales)} scales per tensor", "give one, or enc_type PER_CHANNEL")
    return _on_grid(
        _grid_dtype(bits, _truth(properties.get("is_sym", False), "is_sym")),
        [_real(scale, "scale") for scale in scales],
        [integer(offset, "offset") for offset in offsets],
        per_axis=kind == "PER_CHANNEL",
    )


def _write_list(encodings: Mapping[str, Encoding]) -> object:
    """Return a section."""
    return [{"name": name, **_list_entry(encoding)} for name, encoding in encodings.items()]


def _list_entry(encoding: Encoding) -> dict[str, object]:
    quant = encoding.quant
    if quant is None:
        return {"dtype": "FLOAT", "bw": FLOAT_BITS[encoding.dtype], "enc_type": _KINDS[0]}
    return {
        "dtype": "INT",
        "bw": BITS[encoding.dtype],
        "is_sym": encoding.is_symmetric,
        "enc_type": _KINDS[quant.axis is not None],
        "scale": list(quant.scales),
        "offset": [_offset_of(encoding, zero) for zero in quant.zero_points],
    }


Section = Callable[[object], Iterator[tuple[str, object]]]
Reader = Callable[[object], Encoding]
Writer = Callable[[Mapping[str, Encoding]], object]
Form = tuple[Section, Reader, Writer]

FORMS: dict[str, Form] = {
    "0.6.1": (_map_entries, _read_map, _write_map),
    "1.0.0": (_list_entries, _read_list, _write_list),
}
"""The forms by version: how a section is divided, and an entry read and written."""

_SECTIONS = ("activation_encodings", "param_encodings")
_REMEDY = "give a JSON file with activation_encodings and param_encodings"


@arguments(path=PATH)
def read_encodings(path: str | Path) -> Encodings:
    """Read a file of encodings of either form; HtpError lists all that is wrong in it."""
    encodings, faults = read_entries(path)
    if faults:
        raise HtpError(*faults)
    return encodings


def read_entries(path: str | Path) -> tuple[Encodings, list[Fault]]:
    """Read the encodings of a file that can be read, and list the faults of the others.

    HtpError where the file holds none.
    """
    try:
        content = json.loads(Path(path).read_bytes())
    except OSError as error:
        raise fail(str(path), error.strerror or str(error), CHECK_PATH) from error
    except (ValueError, RecursionError) as error:
        raise fail(str(path), "is no JSON", _REMEDY) from error
    if not isinstance(content, dict) or not any(name in content for name in _SECTIONS):
        raise fail(str(path), "holds no encodings", _REMEDY)
    form, faults = FORMS[_version(path, content)], list[Fault]()
    sections = [_section(form, content.get(name), f"{path}: {name}", faults) for name in _SECTIONS]
    return Encodings(*sections), faults


def _section(form: Form, section: object, where: str, faults: list[Fault]) -> dict[str, Encoding]:
    """Return the encodings of a section; add what is wrong to the faults."""
    divide, read, _ = form
    encodings: dict[str, Encoding] = {}
    try:
        entries = list(divide(section))
    except BadEntry as bad:
        faults.append(Fault(where, *bad.args))
        return {}
    for name, entry in entries:
        try:
            if name in encodings:
                raise BadEntry("is there twice", "leave one out")
            encodings[name] = read(entry)
        except BadEntry as bad:
            faults.append(Fault(f"{where} '{name}'", *bad.args))
    return encodings


@arguments(path=PATH, encodings=ENCODINGS, version=TEXT)
def write_encodings(path: str | Path, encodings: Encodings, version: str = "1.0.0") -> None:
    """Write a file of encodings in the form of this version."""
    write_bytes(path, encodings_text(encodings, version).encode())


def encodings_text(encodings: Encodings, version: str = "1.0.0") -> str:
    """Return the JSON text of encodings; HtpError for a version that is not in FORMS."""
    if version not in FORMS:
        raise fail(f"version '{version}'", "is not known", f"known are {', '.join(FORMS)}")
    write = FORMS[version][2]
    content = {
        "activation_encodings": write(encodings.activations),
        "excluded_layers": [],
        "param_encodings": write(encodings.params),
        "quantizer_args": _summary(encodings),
        "version": version,
    }
    return json.dumps(content, indent=4, sort_keys=True) + "\n"


def _summary(encodings: Encodings) -> dict[str, object]:
    """Return what most of the integer encodings have in common, which readers may pass over."""
    params = [each for each in encodings.params.values() if each.quant]
    activations = [each for each in encodings.activations.values() if each.quant]
    widths = {
        name: Counter(BITS[each.dtype] for each in part).most_common(1)[0][0]
        for name, part in {"activation_bitwidth": activations, "param_bitwidth": params}.items()
        if part
    }
    return {
        **widths,
        "dtype": "int",
        "is_symmetric": bool(params) and all(each.is_symmetric for each in params),
        "per_channel_quantization": any(e.quant and e.quant.axis is not None for e in params),
    }


def _version(path: str | Path, content: Mapping[str, object]) -> str:
    """Return the version that a file states, else the one whose sections it has."""
    version = content.get("version")
    if version is None:
        lists = any(isinstance(content.get(section), list) for section in _SECTIONS)
        return "1.0.0" if lists else "0.6.1"
    if version not in FORMS:
        known = f"known are {', '.join(FORMS)}"
        raise fail(str(path), f"its version {json.dumps(version)[:40]} is not known", known)
    return str(version)
