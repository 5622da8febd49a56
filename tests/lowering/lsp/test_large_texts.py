"""Texts that are large without a reason: time grows with their length, and depth has a bound."""

from collections.abc import Callable
from time import perf_counter

import pytest
from htp_mlir.lowering.lsp.answers import completions
from htp_mlir.lowering.lsp.statements import statements

from .client import faults, live

PARTS = 8
"""Times that the longer one of two texts is as long as the other."""


def seconds(work: Callable[[int], object], size: int) -> float:
    """Time the fastest of three runs."""
    times = list[float]()
    for _ in range(3):
        begin = perf_counter()
        work(size)
        times.append(perf_counter() - begin)
    return min(times)


def open_brackets(count: int) -> None:
    (whole,) = statements(["("] * count)
    assert whole.end == count


def one_word(size: int) -> None:
    assert len(faults("a" * size)) == 1


def inner_brackets(size: int) -> None:
    assert len(faults(f"f{'(' * size}{')' * size}")) == 1


@pytest.mark.parametrize(
    ("work", "size"), [(open_brackets, 4_000), (one_word, 1 << 14), (inner_brackets, 1 << 13)]
)
def test_time_grows_with_the_length(work: Callable[[int], object], size: int) -> None:
    """To look at all that is open for each bracket, or at all names, takes the square of it."""
    work(size)
    assert seconds(work, PARTS * size) < 3 * PARTS * seconds(work, size)


@pytest.mark.parametrize("head", ["", "// RUN: htp-opt "])
def test_a_long_word_is_completed_in_a_time_that_its_length_gives(head: str) -> None:
    """A pattern that begins anywhere in the word takes the square of it, 3 s."""

    def complete(size: int) -> None:
        text = live()
        text.update(head + "a" * size)
        dict(completions(text, 0, len(head) + size)[1])

    complete(1 << 13)
    assert seconds(complete, PARTS << 13) < 3 * PARTS * seconds(complete, 1 << 13)


def test_modules_that_are_nested_too_deeply_are_a_fault() -> None:
    first, last = faults("module {\n" * 2000)
    problem = "is nested too deeply, 65 brackets inside each other"
    assert first == f"model.mlir:65:8: {problem}\n  at most 64 are taken"
    assert last.startswith("model.mlir:2000:8: '{' is never closed")
    assert faults("module {\n" * 64 + "}\n" * 64) == []
