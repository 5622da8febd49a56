"""`python -m tests.fuzz`: many cases of the fuzzers, or one again.

Cases run in processes of their own, one after the other, so that a case that hangs or kills its
process is a failure like any other.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection

from .cases import SECONDS, Case, Failure, Outcome, run_case
from .file_cases import (
    arrays_case,
    arrays_of,
    definitions_case,
    definitions_of,
    encodings_case,
    encodings_of,
    journal_of,
    journals_case,
    list_of,
    lists_case,
    net_of,
    nets_case,
    plan_of,
    plans_case,
    summaries_case,
    summary_of,
    tensors_case,
    tensors_of,
)
from .model_case import model_case, model_of
from .package_case import package_of, packages_case
from .program_case import program_of, programs_case
from .text_case import text_case, text_of
from .written_case import written_case, written_of

FUZZERS: dict[str, Case] = {
    "texts": text_case,
    "models": model_case,
    "arrays": arrays_case,
    "tensors": tensors_case,
    "plans": plans_case,
    "journals": journals_case,
    "nets": nets_case,
    "summaries": summaries_case,
    "encodings": encodings_case,
    "definitions": definitions_case,
    "lists": lists_case,
    "packages": packages_case,
    "programs": programs_case,
    "written": written_case,
}
INPUTS: dict[str, Callable[[int], object]] = {
    "texts": text_of,
    "models": model_of,
    "arrays": arrays_of,
    "tensors": tensors_of,
    "plans": plan_of,
    "journals": journal_of,
    "nets": net_of,
    "summaries": summary_of,
    "encodings": encodings_of,
    "definitions": definitions_of,
    "lists": list_of,
    "packages": package_of,
    "programs": program_of,
    "written": written_of,
}

_GRACE = 6 * SECONDS
"""Seconds after which a process is taken to hang where no signal reaches it."""
_LOADING = 60 * SECONDS
"""Seconds that a process has for what its inputs are made from, torch among it."""


def outcomes(fuzzer: str, first: int, last: int) -> Iterator[Outcome]:
    """Yield the outcomes of the seeds from `first` up to `last`, in order."""
    fork = get_context("fork")
    while first < last:
        ours, theirs = fork.Pipe(duplex=False)
        process = fork.Process(target=_work, args=(fuzzer, first, last, ours, theirs))
        process.start()
        theirs.close()
        for outcome in _received(ours, last - first):
            first += 1
            yield outcome
        if first < last:
            process.join(1)
            died = f"its process died, exit code {process.exitcode}"
            hangs = f"its process gave nothing for {_GRACE} s"
            problem = hangs if process.is_alive() else died
            process.kill()
            yield Outcome(failure=Failure(fuzzer, first, problem))
            first += 1
        process.join()


def _work(fuzzer: str, first: int, last: int, parents: Connection, results: Connection) -> None:
    # With this end closed a process ends, by a send that fails, when its parent is gone.
    parents.close()
    # What the inputs are made from is loaded now, so that it is not the time of a case.
    INPUTS[fuzzer](first)
    results.send(None)
    for seed in range(first, last):
        results.send(run_case(fuzzer, FUZZERS[fuzzer], seed))


def _received(results: Connection, count: int) -> Iterator[Outcome]:
    """Yield what a process sends once it has loaded, until it has sent all, ends or hangs."""
    for seconds in (_LOADING, *[_GRACE] * count):
        try:
            if not results.poll(seconds):
                return
            if (outcome := results.recv()) is not None:
                yield outcome
        except EOFError:
            return


def _main() -> int:
    parser = argparse.ArgumentParser("tests.fuzz", description=__doc__)
    parser.add_argument("fuzzer", choices=FUZZERS)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--seed", type=int, help="repeat this one and print its input")
    arguments = parser.parse_args()
    first, last = arguments.first, arguments.first + arguments.cases
    if arguments.seed is not None:
        first, last = arguments.seed, arguments.seed + 1
        print(INPUTS[arguments.fuzzer](first))
    counts: Counter[str] = Counter()
    for outcome in outcomes(arguments.fuzzer, first, last):
        kind = "failed" if outcome.failure else "refused" if outcome.refused else "taken"
        counts[kind] += 1
        if outcome.failure:
            print(outcome.failure, flush=True)
    print(arguments.fuzzer, dict(counts))
    return int(counts["failed"] > 0)


if __name__ == "__main__":
    sys.exit(_main())
