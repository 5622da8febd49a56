"""Checking what a caller passes in against the model's inputs, all faults at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import ArrayLike

from ...dialects.diagnostics import Fault, HtpError
from ...dialects.value.dtypes import DType
from ...dialects.value.spec import TensorSpec
from ..functions.arrays import Array

_WIDENS = {"b": "biuf", "i": "if", "u": "iuf", "f": "f"}


def checked(feeds: Mapping[str, ArrayLike], specs: Mapping[str, TensorSpec]) -> dict[str, Array]:
    """The inputs as arrays of their storage types; HtpError that lists all that is wrong.

    Python lists and other dtypes are converted where no more than precision is lost. Quantised
    inputs are given as stored integers.
    """
    faults = [*_unknown(feeds, specs), *_missing(feeds, specs)]
    arrays: dict[str, Array] = {}
    for name, spec in specs.items():
        if name not in feeds:
            continue
        try:
            arrays[name] = _convert(name, feeds[name], spec)
        except _Refused as refusal:
            faults.append(refusal.fault)
    if faults:
        raise HtpError(*faults)
    return arrays


class _Refused(Exception):
    def __init__(self, name: str, found: str, remedy: str) -> None:
        self.fault = Fault(f"input '{name}'", found, remedy)
        super().__init__(found)


def _unknown(feeds: Mapping[str, ArrayLike], specs: Mapping[str, TensorSpec]) -> Iterator[Fault]:
    known = f"the model's inputs are {', '.join(specs) or 'none'}"
    return (Fault(f"input '{name}'", "is unknown", known) for name in feeds if name not in specs)


def _missing(feeds: Mapping[str, ArrayLike], specs: Mapping[str, TensorSpec]) -> Iterator[Fault]:
    return (
        Fault(f"input '{name}'", "is missing", f"give {spec_text(spec)}")
        for name, spec in specs.items()
        if name not in feeds
    )


def _convert(name: str, feed: ArrayLike, spec: TensorSpec) -> Array:
    try:
        array = np.asarray(feed)
    except ValueError as error:
        raise _Refused(name, f"is no array: {error}", f"give {spec_text(spec)}") from error
    wanted = spec.dtype.storage
    if array.shape != spec.shape:
        raise _Refused(name, f"has shape {_dims(array.shape)}", f"give {spec_text(spec)}")
    if array.dtype == wanted:
        return array
    if array.dtype.kind not in _WIDENS or wanted.kind not in _WIDENS[array.dtype.kind]:
        _check_whole(name, array, spec)
    if wanted.kind in "iub":
        _check_range(name, array, spec)
    with np.errstate(all="ignore"):
        return array.astype(wanted)


def _check_whole(name: str, array: Array, spec: TensorSpec) -> None:
    """Integers may go into any integer type that holds them; anything else is refused."""
    if not (array.dtype.kind in "iu" and spec.dtype.storage.kind in "iub"):
        raise _Refused(name, f"has dtype {array.dtype}", f"give {spec_text(spec)}")


def _check_range(name: str, array: Array, spec: TensorSpec) -> None:
    bounds = (0, 1) if spec.dtype is DType.Bool8 else _bounds(spec)
    if array.size and not (bounds[0] <= array.min() and array.max() <= bounds[1]):
        found = f"has values outside {bounds[0]} to {bounds[1]}"
        raise _Refused(name, found, f"give {spec_text(spec)}")


def _bounds(spec: TensorSpec) -> tuple[int, int]:
    info = np.iinfo(spec.dtype.storage.str)
    return int(info.min), int(info.max)


def spec_text(spec: TensorSpec) -> str:
    """Shape and dtype as messages give them; a quantised tensor is fed its stored integers."""
    stored = f" ({spec.dtype.storage} stored values)" if spec.dtype.is_quantized else ""
    return f"{_dims(spec.shape)} of {spec.dtype.name}{stored}"


def _dims(shape: tuple[int, ...]) -> str:
    return "x".join(map(str, shape)) or "a scalar"
