"""A run on successive frames of samples: arrays, raw numbers on a pipe, audio files.

Results are printed as they come, and states go on from step to step.
"""

from __future__ import annotations

import json
import sys
import wave
from argparse import Namespace
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import prod
from typing import TYPE_CHECKING, BinaryIO, Protocol

import numpy as np
from numpy.typing import ArrayLike

from ...dialects.diagnostics import CHECK_PATH, counted, fail, listed
from ...dialects.faults.op_faults import STDIN_NAME
from ...dialects.value import DType, TensorSpec
from ..files.arrays import read_npy
from ..functions.support.arrays import Array
from ..functions.support.arrays import DType as NumpyType
from ..session.feeds import spec_text
from ..session.session import Session, run_step
from ..tools.summary import described
from .flags import DTYPES, STDIN, WAV, suffix_of

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

    def __init__(self, stream: BinaryIO, dtype: NumpyType, row: tuple[int, ...] = ()) -> None:
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
def opened(file: str, floats: bool, stdin: BinaryIO, dtype: NumpyType) -> Iterator[Samples]:
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


_SHOWN = 8
"""The most elements of a result that are written out in text."""

Results = Mapping[str, Array]


def text_line(step: int, results: Results) -> str:
    """Write results of up to 8 elements unchanged, larger ones by their range."""
    parts = (f"{name} {_text(value)}" for name, value in results.items())
    return f"step {step}: {'; '.join(parts)}\n"


def json_line(step: int, results: Results) -> str:
    """Write all elements; null is one that is not a finite number."""
    outputs = {name: _elements(value).tolist() for name, value in results.items()}
    return f"{json.dumps({'step': step, 'outputs': outputs})}\n"


def _text(value: Array) -> str:
    if not 0 < value.size <= _SHOWN:
        return described(value)
    return " ".join(f"{float(number):.6g}" for number in value.ravel())


def _elements(value: Array) -> Array:
    """Return an array whose list JSON takes."""
    numbers = value if value.dtype.isbuiltin == 1 else value.astype(np.float64)
    if numbers.dtype.kind != "f":
        return numbers
    objects = numbers.astype(object)
    objects[~np.isfinite(numbers)] = None
    return objects


Specs = Mapping[str, TensorSpec]


def _streamed_input(specs: Specs, fixed: Mapping[str, object], name: str | None) -> str:
    """Choose the input that takes the frames: `name`, or the only one that could.

    A truth value is not a candidate: it is a reset more often than not.
    """
    if name is not None and name not in specs:
        raise fail("htp stream", f"the model has no input '{name}'", listed(name, specs))
    if name in fixed:
        raise fail("htp stream", f"'{name}' is fixed too", "leave one of them out")
    free = [n for n, s in specs.items() if n not in fixed and s.dtype is not DType.Bool8]
    chosen = [name] if name else free
    if len(chosen) != 1:
        names = ", ".join(f"'{name}'" for name in free) or "none"
        problem = f"one input is to take the frames, and those that are free are {names}"
        raise fail("htp stream", problem, "name it by NAME=FILE, fix others by --const or -i")
    return chosen[0]


def _other_inputs(specs: Specs, fixed: Mapping[str, ArrayLike], streamed: str) -> dict[str, Array]:
    """Return a value for each other input: the fixed one, or false for a truth value."""
    unknown = [name for name in fixed if name not in specs]
    if unknown:
        raise fail("htp stream", f"no input '{unknown[0]}'", listed(unknown[0], specs))
    feeds: dict[str, Array] = {}
    for name, spec in specs.items():
        if name in fixed:
            value = np.asarray(fixed[name])
            feeds[name] = value.reshape(spec.shape) if value.size == prod(spec.shape) else value
        elif name != streamed and spec.dtype is DType.Bool8:
            feeds[name] = np.zeros(spec.shape, np.bool_)
        elif name != streamed:
            problem = f"input '{name}' has no value"
            raise fail("htp stream", problem, f"give {spec_text(spec)} by --const or -i")
    return feeds


def _samples_per_frame(name: str, spec: TensorSpec, row: tuple[int, ...], source: str) -> int:
    """Count the samples that fill an input; HtpError where a sample has other last dims."""
    dims, own = ([n for n in shape if n != 1] for shape in (spec.shape, row))
    elements = prod(spec.shape)
    fits = dims[max(len(dims) - len(own), 0) :] == own
    if not (fits and elements):
        sample = "x".join(map(str, own)) or "a number"
        problem = f"a sample is {sample}, and input '{name}' takes {spec_text(spec)}"
        raise fail(source, problem, "give samples of the input's last dims, time in front")
    return elements // prod(row)


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


def run_frames(session: Session, arguments: Namespace, fixed: Mapping[str, ArrayLike]) -> None:
    """Print one line for each step in which any output ran, until the frames end.

    The end is that of the file or pipe, a reader that goes away, or Ctrl-C: the states are saved
    then, where that is asked for. HtpError where frames and model do not fit, or a step fails.
    """
    name = _streamed_input(session.inputs, fixed, arguments.frames.input)
    spec = session.inputs[name]
    others = _other_inputs(session.inputs, fixed, name)
    dtype = np.dtype(DTYPES[arguments.dtype]) if arguments.dtype else spec.dtype.storage
    path = arguments.frames.path
    source = STDIN_NAME if path == STDIN else path
    write = json_line if arguments.json else text_line
    try:
        with opened(path, spec.dtype.is_float, sys.stdin.buffer, dtype) as samples:
            size = _samples_per_frame(name, spec, samples.row, source)
            frames = Frames(samples, size, arguments.hop or size)
            for step, frame in enumerate(frames):
                feeds = {**others, name: frame.reshape(spec.shape)}
                outputs = run_step(session, feeds, step)
                results = {key: value for key, value in outputs.items() if value is not None}
                if results:
                    sys.stdout.write(write(step, results))
                    sys.stdout.flush()
    except (BrokenPipeError, KeyboardInterrupt):
        _save(session, arguments)
        raise
    _save(session, arguments)
    if not frames.count:
        problem = f"has {counted(frames.left, 'sample')}, and no whole frame of {size}"
        raise fail(source, problem, "give a longer stream")
    if frames.left:
        left = "sample makes" if frames.left == 1 else f"{frames.left} samples make"
        print(f"{source}: the last {left} no whole frame", file=sys.stderr)


def _save(session: Session, arguments: Namespace) -> None:
    if arguments.save_state:
        session.save_state(arguments.save_state)
