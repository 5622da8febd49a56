"""A histogram that grows with its data: the numbers of a tensor over many inferences.

Algorithm: adaptive histogram. The range grows to hold each batch; the counts of the old bins move
to the new bin that holds their centre. One pass, O(numbers + bins) a batch. Example: bins of
[0, 4) that hold 1, 3 become, when an 8 arrives, half as many bins twice as wide.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...runtime.functions.support.arrays import Array

BINS = 2048
"""The bins of a histogram."""

Counts = NDArray[np.float64]


@dataclass
class Histogram:
    """The range and the distribution of numbers; 0 is always in the range."""

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
