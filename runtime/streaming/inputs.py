"""The inputs of a streamed model: the one that takes the frames, and the fixed others."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

import numpy as np
from numpy.typing import ArrayLike

from ...dialects.diagnostics import fail
from ...dialects.faults.suggestions import listed
from ...dialects.value.dtypes import DType
from ...dialects.value.spec import TensorSpec
from ..functions.support.arrays import Array
from ..session.feeds import spec_text

Specs = Mapping[str, TensorSpec]


def streamed_input(specs: Specs, fixed: Mapping[str, object], name: str | None) -> str:
    """Choose the input that takes the frames: `name`, or the only one that could.

    A truth value is not a candidate: it is a reset more often than not.
    """
    if name is not None and name not in specs:
        raise fail("--stream-input", f"the model has no input '{name}'", listed(name, specs))
    if name in fixed:
        raise fail("--stream-input", f"'{name}' is fixed too", "leave one of them out")
    free = [n for n, s in specs.items() if n not in fixed and s.dtype is not DType.Bool8]
    chosen = [name] if name else free
    if len(chosen) != 1:
        names = ", ".join(f"'{name}'" for name in free) or "none"
        problem = f"one input is to take the frames, and those that are free are {names}"
        raise fail("htp stream", problem, "name it by --stream-input, fix others by --const or -i")
    return chosen[0]


def other_inputs(specs: Specs, fixed: Mapping[str, ArrayLike], streamed: str) -> dict[str, Array]:
    """Return a value for each other input: the fixed one, or false for a truth value."""
    unknown = [name for name in fixed if name not in specs]
    if unknown:
        raise fail("htp stream", f"no input '{unknown[0]}'", listed(unknown[0], specs))
    feeds: dict[str, Array] = {}
    for name, spec in specs.items():
        if name in fixed:
            value = np.asarray(fixed[name])
            feeds[name] = value.reshape(spec.shape) if value.size == prod(spec.shape) else value
        elif name != streamed and spec.dtype is DType.Bool8:
            feeds[name] = np.zeros(spec.shape, np.bool_)
        elif name != streamed:
            problem = f"input '{name}' has no value"
            raise fail("htp stream", problem, f"give {spec_text(spec)} by --const or -i")
    return feeds


def samples_per_frame(name: str, spec: TensorSpec, row: tuple[int, ...], source: str) -> int:
    """Count the samples that fill an input; HtpError where a sample has other last dims."""
    dims, own = ([n for n in shape if n != 1] for shape in (spec.shape, row))
    elements = prod(spec.shape)
    fits = dims[max(len(dims) - len(own), 0) :] == own
    if not (fits and elements):
        sample = "x".join(map(str, own)) or "a number"
        problem = f"a sample is {sample}, and input '{name}' takes {spec_text(spec)}"
        raise fail(source, problem, "give samples of the input's last dims, time in front")
    return elements // prod(row)
