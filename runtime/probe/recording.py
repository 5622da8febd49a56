"""Tensors by name, of a run or of a file, each with the error that is not a fault."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ...dialects.diagnostics import fail
from ..files.arrays import read_npz, write_npz
from ..functions.support.arrays import Array
from .joins import Marks, marks
from .names import INNER, named_tensors, node_tensors
from .probe import Probe
from .tolerance import FLOATS, tolerances

_TOLERANCES = "|tolerances"
"""The entry of a file with the tolerance of each of the others, in their order."""
_PARTS = "|parts"
"""The entry of a file with the names of tensors that may be the results of their nodes."""


@dataclass(frozen=True)
class Recording:
    """Tensors by name, and the tolerance of each, relative to its largest value.

    `parts` are names inside of nodes that on another level may be the node's result; `marks` join
    tensors of no node. A file has none.
    """

    arrays: Mapping[str, Array]
    tolerances: Mapping[str, float]
    parts: frozenset[str] = frozenset()
    marks: Marks = field(default_factory=dict)

    @property
    def lacks_nodes(self) -> bool:
        """Most tensors are of no node of the model."""
        return 2 * sum(name.startswith(INNER) for name in self.arrays) > len(self.arrays)


class TensorRecorder(Probe):
    """Keeps every tensor of every run by its name.

    Example: `recorder = TensorRecorder(); Session(module, observers=[recorder]).run(feeds)`
    """

    def __init__(self) -> None:
        super().__init__()
        self._runs: list[dict[str, Array]] = []

    def ends(self) -> None:
        """Name what the run gave."""
        names = named_tensors(self.program).items()
        self._runs.append({n: self.values[v] for n, v in names if v in self.values})

    def recording(self, stacked: bool = False) -> Recording:
        """Return the tensors of the last run; `stacked`: of all runs, along a new leading axis.

        A tensor that did not run in one of them is then left out.
        """
        allowed, names = tolerances(self.program), named_tensors(self.program)
        by_name = {name: allowed[value] for name, value in names.items()}
        arrays = stack(self._runs) if stacked else self._runs[-1]
        inner = {value for values in node_tensors(self.program).values() for value in values[1:]}
        parts = frozenset(name for name, value in names.items() if value in inner)
        kept = {name: by_name[name] for name in arrays}
        return Recording(arrays, kept, parts & arrays.keys(), marks(self.program, names))


def stack(runs: Sequence[Mapping[str, Array]]) -> dict[str, Array]:
    """Stack the tensors that every run has."""
    names = [name for name in runs[0] if all(name in run for run in runs)] if runs else []
    return {name: np.stack([run[name] for run in runs]) for name in names}


def write_recording(path: str | Path, recording: Recording) -> None:
    """Write the tensors to an .npz file by their names, and what tells their tolerances."""
    allowed = np.array([recording.tolerances[name] for name in recording.arrays], np.float64)
    parts = np.array(sorted(recording.parts), np.str_)
    write_npz(path, {**recording.arrays, _TOLERANCES: allowed, _PARTS: parts})


def read_recording(path: str | Path) -> Recording:
    """Read tensors from a file of `write_recording`, or any .npz file, by the dtypes in it."""
    arrays = read_npz(path)
    stated, parts = arrays.pop(_TOLERANCES, None), arrays.pop(_PARTS, np.array([], np.str_))
    if stated is None:
        sizes = {d.storage: FLOATS[d] for d in FLOATS if not d.extends_numpy}
        return Recording(arrays, {n: sizes.get(a.dtype, 0.0) for n, a in arrays.items()})
    if stated.shape != (len(arrays),) or stated.dtype != np.float64:
        problem = f"'{_TOLERANCES}' is no number for each tensor"
        raise fail(str(path), problem, "write the file anew by htp probe")
    by_name = dict(zip(arrays, stated.tolist(), strict=True))
    return Recording(arrays, by_name, frozenset(map(str, parts.flat)) & arrays.keys())
