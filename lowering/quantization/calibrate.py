"""Calibration: the ranges of a graph's tensors over a set of inputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ...dialects.diagnostics import fail
from ...dialects.faults.arguments import MANY, MODULE, TEXT, arguments
from ...dialects.qti_aisw.base import GraphOp
from ...dialects.qti_aisw.ops.const import ConstOp
from ...runtime.functions.support.arrays import Array
from ...runtime.kernel.library import LIBRARY, Library
from ...runtime.program.program import Bindings, Program
from ...runtime.session.observer import Observer, StepView
from ...runtime.session.session import Session
from .encodings import Encodings, activation_dtype, grid
from .groups import clipped, groups_of, is_real
from .methods import Histogram, method_of
from .names import tensor_names
from .params import param_encodings

Feeds = Iterable[Mapping[str, ArrayLike]]


class Calibration(Observer):
    """Gathers the numbers of a session's f32 tensors, over as many runs as there are."""

    def __init__(self) -> None:
        self.histograms: dict[SSAValue, Histogram] = {}
        """The distribution of each tensor that was computed."""
        self.unbounded: set[SSAValue] = set()
        """The tensors that were infinite, or no number, at some inference."""
        self.runs = 0
        """The inferences that were counted."""

    def attached(self, program: Program, bindings: Bindings) -> None:
        """Note the inputs, which no step computes."""
        self._inputs = {value: bindings.tensor(value) for value in program.inputs.values()}

    def begins(self) -> None:
        """Count the inputs."""
        self.runs += 1
        for value, tensor in self._inputs.items():
            self._add(value, tensor.load())

    def after(self, view: StepView) -> None:
        """Count the results of a step that has any."""
        if not view.ready():
            return
        for value, tensor in zip(view.step.writes, view.results, strict=True):
            self._add(value, tensor.load())

    def _add(self, value: SSAValue, array: Array) -> None:
        if not is_real(value):
            return
        if np.isfinite(array).all():
            self.histograms.setdefault(value, Histogram()).add(array)
        else:
            self.unbounded.add(value)


@arguments(module=MODULE, feeds=MANY, method=TEXT, activations=TEXT, library=LIBRARY)
def calibrate(
    module: ModuleOp,
    feeds: Feeds,
    *,
    method: str = "min-max",
    activations: str = "u8",
    library: Library | None = None,
) -> Encodings:
    """Return the encodings of a graph's f32 tensors from its runs on `feeds`.

    `feeds` are successive inferences, by input name: state is kept from one to the next, as on a
    stream; an input that resets it starts another. `method` is one of METHODS, `activations` one of
    ACTIVATIONS. Tensors that an op only moves share the encoding of what it moves; weights are i8,
    an encoding for each output channel. A tensor that is not finite gets no encoding, and stays in
    floats. HtpError where there are no feeds.
    """
    chosen, dtype = method_of(method), activation_dtype(activations)
    calibration = Calibration()
    session = Session(module, observers=[calibration], library=library)
    for feed in feeds:
        session.run(feed)
    if not calibration.runs:
        raise fail("calibration", "there are no inputs", "give at least one inference")
    ranges = {
        value: chosen(histogram, dtype)
        for group, histogram in _totals(groups_of(module), calibration)
        for value in group
    }
    names = tensor_names(module)
    encodings = {}
    for value, name in names.items():
        # Of a tensor that is only clipped, the range that the clip leaves.
        last = value
        while (after := clipped(last)) is not None:
            last = after
        if last in ranges and not isinstance(value.owner, ConstOp):
            encodings[name] = grid(*ranges[last], dtype)
    return Encodings(encodings, param_encodings(module, names, dtype))


def _totals(
    groups: Iterable[Sequence[SSAValue]], calibration: Calibration
) -> Iterator[tuple[Sequence[SSAValue], Histogram]]:
    """Yield each group that was computed and is finite, with its distribution."""
    for group in groups:
        constants = [value.owner.array for value in group if isinstance(value.owner, ConstOp)]
        counted = [value for value in group if value in calibration.histograms]
        finite = calibration.unbounded.isdisjoint(group) and all(
            np.isfinite(array).all() for array in constants
        )
        if counted and finite:
            total = Histogram()
            for array in constants:
                total.add(array)
            for value in counted:
                # Numbers that are moved are the same numbers again.
                moved = isinstance(value.owner, GraphOp) and value.owner.keeps_encoding
                (total.cover if moved else total.merge)(calibration.histograms[value])
            yield group, total
