"""Processor time, for tests that compare how work grows."""

from collections.abc import Callable
from time import process_time


def least_seconds(work: Callable[[], object]) -> float:
    """The least processor time of three runs; others may have met the garbage of many tests."""
    return min(_seconds(work) for _ in range(3))


def _seconds(work: Callable[[], object]) -> float:
    started = process_time()
    work()
    return process_time() - started
