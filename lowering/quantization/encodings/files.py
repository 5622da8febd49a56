"""Files of encodings: the JSON that quantisation tools exchange, in all its versions.

Form 0.6.1 maps a tensor's name to a list of dictionaries, one for each channel; form 1.0.0 is a
list of dictionaries with a name and lists of scales and offsets. Keys stand in alphabetical order;
what others may write beside the encodings is passed over. In both, real = (q + offset) *
scale with q from 0 to 2^bits - 1; a symmetric grid is signed, its offset is 0 or -2^(bits - 1).
`read_qdq` reads those of 2.0.0 and 2.1.0.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ....dialects.diagnostics import Fault, HtpError, fail
from ....dialects.faults.arguments import PATH, TEXT, arguments
from ....dialects.value import DType
from ....runtime.files.atomic import write_bytes
from ....runtime.files.json_object import read_json
from .encoding import ENCODINGS, Blocks, Encoding, Encodings
from .entry import (
    FLOAT_BITS,
    BadEntry,
    Grid,
    as_dict,
    float_of,
    integer,
    listed_names,
    named,
    read_qdq,
    real,
    size_of_block,
    truth,
    write_qdq,
)


def _map_entries(section: object) -> Iterator[tuple[str, object]]:
    """Yield name and entry of each tensor; a section that is absent has none."""
    if section is not None and not isinstance(section, dict):
        raise BadEntry("is no map from names to encodings", "write it as version 0.6.1 does")
    yield from (section or {}).items()


def _read_map(entry: object) -> Encoding:
    """Return the encoding of a tensor."""
    if not isinstance(entry, list) or not entry:
        raise BadEntry("is no list of encodings", "write one, or one for each channel")
    channels = [as_dict(channel) for channel in entry]
    kinds = {
        (str(channel.get("dtype", "int")), integer(channel.get("bitwidth"), "bitwidth"))
        for channel in channels
    }
    if len(kinds) > 1:
        raise BadEntry("has channels of several dtypes or bit widths", "give all the same")
    ((dtype, bits),) = kinds
    if dtype == "float":
        return float_of(bits)
    if dtype != "int":
        raise BadEntry(f"its dtype is {dtype[:40]}", "it is int or float")
    symmetric = {truth(each.get("is_symmetric", False), "is_symmetric") for each in channels}
    if len(symmetric) > 1:
        raise BadEntry("has symmetric channels and others", "give all the same")
    grid = Grid(bits, symmetric.pop())
    scales, offsets = zip(*(_scale_offset(channel, grid) for channel in channels), strict=True)
    return grid.encoding(scales, [*grid.zeros(offsets)], 0 if len(channels) > 1 else None)


def _scale_offset(channel: Mapping[str, object], grid: Grid) -> tuple[float, int]:
    """Return scale and offset, from the range where they are absent; they agree within a step."""
    steps, ends = grid.steps, None
    if "min" in channel or "max" in channel:
        ends = real(channel.get("min"), "min"), real(channel.get("max"), "max")
        if not ends[0] < ends[1]:
            raise BadEntry(f"its range is {ends[0]:g} to {ends[1]:g}", "max is above min")
    if "scale" not in channel and ends:
        scale = (ends[1] - ends[0]) / steps
        return scale, round(ends[0] / scale)
    scale, offset = real(channel.get("scale"), "scale"), integer(channel.get("offset"), "offset")
    if ends and scale > 0:
        # Of a symmetric grid an offset of 0 is the zero point, and says nothing of the ends.
        off = abs(ends[0] - scale * offset) if offset or not grid.signed else 0.0
        if max(off, abs(ends[1] - ends[0] - steps * scale)) > scale:
            problem = f"its range {ends[0]:g} to {ends[1]:g} is not that of its scale and offset"
            raise BadEntry(problem, "leave the range out, or scale and offset")
    return scale, offset


def _map_entry(encoding: Encoding) -> object:
    """Return what a file has of a tensor; BadEntry for scales of blocks."""
    quant = encoding.quant
    if quant is None:
        return [{"bitwidth": FLOAT_BITS[encoding.dtype], "dtype": "float"}]
    if encoding.blocks is not None:
        raise BadEntry("has scales of blocks", "write version 1.0.0 or a later one")
    grid, offsets = Grid.of(encoding).with_offsets(quant.zero_points)
    return [
        {
            "bitwidth": grid.bits,
            "dtype": "int",
            "is_symmetric": str(grid.signed),
            "min": scale * offset,
            "max": scale * (offset + grid.steps),
            "scale": scale,
            "offset": offset,
        }
        for scale, offset in zip(quant.scales, offsets, strict=True)
    ]


_KINDS = ("PER_TENSOR", "PER_CHANNEL", "PER_BLOCK", "LPBQ")


def _read_list(entry: object) -> Encoding:
    """Return the encoding of a tensor."""
    properties = named(entry)
    bits, dtype = integer(properties.get("bw"), "bw"), properties.get("dtype", "INT")
    if dtype == "FLOAT":
        return float_of(bits)
    if dtype != "INT":
        raise BadEntry(f"its dtype is {str(dtype)[:40]}", "it is INT or FLOAT")
    kind = properties.get("enc_type", "PER_TENSOR")
    if kind not in _KINDS:
        raise BadEntry(f"its enc_type is {str(kind)[:40]}", f"supported are {', '.join(_KINDS)}")
    scales, offsets = properties.get("scale"), properties.get("offset")
    if not isinstance(scales, list) or not isinstance(offsets, list):
        raise BadEntry("has no lists of scales and offsets", "give both")
    if kind == "PER_TENSOR" and len(scales) > 1:
        raise BadEntry(f"has {len(scales)} scales per tensor", "give one, or enc_type PER_CHANNEL")
    grid = Grid(bits, truth(properties.get("is_sym", False), "is_sym"))
    reals = [real(scale, "scale") for scale in scales]
    zeros = [*grid.zeros([integer(offset, "offset") for offset in offsets])]
    if kind == "LPBQ":
        return _read_double(properties, reals)
    if kind == "PER_BLOCK":
        size = size_of_block(properties.get("block_size"))
        return grid.encoding(reals, zeros, None, Blocks(1, size, ()))
    return grid.encoding(reals, zeros, 0 if kind == "PER_CHANNEL" else None)


def _read_double(properties: Mapping[str, object], steps: list[float]) -> Encoding:
    """Return an encoding whose scales are integers by block times floats by channel."""
    grid = Grid(integer(properties.get("compressed_bw"), "compressed_bw"), True)
    size, ints = size_of_block(properties.get("block_size")), properties.get("per_block_int_scale")
    if not isinstance(ints, list) or not steps or len(ints) % len(steps):
        raise BadEntry("has no whole scale for each block", "give per_block_int_scale")
    factors = tuple(integer(each, "per_block_int_scale") for each in ints)
    shape = (len(steps), len(ints) // len(steps))
    scales = [k * steps[place // shape[1]] for place, k in enumerate(factors)]
    blocks = Blocks(1, size, shape, factors, tuple(steps))
    return grid.encoding(scales, [0] * len(scales), None, blocks)


def _list_entry(encoding: Encoding) -> dict[str, object]:
    quant, blocks = encoding.quant, encoding.blocks
    if quant is None:
        return {"dtype": "FLOAT", "bw": FLOAT_BITS[encoding.dtype], "enc_type": _KINDS[0]}
    grid, offsets = Grid.of(encoding).with_offsets(quant.zero_points)
    entry: dict[str, object] = {"dtype": "INT", "is_sym": grid.signed, "bw": grid.bits}
    if blocks is None:
        entry |= {"scale": list(quant.scales), "offset": offsets}
        return {**entry, "enc_type": _KINDS[quant.axis is not None]}
    entry |= {"scale": blocks.by_channel(quant.scales), "offset": blocks.by_channel(offsets)}
    entry |= {"block_size": blocks.size, "enc_type": "PER_BLOCK"}
    if not blocks.factors:
        return entry
    # The integers of a block times its whole scale take twice the bits.
    wide = Grid(2 * grid.bits, True)
    entry |= {"enc_type": "LPBQ", "bw": wide.bits, "compressed_bw": grid.bits}
    entry |= {"scale": list(blocks.steps), "offset": [wide.offset(0)] * len(blocks.steps)}
    return {**entry, "per_block_int_scale": blocks.by_channel(blocks.factors)}


Section = Callable[[object], Iterator[tuple[str, object]]]
Reader = Callable[[object], Encoding]
Writer = Callable[[Encoding], object]
Form = tuple[Section, Reader, Writer]

FORMS: dict[str, Form] = {
    "0.6.1": (_map_entries, _read_map, _map_entry),
    "1.0.0": (listed_names, _read_list, _list_entry),
    "2.0.0": (listed_names, read_qdq, partial(write_qdq, nested=False)),
    "2.1.0": (listed_names, read_qdq, partial(write_qdq, nested=True)),
}
"""The forms by version: how a section is divided, and an entry read and written."""

_SECTIONS = ("activation_encodings", "param_encodings")
_ONE = "encodings"
"""The section of versions from 2.0.0 on, which do not part constants from the others."""
_REMEDY = "give a JSON file with activation_encodings and param_encodings, or with encodings"


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
    content = read_json(path, _REMEDY).fields
    if not any(name in content for name in (*_SECTIONS, _ONE)):
        raise fail(str(path), "holds no encodings", _REMEDY)
    form, faults = FORMS[_version(path, content)], list[Fault]()
    sections = [_section(form, content.get(name), f"{path}: {name}", faults) for name in _SECTIONS]
    one = _section(form, content.get(_ONE), f"{path}: {_ONE}", faults)
    params = {name: each for name, each in one.items() if _is_of_constant(each)}
    activations = {name: each for name, each in one.items() if name not in params}
    return Encodings({**sections[0], **activations}, {**sections[1], **params}), faults


def _is_of_constant(encoding: Encoding) -> bool:
    """Tell whether only a constant may have an encoding; the graph says it of the others."""
    by_channel = encoding.quant is not None and encoding.quant.axis is not None
    return by_channel or encoding.blocks is not None or encoding.dtype is DType.QInt32


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
    parts: dict[str, Mapping[str, Encoding]]
    content: dict[str, object] = {"version": version}
    if version < "2":
        content |= {"excluded_layers": [], "quantizer_args": _summary(encodings)}
        parts = dict(zip(_SECTIONS, (encodings.activations, encodings.params), strict=True))
    else:
        parts = {_ONE: {**encodings.activations, **encodings.params}}
    content |= {name: _written(part, version) for name, part in parts.items()}
    return json.dumps(content, indent=4, sort_keys=True) + "\n"


def _written(encodings: Mapping[str, Encoding], version: str) -> object:
    """Return a section: a map, or a list of entries with names; HtpError for what it cannot say."""
    entries: dict[str, Any] = {}
    for name, encoding in encodings.items():
        try:
            entries[name] = FORMS[version][2](encoding)
        except BadEntry as bad:
            raise HtpError(Fault(f"encoding '{name}' in version {version}", *bad.args)) from bad
    if version == "0.6.1":
        return entries
    return [{"name": name, **entry} for name, entry in entries.items()]


def _summary(encodings: Encodings) -> dict[str, object]:
    """Return what most of the integer encodings have in common, which readers may pass over."""
    params = [each for each in encodings.params.values() if each.quant]
    activations = [each for each in encodings.activations.values() if each.quant]
    widths = {
        name: Counter(Grid.of(each).bits for each in part).most_common(1)[0][0]
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
        return "2.1.0" if _ONE in content else "1.0.0" if lists else "0.6.1"
    if not isinstance(version, str) or version not in FORMS:
        known = f"known are {', '.join(FORMS)}"
        raise fail(str(path), f"its version {json.dumps(version)[:40]} is not known", known)
    return version
