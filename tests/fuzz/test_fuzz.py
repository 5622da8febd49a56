"""A few mutated inputs of each kind in each run of the tests, and the harness itself."""

import os
import signal
from collections.abc import Callable

import pytest
from htp_mlir.dialects.diagnostics import Fault, HtpError
from htp_mlir.lowering.importers.support.registry import domain_of
from htp_mlir.lowering.packages import Packages

from . import __main__ as fuzz
from . import cases
from .cases import Outcome, run_case
from .models import models

FILES = (
    "arrays",
    "tensors",
    "plans",
    "journals",
    "nets",
    "summaries",
    "encodings",
    "definitions",
    "lists",
)
TORCH = [
    pytest.mark.needs("torch"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning"),
    pytest.mark.slow,
]
PROGRAMS = pytest.param("programs", marks=TORCH)
MORE = (
    *(("texts", 132), ("models", 500), ("packages", 300), ("written", 300)),
    *((name, 300) for name in FILES),
    pytest.param("programs", 60, marks=TORCH),
)


def run_all(fuzzer: str, seeds: range) -> list[Outcome]:
    outcomes = [run_case(fuzzer, fuzz.FUZZERS[fuzzer], seed) for seed in seeds]
    assert "\n".join(str(one.failure) for one in outcomes if one.failure) == ""
    return outcomes


@pytest.mark.parametrize("fuzzer", [PROGRAMS if f == "programs" else f for f in fuzz.FUZZERS])
def test_a_few_mutations(fuzzer: str) -> None:
    run_all(fuzzer, range(12))


@pytest.mark.slow
@pytest.mark.parametrize(("fuzzer", "last"), MORE)
def test_more_mutations(fuzzer: str, last: int) -> None:
    outcomes = run_all(fuzzer, range(12, last))
    assert {one.refused for one in outcomes} == {True, False}


def test_every_importer_is_touched() -> None:
    touched = {(domain_of(node.domain), node.op_type) for m in models() for node in m.graph.node}
    assert set(Packages().importers) - touched == set()


def test_a_case_that_goes_wrong_tells_how_to_repeat_it() -> None:
    def broken(seed: int) -> None:
        raise KeyError(f"seed {seed}")

    lines = str(run_case("texts", broken, 7).failure).splitlines()
    assert lines[:2] == [
        "texts, seed 7; repeat it with",
        "  .venv/bin/python -m tests.fuzz texts --seed 7",
    ]
    assert lines[-1] == "KeyError: 'seed 7'"


def busy(seed: int) -> None:
    while True:
        seed += 1


def garrulous(seed: int) -> None:
    raise HtpError(Fault("a", "b", "\n".join("c" * 20)))


def refused(seed: int) -> None:
    raise HtpError(Fault("a", "b", "c"))


@pytest.mark.parametrize(
    ("case", "problem"),
    [
        pytest.param(busy, "TooSlow: still running after 1 s", marks=pytest.mark.slow),
        (garrulous, "a: b"),
    ],
)
def test_cases_that_fail(
    case: Callable[[int], None], problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cases, "SECONDS", 1)
    assert problem in str(run_case("texts", case, 0).failure)


def test_a_case_that_takes_too_much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    peaks = iter((300, 300 + cases.MEBIBYTES + 1))
    monkeypatch.setattr(cases, "peak_mebibytes", lambda: next(peaks))
    failure = run_case("texts", lambda seed: None, 0).failure
    assert failure is not None
    assert failure.problem == f"it took {cases.MEBIBYTES + 1} MiB of memory"


def large(seed: int) -> None:
    assert b"x" * (seed << 20)


def test_the_memory_of_a_case_is_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cases, "MEBIBYTES", 64)
    outcomes = [run_case("texts", large, mebibytes) for mebibytes in (48, 96)]
    assert [one.failure is None for one in outcomes] == [True, False]


def test_a_case_that_is_refused_in_words() -> None:
    assert run_case("texts", refused, 0) == Outcome(refused=True)


def deadly(seed: int) -> None:
    if seed == 1:
        os._exit(3)


def stuck(seed: int) -> None:
    if seed == 1:
        signal.pause()


@pytest.mark.parametrize(
    ("case", "problem"), [(deadly, "died, exit code 3"), (stuck, "gave nothing for 3 s")]
)
def test_a_case_that_ends_or_stops_its_process(
    case: Callable[[int], None], problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(fuzz.FUZZERS, "texts", case)
    monkeypatch.setattr(fuzz, "_GRACE", 3)
    first, second, third = fuzz.outcomes("texts", 0, 3)
    assert (first, third) == (Outcome(), Outcome())
    assert f"its process {problem}" in str(second.failure)
