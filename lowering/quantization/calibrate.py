"""Calibration: the ranges of a graph's tensors over a set of inputs.

Each method is a way to choose a range from the distribution of the numbers of a tensor.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ...dialects.diagnostics import fail, listed
from ...dialects.faults.arguments import MANY, MODULE, TEXT, arguments
from ...dialects.qti_aisw import ConstOp, GraphOp
from ...dialects.qti_aisw.ops.norm import SoftmaxOp
from ...dialects.value import DType
from ...runtime import Array, Observer, Session, StepView
from ...runtime.kernel.library import LIBRARY, Library
from ...runtime.program.program import Bindings, Program
from .encodings import Encodings, activation_dtype, grid, levels
from .fitting import tensor_names
from .groups import clipped, groups_of, is_real
from .params import param_encodings

BINS = 2048
"""The bins of a histogram."""

Counts = NDArray[np.float64]


@dataclass
class Histogram:
    """The range and the distribution of a tensor's numbers over many inferences.

    0 is always in the range. Algorithm: adaptive histogram. The range grows to hold each batch; the
    counts of the old bins move to the new bin that holds their centre. One pass, O(numbers + bins)
    a batch. Example: bins of [0, 4) that hold 1, 3 become, when an 8 arrives, half as many bins
    twice as wide.
    """

    low: float = 0.0
    high: float = 0.0
    counts: Counts = field(default_factory=lambda: np.zeros(BINS))

    @property
    def centers(self) -> Counts:
        """The middle of each bin."""
        edges = np.linspace(self.low, self.high, BINS + 1)
        return np.asarray((edges[:-1] + edges[1:]) / 2)

    def add(self, array: Array) -> None:
        """Count the numbers of an array, all of them finite."""
        if not array.size:
            return
        low, high = float(array.min()), float(array.max())
        self._grow(min(low, self.low), max(high, self.high))
        self.counts += self._counted(array)

    def cover(self, other: Histogram) -> None:
        """Take another's range in, and count nothing."""
        self._grow(min(other.low, self.low), max(other.high, self.high))

    def merge(self, other: Histogram) -> None:
        """Count what another histogram has counted."""
        self.cover(other)
        self.counts += self._counted(other.centers, other.counts)

    def _grow(self, low: float, high: float) -> None:
        if (low, high) == (self.low, self.high):
            return
        centers, counts = self.centers, self.counts
        self.low, self.high = low, high
        self.counts = self._counted(centers, counts)

    def _counted(self, array: Array, weights: Counts | None = None) -> Counts:
        if self.low == self.high:
            count = array.size if weights is None else weights.sum()
            return np.concatenate([[float(count)], np.zeros(BINS - 1)])
        numbers = array.astype(np.float64).reshape(-1)
        counts, _ = np.histogram(numbers, BINS, (self.low, self.high), weights=weights)
        return np.asarray(counts, np.float64)


Range = tuple[float, float]
Method = Callable[[Histogram, DType], Range]

TAIL = 0.00005
"""The part of the numbers that `percentile` leaves out at each end."""

_PARTS = np.geomspace(1.0, 0.02, 96)
"""The candidates of the searches: parts of the whole range, the whole one first."""


def min_max(histogram: Histogram, dtype: DType) -> Range:
    """Return the whole range."""
    return histogram.low, histogram.high


def percentile(histogram: Histogram, dtype: DType) -> Range:
    """Return the range without the outermost numbers of both ends."""
    reached = np.cumsum(histogram.counts) / max(histogram.counts.sum(), 1)
    width = (histogram.high - histogram.low) / histogram.counts.size
    first = int(np.searchsorted(reached, TAIL, "right"))
    last = int(np.searchsorted(reached, 1 - TAIL))
    last = min(last, histogram.counts.size - 1)
    return histogram.low + first * width, histogram.low + (last + 1) * width


