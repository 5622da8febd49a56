"""The results of one step as a line of text or of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np

from ..functions.support.arrays import Array
from ..tools.summary import described

_SHOWN = 8
"""The most elements of a result that are written out in text."""

Results = Mapping[str, Array]


def text_line(step: int, results: Results) -> str:
    """Write results of up to 8 elements unchanged, larger ones by their range."""
    parts = (f"{name} {_text(value)}" for name, value in results.items())
    return f"step {step}: {'; '.join(parts)}\n"


def json_line(step: int, results: Results) -> str:
    """Write all elements; null is one that is not a finite number."""
    outputs = {name: _elements(value).tolist() for name, value in results.items()}
    return f"{json.dumps({'step': step, 'outputs': outputs})}\n"


def _text(value: Array) -> str:
    if not 0 < value.size <= _SHOWN:
        return described(value)
    return " ".join(f"{float(number):.6g}" for number in value.ravel())


def _elements(value: Array) -> Array:
    """Return an array whose list JSON takes."""
    numbers = value if value.dtype.isbuiltin == 1 else value.astype(np.float64)
    if numbers.dtype.kind != "f":
        return numbers
    objects = numbers.astype(object)
    objects[~np.isfinite(numbers)] = None
    return objects
