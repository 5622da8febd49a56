"""The error of a quantised graph against the one that it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import inf

import numpy as np
from numpy.typing import ArrayLike
from xdsl.dialects.builtin import ModuleOp

from ...dialects.faults.arguments import MANY, MODULE, a, arguments
from ...runtime.functions.support.arrays import Array
from ...runtime.kernel.library import LIBRARY, Library
from ...runtime.probe.compare import compare
from ...runtime.probe.difference import signal_to_noise
from ...runtime.probe.names import named_tensors
from ...runtime.probe.recording import TensorRecorder
from ...runtime.session.session import Session
from .groups import clipped

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


def summary(
    module: ModuleOp,
    quantised: ModuleOp,
    feeds: Sequence[Mapping[str, ArrayLike]],
    halves: Sequence[str],
    library: Library | None = None,
) -> str:
    """Return the line that ends a calibration: how close the outputs stay, and what is worst.

    The ratio is the worst output's, the worst op that of the first inference; `halves` are the
    tensors that were put in f16.
    """
    ratio = worst_ratio(outputs_of(module, feeds, library), outputs_of(quantised, feeds, library))
    exact, rounded = (_run(each, feeds[0], library) for each in (module, quantised))
    # What only a clip reads is on the grid of the clip, and is cut off there.
    cut = {name for name, value in named_tensors(exact.program).items() if clipped(value)}
    rows = compare(rounded.recording(), exact.recording()).rows
    ratios = {row.name: row.difference.decibels for row in rows if row.name not in cut}
    words = [f"calibrated: {ratio:.1f} dB"]
    if ratios:
        worst = min(ratios, key=ratios.__getitem__)
        words.append(f"the worst op '{worst}' with {ratios[worst]:.1f} dB")
    names = ", ".join(f"'{name}'" for name in halves)
    words.append(f"{len(halves)} ops in f16" + (f": {names}" if names else ""))
    return ", ".join(words)


def _run(
    module: ModuleOp, feeds: Mapping[str, ArrayLike], library: Library | None
) -> TensorRecorder:
    recorder = TensorRecorder()
    Session(module, observers=[recorder], library=library).run(feeds)
    return recorder
