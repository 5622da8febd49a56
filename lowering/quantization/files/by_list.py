"""Form 1.0.0 of a file of encodings: a list of dictionaries with a name, scales and offsets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..encodings import Encoding
from .entries import (
    BITS,
    FLOAT_BITS,
    BadEntry,
    as_dict,
    float_of,
    grid_dtype,
    integer,
    offset_of,
    on_grid,
    real,
    truth,
)

_KINDS = ("PER_TENSOR", "PER_CHANNEL")


def entries(section: object) -> Iterator[tuple[str, object]]:
    """Yield name and entry of each tensor; a section that is absent has none."""
    if section is not None and not isinstance(section, list):
        raise BadEntry("is no list of encodings", "write it as version 1.0.0 does")
    for index, entry in enumerate(section or ()):
        name = entry.get("name") if isinstance(entry, dict) else None
        yield name if isinstance(name, str) else f"number {index}", entry


def read(entry: object) -> Encoding:
    """Return the encoding of a tensor."""
    properties = as_dict(entry)
    if not isinstance(properties.get("name"), str):
        raise BadEntry("has no name", "give the tensor's")
    bits, dtype = integer(properties.get("bw"), "bw"), properties.get("dtype", "INT")
    if dtype == "FLOAT":
        return float_of(bits)
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
    return on_grid(
        grid_dtype(bits, truth(properties.get("is_sym", False), "is_sym")),
        [real(scale, "scale") for scale in scales],
        [integer(offset, "offset") for offset in offsets],
        per_axis=kind == "PER_CHANNEL",
    )


def write(encodings: Mapping[str, Encoding]) -> object:
    """Return a section."""
    return [{"name": name, **_entry(encoding)} for name, encoding in encodings.items()]


def _entry(encoding: Encoding) -> dict[str, object]:
    quant = encoding.quant
    if quant is None:
        return {"dtype": "FLOAT", "bw": FLOAT_BITS[encoding.dtype], "enc_type": _KINDS[0]}
    return {
        "dtype": "INT",
        "bw": BITS[encoding.dtype],
        "is_sym": encoding.is_symmetric,
        "enc_type": _KINDS[quant.axis is not None],
        "scale": list(quant.scales),
        "offset": [offset_of(encoding, zero) for zero in quant.zero_points],
    }