def mse(histogram: Histogram, dtype: DType) -> Range:
    """Return the clipped range with the least mean squared error of its numbers."""
    return _least(histogram, dtype, _squared_error)


def entropy(histogram: Histogram, dtype: DType) -> Range:
    """Return the clipped range whose grid loses the least information (Kullback-Leibler).

    Source: S. Migacz, 8-bit Inference with TensorRT, GTC 2017; the correction for small samples is
    that of Miller and Madow.
    """
    if histogram.counts.sum() < histogram.counts.size:
        # Fewer numbers than bins are not a distribution.
        return min_max(histogram, dtype)
    return _least(histogram, dtype, _divergence)


METHODS: dict[str, Method] = {
    "min-max": min_max,
    "percentile": percentile,
    "mse": mse,
    "entropy": entropy,
}
"""The methods by name."""


def method_of(name: str) -> Method:
    """Return the method of this name; HtpError for one that is not known."""
    if name not in METHODS:
        raise fail(f"calibration method '{name}'", "is not known", listed(name, METHODS))
    return METHODS[name]


def _least(
    histogram: Histogram, dtype: DType, loss: Callable[[Histogram, Range, DType], float]
) -> Range:
    """Return the candidate with the least loss; of equal ones the widest.

    Both ends are clipped by the same part first, then each on its own.
    """
    whole = histogram.low, histogram.high
    best = whole
    for moves in ((True, True), (True, False), (False, True)):
        ranges = [best]
        for part in map(float, _PARTS):
            low, high = (
                end * part if m else kept for end, kept, m in zip(whole, best, moves, strict=True)
            )
            ranges.append((low, high))
        losses = [loss(histogram, each, dtype) for each in ranges]
        best = ranges[int(np.argmin(losses))]
    return best


def _squared_error(histogram: Histogram, clipped: Range, dtype: DType) -> float:
    """Sum the squared errors of the bins' centres, rounded to the grid of a range."""
    quant = grid(*clipped, dtype).quant
    if quant is None:
        raise TypeError(f"{dtype.name} has no grid")
    centers, bounds = histogram.centers, np.iinfo(dtype.storage.str)
    stored = np.rint(centers / quant.scale) + quant.zero_point
    reals = (np.clip(stored, bounds.min, bounds.max) - quant.zero_point) * quant.scale
    # Inside a bin numbers are even: a step narrower than a bin still has its own error.
    return float((histogram.counts * ((reals - centers) ** 2 + quant.scale**2 / 12)).sum())


