"""Checking what a caller passes in against the model's inputs, all faults at once."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from ...dialects.diagnostics import Fault, HtpError, listed
from ...dialects.value import DType, TensorSpec, integer_bounds
from ..functions.support.arrays import Array

_WIDENS = {"b": "biuf", "i": "if", "u": "iuf", "f": "f"}
"""Kinds of dtypes that numbers of a kind are taken for."""


def checked(feeds: Mapping[str, ArrayLike], specs: Mapping[str, TensorSpec]) -> dict[str, Array]:
    """Convert the inputs to arrays of their storage types; HtpError lists all that is wrong.

    Python lists and other dtypes are converted where no more than precision is lost. Quantised
    inputs are given as stored integers.
    """
    faults = [
        Fault(f"input '{name}'", "is unknown", listed(name, specs, "the model's inputs are"))
        for name in feeds
        if name not in specs
    ]
    faults += [
        Fault(f"input '{name}'", "is missing", f"give {spec_text(spec)}")
        for name, spec in specs.items()
        if name not in feeds
    ]
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
    def __init__(self, name: str, problem: str, remedy: str) -> None:
        self.fault = Fault(f"input '{name}'", problem, remedy)
        super().__init__(problem)


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
    if array.dtype == np.dtype(f"V{wanted.itemsize}") and wanted.isbuiltin != 1:
        # numpy's files keep the bytes of such a dtype, not its name.
        return array.view(wanted)
    kind, own = _kind(wanted), _kind(array.dtype)
    integers = own in "iu" and kind in "iub"
    if kind not in _WIDENS.get(own, "") and not integers:
        raise _Refused(name, f"has dtype {array.dtype}", f"give {spec_text(spec)}")
    if kind in "iub" and array.size:
        low, high = (0, 1) if spec.dtype is DType.Bool8 else integer_bounds(wanted)
        if int(array.min()) < low or int(array.max()) > high:
            problem = f"has values outside {low} to {high}"
            raise _Refused(name, problem, f"give {spec_text(spec)}")
    with np.errstate(all="ignore"):
        return array.astype(wanted)


def _kind(dtype: np.dtype[np.generic]) -> str:
    """Return numpy's letter for a dtype: i, u, f or b; numpy has none for those of ml_dtypes."""
    if dtype.isbuiltin != 2:
        return dtype.kind
    return dtype.name[0] if dtype.name.startswith(("int", "uint")) else "f"


def spec_text(spec: TensorSpec) -> str:
    """Write shape and dtype as messages do; a quantised tensor is fed its stored integers."""
    stored = f" ({spec.dtype.storage} stored values)" if spec.dtype.is_quantized else ""
    return f"{_dims(spec.shape)} of {spec.dtype.name}{stored}"


def _dims(shape: tuple[int, ...]) -> str:
    return "x".join(map(str, shape)) or "a scalar"
