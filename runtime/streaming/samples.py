"""Sources of samples: arrays, raw numbers on a pipe, audio files."""

from __future__ import annotations

import wave
from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from typing import TYPE_CHECKING, BinaryIO, Protocol

import numpy as np

from ...dialects.diagnostics import CHECK_PATH, fail
from ..files.arrays import read_npy
from ..functions.support.arrays import Array, DType
from .flags import STDIN, WAV, suffix_of

if TYPE_CHECKING:
    from soundfile import SoundFile


_WIDEST = 4
"""The most bytes of a sample of PCM."""
_BROKEN = "give a WAV file of PCM or float samples"
_EXTRA = "pip install 'htp-mlir[audio]', or convert it to plain PCM"


class WavSamples:
    """The samples of an open file of PCM: integers about 0, or floats from -1 to 1.

    One of several channels has the shape [channels]. 8-bit samples, which are stored from 0 to
    255, come from -128 to 127.
    """

    def __init__(self, file: wave.Wave_read, floats: bool) -> None:
        self._file, self._floats = file, floats
        self._width, self._channels = file.getsampwidth(), file.getnchannels()
        self.row = (self._channels,) if self._channels > 1 else ()

    def read(self, count: int) -> Array:
        """Return the next samples; fewer at the end."""
        data = np.frombuffer(self._file.readframes(count), np.uint8)
        whole = data.size // (self._width * self._channels)
        samples = data[: whole * self._width * self._channels].reshape(-1, self._width)
        # Each sample becomes the upper bytes of 32 bits, so that its sign is theirs.
        wide = np.zeros((len(samples), _WIDEST), np.uint8)
        wide[:, _WIDEST - self._width :] = samples
        if self._width == 1:
            wide ^= np.array([0, 0, 0, 0x80], np.uint8)
        high = wide.view("<i4").reshape(whole, *self.row)
        return high / 2.0**31 if self._floats else high >> (32 - 8 * self._width)


class SoundSamples:
    """The samples of an open file of any form that soundfile reads, as floats."""

    def __init__(self, file: SoundFile) -> None:
        self._file = file
        self.row = (file.channels,) if file.channels > 1 else ()

    def read(self, count: int) -> Array:
        """Return the next samples; fewer at the end."""
        samples: Array = self._file.read(count, dtype="float64", always_2d=True)
        return samples.reshape(len(samples), *self.row)


@contextmanager
def wav_samples(path: str, floats: bool) -> Iterator[WavSamples | SoundSamples]:
    """Open an audio file; HtpError where it cannot be read, or needs soundfile that is missing."""
    if _is_pcm(path):
        with wave.open(path, "rb") as file:
            yield WavSamples(file, floats)
    else:
        with _any_form(path) as samples:
            yield samples


def _is_pcm(path: str) -> bool:
    """Tell whether the standard library reads a file; HtpError for one that is not a WAV file."""
    try:
        with wave.open(path, "rb") as file:
            width = file.getsampwidth()
    except OSError as error:
        raise fail(path, error.strerror or str(error), CHECK_PATH) from error
    except (EOFError, RuntimeError) as error:
        # The second is for a part whose stated length leads past the end of the file.
        raise fail(path, "ends before its samples begin", _BROKEN) from error
    except wave.Error as error:
        if str(error).startswith("unknown format"):
            return False
        raise fail(path, f"is no WAV file: {error}", _BROKEN) from error
    if width > _WIDEST:
        problem = f"has samples of {8 * width} bits, more than {8 * _WIDEST}"
        raise fail(path, problem, _BROKEN)
    return True


@contextmanager
def _any_form(path: str) -> Iterator[SoundSamples]:
    try:
        import soundfile
    except (ImportError, OSError) as error:
        raise fail(path, "is no plain PCM, and soundfile is not installed", _EXTRA) from error
    try:
        file = soundfile.SoundFile(path)
    except soundfile.LibsndfileError as error:
        raise fail(path, f"cannot be read: {error.error_string}", _BROKEN) from error
    with file:
        yield SoundSamples(file)


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
