"""Frames cut from samples: each has `size` of them and begins `hop` after the one before."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..functions.support.arrays import Array
from .samples import Samples


class Frames:
    """The frames of a source of samples, each as soon as its last sample is there.

    `count` counts the frames so far, `left` the samples at the end of the source that no frame was
    complete for.
    Example: samples 0 to 6 in frames of 4 with hop 2 are 0 1 2 3 and 2 3 4 5; 1 is left.
    """

    def __init__(self, samples: Samples, size: int, hop: int) -> None:
        self.left = self.count = 0
        self._samples, self._size, self._hop = samples, size, hop

    def __iter__(self) -> Iterator[Array]:
        window, kept = self._samples.read(self._size), 0
        while len(window) == self._size:
            self.count += 1
            yield window
            overlap, skipped = window[self._hop :], max(self._hop - self._size, 0)
            while skipped and (block := self._samples.read(min(skipped, self._size))).size:
                skipped -= len(block)
            kept = len(overlap)
            window = np.concatenate([overlap, self._samples.read(self._size - kept)])
        self.left = len(window) - kept
