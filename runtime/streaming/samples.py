"""Sources of samples: arrays, raw numbers on a pipe, audio files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from typing import BinaryIO, Protocol

import numpy as np

from ...dialects.diagnostics import fail
from ..files.arrays import read_npy
from ..functions.support.arrays import Array, DType
from .flags import STDIN, WAV, suffix_of
from .wav import wav_samples


class Samples(Protocol):
    """A source that is read from front to end; `row` is the shape of one sample."""

    @property
    def row(self) -> tuple[int, ...]: ...

    def read(self, count: int) -> Array:
        """Return the next samples [count, *row], fewer only at the end of the source."""


class ArraySamples:
    """The samples of an array: its leading axis is time."""

    def __init__(self, array: Array) -> None:
        self.row = array.shape[1:]
        self._array, self._at = array, 0

    def read(self, count: int) -> Array:
        """Return the next samples; fewer at the end."""
        self._at, start = self._at + count, self._at
        return self._array[start : self._at]


class RawSamples:
    """The samples of a binary stream: numbers without a header, `row` of them each."""

    def __init__(self, stream: BinaryIO, dtype: DType, row: tuple[int, ...] = ()) -> None:
        self.row = row
        self._stream, self._dtype = stream, dtype
        self._bytes = dtype.itemsize * prod(row)

    def read(self, count: int) -> Array:
        """Wait for the next samples; fewer at the end, where a broken one is dropped."""
        data = self._stream.read(count * self._bytes)
        whole = len(data) // self._bytes
        numbers = np.frombuffer(data[: whole * self._bytes], self._dtype)
        return numbers.reshape(whole, *self.row)


@contextmanager
def opened(file: str, floats: bool, stdin: BinaryIO, dtype: DType) -> Iterator[Samples]:
    """Open a .wav or .npy file, or `stdin` with numbers of `dtype`; HtpError where it is broken.

    `floats` says that a model takes floats: samples of audio are then from -1 to 1.
    """
    if file == STDIN:
        yield RawSamples(stdin, dtype)
    elif suffix_of(file) == WAV:
        with wav_samples(file, floats) as samples:
            yield samples
    else:
        array = read_npy(file)
        if array.ndim == 0:
            raise fail(file, "holds a single number", "give an array with time in front")
        yield ArraySamples(array)
