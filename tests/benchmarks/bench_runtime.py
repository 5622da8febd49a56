"""Compare the runtime's speed with ONNX Runtime's: `python tests/benchmarks/bench_runtime.py`.

Prints markdown tables. Exit status 1 where a workload fails or the engines disagree.
"""

import argparse
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import onnx
from engines import Engine, htp_sessions, onnx_runtime, reference
from htp_mlir.dialects.diagnostics import HtpError
from measure import measure, worst_error
from report import BASE, Failure, Result, save, section
from workloads import WORKLOADS, Workload

TOLERANCE = 1e-4
"""Largest error, relative to an output's scale, at which f32 engines still agree."""
ENGINES: dict[str, Callable[[Path, str], list[Engine]]] = {
    "ort": lambda path, soc: [onnx_runtime(path, 1), onnx_runtime(path, 2)],
    "htp-mlir": lambda path, soc: htp_sessions(path, soc, 1, 2),
    "reference": lambda path, soc: [reference(path)],
}
SLOW = frozenset({"reference"})


def main() -> int:
    """Run the chosen workloads and print, or also save, the tables."""
    options = _options()
    results: list[Result | Failure] = []
    for name in options.only or WORKLOADS:
        print(f"{name} ...", file=sys.stderr, flush=True)
        results.append(_attempt(WORKLOADS[name](), options.soc, options.rounds))
    text = section(results, ["ORT-1", "ORT-2", "htp-mlir-1", "htp-mlir-2", "reference"])
    print(text)
    if options.save is not None:
        save(options.save, text)
    bad = [result for result in results if not _good(result)]
    return int(bool(bad))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    choices = list(WORKLOADS)
    parser.add_argument("--only", action="append", choices=choices, help="may be given often")
    parser.add_argument("--rounds", type=int, help="as many as fit in about 16 s by default")
    parser.add_argument("--soc", default="SM8650", help="what htp-mlir lowers for")
    parser.add_argument("--save", type=Path, metavar="FILE", help="put the tables into a page too")
    return parser.parse_args()


def _attempt(workload: Workload, soc: str, rounds: int | None) -> Result | Failure:
    try:
        return _run(workload, soc, rounds)
    except HtpError as error:
        return Failure(workload.title, str(error))
    except Exception as error:  # the other workloads are still worth their time
        traceback.print_exc()
        return Failure(workload.title, f"{type(error).__name__}: {error}")


def _run(workload: Workload, soc: str, rounds: int | None) -> Result:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.onnx"
        onnx.save(workload.model, path)
        engines = [engine for make in ENGINES.values() for engine in make(path, soc)]
    outputs = {engine.name: engine.run(workload.inputs) for engine in engines}
    errors = {name: worst_error(results, outputs[BASE]) for name, results in outputs.items()}
    timings = measure(engines, SLOW, workload.inputs, rounds)
    return Result(workload.title, timings, errors, {e.name: e.prepare for e in engines})


def _good(result: Result | Failure) -> bool:
    if isinstance(result, Failure):
        print(f"not measured: {result.title}", file=sys.stderr)
        return False
    wrong = {name: error for name, error in result.errors.items() if not error <= TOLERANCE}
    for name, error in wrong.items():
        print(f"{result.title}: {name} is off by {error:.1e}", file=sys.stderr)
    return not wrong


if __name__ == "__main__":
    sys.exit(main())
