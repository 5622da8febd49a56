"""The line that ends a calibration: how close the outputs stay, and where most is lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from numpy.typing import ArrayLike
from xdsl.dialects.builtin import ModuleOp

from ...runtime.library import Library
from ...runtime.probe.compare import compare
from ...runtime.probe.recording import Recording, TensorRecorder
from ...runtime.session.session import Session
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
    first = (_recorded(each, feeds[0], library) for each in (quantised, module))
    rows = compare(*first).rows
    words = [f"calibrated: {ratio:.1f} dB"]
    if rows:
        worst = min(rows, key=lambda row: row.difference.decibels)
        words.append(f"the worst tensor '{worst.name}' with {worst.difference.decibels:.1f} dB")
    names = ", ".join(f"'{row.tensor}'" for row in halves)
    words.append(f"{len(halves)} ops in f16" + (f": {names}" if names else ""))
    return ", ".join(words)


def _recorded(
    module: ModuleOp, feeds: Mapping[str, ArrayLike], library: Library | None
) -> Recording:
    recorder = TensorRecorder()
    Session(module, observers=[recorder], library=library).run(feeds)
    return recorder.recording()
