"""Synthetic audio for the keyword spotter: chirps in noise, and their feature frames.

Everything follows from a seed, so that training, the demonstration and the tests hear the same.
"""

from collections.abc import Callable
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

SAMPLE_RATE = 8000
"""Samples per second."""
HOP = 128
"""Samples from one frame to the next (16 ms)."""
WINDOW = 256
"""Samples that one frame looks at (32 ms)."""
BANDS = 40
"""Features of a frame."""
HOP_S = HOP / SAMPLE_RATE
"""Seconds from one frame to the next."""

_FFT = 512
_LOWEST_HZ, _HIGHEST_HZ = 200.0, 3800.0
_LOG_MEAN, _LOG_SCALE = -1.5, 1.5
_RAMP_S = 0.02

Samples = NDArray[np.float32]
Signal = NDArray[np.float64]


class Label(IntEnum):
    """What the model tells apart; the value is the index of its probability."""

    BACKGROUND = 0
    RISING = 1
    FALLING = 2

    def __str__(self) -> str:
        return self.name.lower()


class Event(NamedTuple):
    """One chirp: where it starts and ends, in seconds, and what it is."""

    start_s: float
    end_s: float
    label: Label


def synthesise(seed: int, seconds: float) -> tuple[Samples, list[Event]]:
    """Noise with chirps and distractors in it, and the list of the chirps.

    Level, start, length and slope are random. Distractors (steady and warbling tones, bursts of
    noise, clicks) are no events: the model is to ignore them.
    """
    rng = np.random.default_rng(seed)
    background = _noise(rng, int(seconds * SAMPLE_RATE))
    audio = background * rng.uniform(0.01, 0.03)
    events: list[Event] = []
    start_s = rng.uniform(0.5, 1.0)
    while (end_s := start_s + rng.uniform(0.35, 0.7)) < seconds - 0.4:
        begin, end = int(start_s * SAMPLE_RATE), int(end_s * SAMPLE_RATE)
        label, sound = _sound(rng, end - begin)
        loudness = float(np.std(audio[begin:end])) * 10 ** (rng.uniform(0, 16) / 20)
        audio[begin:end] += sound * loudness
        if label is not Label.BACKGROUND:
            events.append(Event(start_s, end_s, label))
        start_s = end_s + rng.uniform(0.4, 1.2)
    return audio.astype(np.float32), events


def frames(audio: Samples) -> NDArray[np.float32]:
    """Feature frames [n, 40]: log energies of 40 mel-spaced bands, about zero mean, unit scale.

    Frame i sees the samples i * HOP up to i * HOP + WINDOW. Audio shorter than WINDOW gives none.
    """
    if audio.size < WINDOW:
        return np.zeros((0, BANDS), np.float32)
    pieces = np.lib.stride_tricks.sliding_window_view(audio, WINDOW)[::HOP]
    spectrum = np.abs(np.fft.rfft(pieces * np.hanning(WINDOW), _FFT)) ** 2
    energies = np.log(spectrum @ _band_filters() + 1e-4)
    return ((energies - _LOG_MEAN) / _LOG_SCALE).astype(np.float32)


def _band_filters() -> Signal:
    """Triangular filters [frequency bins, 40], equally wide on the mel scale."""
    low, high = (1127 * np.log1p(hz / 700) for hz in (_LOWEST_HZ, _HIGHEST_HZ))
    corners = 700 * np.expm1(np.linspace(low, high, BANDS + 2) / 1127)
    hz = np.fft.rfftfreq(_FFT, 1 / SAMPLE_RATE)[:, None]
    rise = (hz - corners[:-2]) / (corners[1:-1] - corners[:-2])
    fall = (corners[2:] - hz) / (corners[2:] - corners[1:-1])
    filters: Signal = np.maximum(0, np.minimum(rise, fall))
    return filters


def _noise(rng: Generator, count: int) -> Signal:
    """Noise of unit power whose spectrum falls off by a random amount."""
    spectrum = np.fft.rfft(rng.standard_normal(count))
    spectrum *= np.maximum(np.linspace(0, 1, spectrum.size), 0.01) ** -rng.uniform(0, 0.4)
    noise: Signal = np.fft.irfft(spectrum, count)
    return noise / float(np.std(noise))


def _sound(rng: Generator, count: int) -> tuple[Label, Signal]:
    """A chirp (70 % of the time) or a distractor, with soft edges and unit power."""
    label = Label(rng.choice(3, p=[0.3, 0.35, 0.35]))
    sound = _DISTRACTORS[rng.integers(4)](rng, count) if label == 0 else _chirp(rng, count, label)
    edge = np.arange(count) / (_RAMP_S * SAMPLE_RATE)
    sound *= np.minimum(1, np.minimum(edge, edge[::-1]))
    return label, sound / np.sqrt(np.mean(sound**2))


def _tone(rng: Generator, hz: Signal) -> Signal:
    """A tone along the given frequencies, with a weak second harmonic."""
    phase = 2 * np.pi * np.cumsum(hz) / SAMPLE_RATE
    return np.sin(phase) + rng.uniform(0, 0.3) * np.sin(2 * phase)


def _chirp(rng: Generator, count: int, label: Label) -> Signal:
    low = rng.uniform(300, 1400)
    hz = low * rng.uniform(1.6, 2.6) ** np.linspace(0, 1, count)
    return _tone(rng, hz if label is Label.RISING else hz[::-1])


def _steady(rng: Generator, count: int) -> Signal:
    return _tone(rng, np.full(count, rng.uniform(300, 3000)))


def _warble(rng: Generator, count: int) -> Signal:
    swing = np.sin(2 * np.pi * rng.uniform(5, 9) * np.arange(count) / SAMPLE_RATE)
    return _tone(rng, rng.uniform(500, 2500) * (1 + 0.1 * swing))


def _burst(rng: Generator, count: int) -> Signal:
    return rng.standard_normal(count)


def _clicks(rng: Generator, count: int) -> Signal:
    sound = 0.01 * rng.standard_normal(count)
    sound[rng.integers(count // 4, 3 * count // 4, 3)] += 1
    return sound


_DISTRACTORS: tuple[Callable[[Generator, int], Signal], ...] = (_steady, _warble, _burst, _clicks)
