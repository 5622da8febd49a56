"""Interleaved timing of several engines on the same inputs, and whether they agree."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
from engines import Engine, Outputs, Run
from workloads import Inputs

SAMPLE_SECONDS = 0.002
"""Runs shorter than this are repeated inside one sample."""
SECONDS, LEAST_ROUNDS, MOST_ROUNDS = 16.0, 15, 400
"""What one workload may take, and the rounds that come of it."""
SLOW_EVERY = 10
"""A slow engine takes part in one of so many rounds."""


@dataclass(frozen=True)
class Timing:
    """Median seconds of one inference, the quartiles around it, and the number of samples."""

    median: float
    low: float
    high: float
    samples: int


def measure(
    engines: Sequence[Engine], slow: frozenset[str], inputs: Inputs, rounds: int | None
) -> dict[str, Timing]:
    """Time all engines round by round; `rounds` None fits as many as `SECONDS` allow."""
    once = {engine.name: _warm(engine.run, inputs) for engine in engines}
    repeats = {name: max(1, round(SAMPLE_SECONDS / seconds)) for name, seconds in once.items()}
    count = _rounds(once, repeats, slow) if rounds is None else rounds
    samples: dict[str, list[float]] = {engine.name: [] for engine in engines}
    for turn in range(count):
        shift = turn % len(engines)
        for engine in (*engines[shift:], *engines[:shift]):
            if engine.name not in slow or turn % SLOW_EVERY == 0:
                seconds = _sample(engine.run, inputs, repeats[engine.name])
                samples[engine.name].append(seconds)
    return {name: _timing(values) for name, values in samples.items()}


def worst_error(outputs: Outputs, expected: Outputs) -> float:
    """The largest difference, relative to the largest magnitude of that output."""
    if outputs.keys() != expected.keys():
        raise ValueError(f"outputs are {sorted(outputs)}, expected are {sorted(expected)}")
    return max(_error(outputs[name], expected[name]) for name in expected)


def _error(output: np.ndarray, expected: np.ndarray) -> float:
    if output.shape != expected.shape:
        raise ValueError(f"an output has shape {output.shape}, expected is {expected.shape}")
    difference = np.abs(output.astype("f8") - expected.astype("f8")).max()
    return float(difference / np.abs(expected).max())


def _warm(run: Run, inputs: Inputs) -> float:
    """The best time of a few first runs."""
    return min(_sample(run, inputs, 1) for _ in range(3))


def _sample(run: Run, inputs: Inputs, repeats: int) -> float:
    start = time.perf_counter()
    for _ in range(repeats):
        run(inputs)
    return (time.perf_counter() - start) / repeats


def _rounds(once: dict[str, float], repeats: dict[str, int], slow: frozenset[str]) -> int:
    shares = {name: 1 / SLOW_EVERY if name in slow else 1 for name in once}
    a_round = sum(once[name] * repeats[name] * shares[name] for name in once)
    return min(MOST_ROUNDS, max(LEAST_ROUNDS, int(SECONDS / a_round)))


def _timing(values: list[float]) -> Timing:
    low, high = np.quantile(values, [0.25, 0.75])
    return Timing(median(values), float(low), float(high), len(values))
