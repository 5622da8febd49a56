"""The error of a quantised graph against the one that it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf

import numpy as np
from numpy.typing import ArrayLike
from xdsl.dialects.builtin import ModuleOp

from ...dialects.faults.arguments import MANY, MODULE, a, arguments
from ...runtime.functions.support.arrays import Array
from ...runtime.library import LIBRARY, Library
from ...runtime.probe.difference import signal_to_noise
from ...runtime.session.session import Session

Outputs = Mapping[str, Array]

_ARRAY = a("an array", np.ndarray)


@arguments(module=MODULE, feeds=MANY, library=LIBRARY)
def outputs_of(
    module: ModuleOp,
    feeds: Iterable[Mapping[str, ArrayLike]],
    library: Library | None = None,
    check: bool = False,
) -> dict[str, Array]:
    """Return the numbers of each output over successive inferences, where it ran."""
    session = Session(module, library=library, check=check)
    parts: dict[str, list[Array]] = {name: [] for name in session.outputs}
    for feed in feeds:
        for name, value in session.run(feed).items():
            parts[name] += [] if value is None else [value.reshape(-1)]
    return {name: np.concatenate(values or [np.zeros(0)]) for name, values in parts.items()}


@arguments(signal=_ARRAY, other=_ARRAY)
def noise_ratio(signal: Array, other: Array) -> float:
    """Return the signal to quantisation noise ratio in dB; infinite without noise."""
    return signal_to_noise(signal, other)


def worst_ratio(exact: Outputs, other: Outputs) -> float:
    """Return the least ratio of all outputs that are floats, in dB."""
    ratios = (
        noise_ratio(exact[name], other[name]) for name in exact if exact[name].dtype.kind == "f"
    )
    return min(ratios, default=inf)