def _divergence(histogram: Histogram, clipped: Range, dtype: DType) -> float:
    """Compare the distribution, outliers moved to the ends, with what the grid keeps of it."""
    centers = histogram.centers
    inside = (centers >= clipped[0]) & (centers <= clipped[1])
    if not inside.any():
        return float("inf")
    # The number 0 is on every grid: its many hits, as of Relu, say nothing about a range.
    counts = np.where(np.abs(centers) == np.abs(centers).min(), 0.0, histogram.counts)
    kept = counts[inside]
    real = kept.copy()
    first = int(np.argmax(inside))
    real[0] += counts[:first].sum()
    real[-1] += counts[first + kept.size :].sum()
    # Each step of the grid spreads its count evenly over its bins that are not empty.
    steps = np.minimum(np.arange(kept.size) * (levels(dtype) + 1) // kept.size, levels(dtype))
    filled = (kept > 0).astype(np.float64)
    total, used = np.bincount(steps, kept), np.bincount(steps, filled)
    spread = np.divide(total, used, out=np.zeros_like(total), where=used > 0)[steps] * filled
    if not spread.sum() or not real.sum():
        return float("inf")
    p, q = real / real.sum(), np.maximum(spread / spread.sum(), 1e-12)
    some = p > 0
    # Numbers that were drawn differ from bin to bin by chance: that much divergence is not a loss.
    chance = (used.sum() - (used > 0).sum()) / (2 * real.sum())
    return max(float((p[some] * np.log(p[some] / q[some])).sum()) - float(chance), 0.0)


Feeds = Iterable[Mapping[str, ArrayLike]]


class Calibration(Observer):
    """Gathers the numbers of a session's f32 tensors, over as many runs as there are."""

    def __init__(self, dtype: DType) -> None:
        self._weightless = 2 * math.log(levels(dtype))
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
            self.histograms.setdefault(value, Histogram()).add(self._with_say(value, array))
        else:
            self.unbounded.add(value)

    def _with_say(self, value: SSAValue, array: Array) -> Array:
        """Return the numbers of a tensor; of what only a Softmax reads those that have a say.

        A mask fills scores with -10000, or the lowest float. How far they are below the largest
        does not matter once their weight is less than a step of the weights squared, and a grid
        down to them would have no step for the others.
        """
        reader = value.get_user_of_unique_use()
        if not isinstance(reader, SoftmaxOp) or reader.beta.value.data <= 0:
            return array
        largest = array.max(axis=reader.int_param("axis"), keepdims=True, initial=-np.inf)
        least = largest - np.float32(self._weightless / reader.beta.value.data)
        return np.asarray(np.maximum(array, least))


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
    calibration = Calibration(dtype)
    session = Session(module, observers=[calibration], library=library)
    for feed in feeds:
        session.run(feed)
    if not calibration.runs:
        raise fail("calibration", "there are no inputs", "give at least one inference")
    ranges, floors = _ranges(groups_of(module), calibration, chosen, dtype)
    names = tensor_names(module)
    encodings = {}
    for value, name in names.items():
        # Of a tensor that is only clipped, the range that the clip leaves.
        last = value
        while (after := clipped(last)) is not None:
            last = after
        if last in ranges and not isinstance(value.owner, ConstOp):
            encodings[name] = grid(*ranges[last], dtype)
    return Encodings(encodings, param_encodings(module, names, dtype, encodings, floors))


def _ranges(
    groups: Sequence[Sequence[SSAValue]], calibration: Calibration, method: Method, dtype: DType
) -> tuple[dict[SSAValue, Range], dict[SSAValue, float]]:
    """Return the range of each tensor that was computed, and the floors of summands of scores."""
    totals = _totals(groups, calibration)
    ranges = {value: method(histogram, dtype) for group, histogram in totals for value in group}
    floors = dict(_floors(groups, ranges))
    for value in floors.keys() & ranges.keys():
        low, high = ranges[value]
        ranges[value] = max(low, min(floors[value], high)), high
    return ranges, floors


def _floors(
    groups: Iterable[Sequence[SSAValue]], ranges: Mapping[SSAValue, Range]
) -> Iterator[tuple[SSAValue, float]]:
    """Yield what is only added to scores of a Softmax, and the number at which all sums saturate.

    A mask needs no grid down to the lowest float, whose step is that of no sum.
    """
    for group in groups:
        values = [value for value in group if not isinstance(value.owner, ConstOp)] or group
        uses = [use for value in values for use in value.uses]
        readers = [use for use in uses if not getattr(use.operation, "keeps_encoding", False)]
        bounds = [_bound(use.operation, use.index, ranges) for use in readers]
        known = [bound for bound in bounds if bound is not None]
        if known and len(known) == len(bounds):
            yield from ((value, min(known)) for value in values)


def _bound(op: Operation, index: int, ranges: Mapping[SSAValue, Range]) -> float | None:
    """Return the number at which a summand of scores makes all sums the least that have a say."""
    if op.name != "qti_aisw.ElementWiseAdd":
        return None
    total, other = op.results[0], op.operands[1 - index]
    is_scored = isinstance(total.get_user_of_unique_use(), SoftmaxOp)
    if not (is_scored and total in ranges and other in ranges):
        return None
    return ranges[total][0] - ranges[other][1]


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
