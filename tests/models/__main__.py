"""`python -m tests.models`: each model of the set, the level that it reaches and its errors."""

import argparse
import platform
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import onnx
from htp_mlir.lowering import HtpError

from .levels import Judged, names, path_of

HEADING = """# Models

What `python -m tests.models --save docs/models.md` printed on {date}: small models with seeded
random weights, as PyTorch {torch} exports them, by `torch.onnx.export` with `dynamo=False`
(torchscript) and `dynamo=True` (dynamo). `python -m tests.models.export` writes their files and
needs the extra `torch`; stack traces are taken out of them.

Each runs at the graph level, and lowered to the allocated level with 1 MiB of TCM and every access
checked. An error is the largest difference from ONNX Runtime's result, relative to the largest
number of the output; the suite allows 1e-5 in f32 and 2e-3 in f16, and none in integers.
htp-mlir {project}, onnx {onnx}, onnxruntime {onnxruntime}, numpy {numpy}, Python {python}.
"""
COLUMNS = ("model", "exporter", "opset", "nodes", "reaches", "error, graph", "error, allocated")


def row(name: str) -> list[str]:
    """The row of a model: what its file says, and how it fares."""
    path = path_of(name)
    model = onnx.load(path, load_external_data=False)
    opset = max(o.version for o in model.opset_import if not o.domain)
    title, _, exporter = name.rpartition(".")
    reached, *errors = fare(path)
    return [title, exporter, f"{opset}", f"{len(model.graph.node)}", reached, *errors]


def fare(path: Path) -> tuple[str, str, str]:
    """The last level that a model runs at, and its largest error at each; else why it does not."""
    reached, errors = "", ["", ""]
    try:
        for index, (level, outputs) in enumerate(Judged(path).errors()):
            reached, errors[index] = level, f"{max(outputs.values()):.0e}"
    except HtpError as refusal:
        errors[bool(reached)] = refusal.faults[0].problem
    return reached, errors[0], errors[1]


def table(rows: Sequence[Sequence[str]]) -> str:
    """The rows as a table of markdown."""
    lines = [COLUMNS, ["---"] * len(COLUMNS), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def page(rows: Sequence[Sequence[str]], torch: str) -> str:
    """The page that is kept, with the versions of what it was made with."""
    packages = {name: version(name) for name in ("onnx", "onnxruntime", "numpy")}
    date, python = f"{datetime.now(UTC):%Y-%m-%d}", platform.python_version()
    heading = HEADING.format(
        date=date, torch=torch, python=python, project=version("htp-mlir"), **packages
    )
    return f"{heading}\n{table(rows)}"


def versions() -> Iterator[str]:
    """The versions of PyTorch that the files say wrote them."""
    for name in names():
        yield onnx.load(path_of(name)).producer_version.partition("+")[0]


def _main() -> None:
    parser = argparse.ArgumentParser("tests.models", description=__doc__)
    parser.add_argument("--filter", default="", metavar="NAME", help="only names that hold this")
    parser.add_argument("--save", type=Path, metavar="PAGE", help="write the page")
    arguments = parser.parse_args()
    rows = [row(name) for name in names() if arguments.filter in name]
    print(table(rows), end="")
    if arguments.save:
        text = page(rows, ", ".join(sorted(set(versions()))))
        arguments.save.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    _main()
