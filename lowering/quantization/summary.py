"""The line that ends a calibration: how close the outputs stay, and where most is lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from numpy.typing import ArrayLike
from xdsl.dialects.builtin import ModuleOp

from ...runtime.library import Library
from ...runtime.probe.compare import compare
from ...runtime.probe.names import named_tensors
from ...runtime.probe.recording import TensorRecorder
from ...runtime.session.session import Session
from .clips import clipped
from .measure import outputs_of, worst_ratio
from .sensitivity import Feeds, Sensitivity


def summary(
    module: ModuleOp,
    quantised: ModuleOp,
    feeds: Feeds,
    halves: Sequence[Sensitivity],
    library: Library | None = None,
) -> str:
    """Return the line: the worst output's ratio, the worst op at the first inference, f16.

    `halves` are the ops that were put in f16.
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
    names = ", ".join(f"'{row.tensor}'" for row in halves)
    words.append(f"{len(halves)} ops in f16" + (f": {names}" if names else ""))
    return ", ".join(words)


def _run(
    module: ModuleOp, feeds: Mapping[str, ArrayLike], library: Library | None
) -> TensorRecorder:
    recorder = TensorRecorder()
    Session(module, observers=[recorder], library=library).run(feeds)
    return recorder
