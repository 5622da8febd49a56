"""What block ops are for, measured: found whatever tools do, and quantised as a whole.

`make bench-block-ops` exports many spellings with both of PyTorch's exporters at several opsets, as
they are and simplified, and counts; then it quantises models with block ops and without. `--save
FILE` writes the page. Needs PyTorch.
"""

from __future__ import annotations

import argparse
import io
import logging
import os
import platform
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np
import onnx
import onnx.inliner
import onnx.version_converter
import onnxruntime as ort
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import import_model
from htp_mlir.lowering.frontend.onnx.blocks import add_functions
from htp_mlir.lowering.packages.loading import installed
from htp_mlir.lowering.passes.graph.raise_ops import RaiseBlockOps
from htp_mlir.runtime import Session
from onnx.helper import make_tensor_value_info

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.benchmarks.block_op_accuracy import ACCURACY, accuracy_tables  # isort: skip

if TYPE_CHECKING:
    from block_spellings import Spelling

EXPORTS = (
    *(("script", opset) for opset in (13, 15, 17, 20)),
    *(("dynamo", opset) for opset in (18, 20, *range(24, onnx.defs.onnx_opset_version() + 1))),
)
"""Exporters with the opsets of their models, up to onnx's newest."""
NEWEST = 25
"""The newest opset that PyTorch writes; onnx's converter takes its models to newer ones."""
ERROR = 1e-4
"""Largest error of a raised model, against PyTorch."""

HEADING = f"""# Block ops benchmark

What `make bench-block-ops` printed: first how often an op is found, then what quantising it as a
whole is worth.

## Found

Each spelling is a small PyTorch function, exported by both exporters (TorchScript at opsets 13 to
20, dynamo at 18 to {NEWEST}, converted by onnx to newer ones), and read as exported, as ONNX
Runtime's basic optimisations leave it, as the optimiser of onnxscript does, which leaves functions
alone, and as onnx's inliner does, which writes them out. *found* counts the models in which
`qti-raise-block-ops` finds the op, of all that could be written and read; every one of them gives
PyTorch's numbers afterwards. The last rows of each op are the block op itself, a module of
`htp_mlir.lowering.frontend.torch`, which is found where its body is written out, too. A Buffer has
no row: no rules find it, and its body, which is Identity, leaves nothing of it behind. LayerNorm,
Gelu and Attention have no block op.

## Quantised

{ACCURACY}"""


@dataclass
class Count:
    """The models of one spelling: how many had the op, of how many, in each way to simplify."""

    spelling: Spelling
    finds: Counter[str]
    total: Counter[str]


def main() -> None:
    """Print the table; with `--save`, write the page."""
    parser = argparse.ArgumentParser("bench_block_ops", description=__doc__)
    parser.add_argument("--save", type=Path, metavar="FILE", help="the page to write")
    arguments = parser.parse_args()
    if find_spec("torch") is None:
        sys.exit("bench-block-ops: PyTorch is not there\n  pip install 'htp-mlir[torch]'")
    os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")
    from block_spellings import spellings

    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    counts = [counted(spelling) for spelling in spellings()]
    text = f"{page(counts)}\n{accuracy_tables()}"
    print(text, end="")
    if arguments.save:
        arguments.save.write_text(f"{HEADING}\n{text}", encoding="utf-8")


def counted(spelling: Spelling) -> Count:
    """Count the op in all models of a spelling."""
    count = Count(spelling, Counter(), Counter())
    expected = results(spelling)
    for exporter, opset in EXPORTS:
        model = exported(spelling, exporter, opset)
        for way, simplify in WAYS.items() if model is not None else ():
            simple = simplify(model)
            verdict = None if simple is None else found(simple, spelling, expected)
            if verdict is not None:
                count.total[way] += 1
                count.finds[way] += verdict
    return count


def results(spelling: Spelling) -> list[np.ndarray]:
    """What PyTorch computes of the example."""
    import torch
    from htp_mlir.lowering.frontend.torch import reset_states

    with torch.no_grad():
        values = spelling.module.eval()(*spelling.args)
    reset_states(spelling.module)
    return [value.numpy() for value in (values if isinstance(values, tuple) else (values,))]


def exported(spelling: Spelling, exporter: str, opset: int) -> onnx.ModelProto | None:
    """Export a spelling; None where the exporter cannot."""
    from htp_mlir.lowering.frontend.torch import export_onnx

    names = [f"x{number}" for number in range(len(spelling.args))]
    newest = exporter == "dynamo"
    options = {"verbose": False, "external_data": False} if newest else {}
    with TemporaryDirectory() as folder, quiet():
        path = Path(folder) / "model.onnx"
        try:
            export_onnx(
                *(spelling.module, spelling.args, path),
                **{"dynamo": newest, "opset_version": min(opset, NEWEST), "input_names": names},
                **options,
            )
            return converted(onnx.load(path), opset)
        except Exception:
            return None


def converted(model: onnx.ModelProto, opset: int) -> onnx.ModelProto | None:
    """Take a model to a newer opset; None where the exporter wrote another than asked for."""
    (written,) = (each.version for each in model.opset_import if not each.domain)
    if opset > NEWEST == written:
        model = onnx.version_converter.convert_version(model, opset)
        add_functions(model)
    return model if written == min(opset, NEWEST) else None


def by_onnxruntime(model: onnx.ModelProto) -> onnx.ModelProto | None:
    """What ONNX Runtime's basic optimisations make of a model; None where it cannot load it."""
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.log_severity_level = 4
    with TemporaryDirectory() as folder:
        options.optimized_model_filepath = str(Path(folder) / "simple.onnx")
        try:
            ort.InferenceSession(model.SerializeToString(), options)
        except Exception:
            return None
        return onnx.load(options.optimized_model_filepath)


def by_onnxscript(model: onnx.ModelProto) -> onnx.ModelProto:
    """What the optimiser of onnxscript makes of a model, functions left alone."""
    from onnxscript import optimizer

    with quiet():
        return optimizer.optimize(model, inline=False)


def by_inliner(model: onnx.ModelProto) -> onnx.ModelProto | None:
    """What onnx's inliner makes of a model: functions written out; None where it cannot."""
    typed = onnx.ModelProto()
    typed.CopyFrom(model)
    known = {value.name for value in typed.graph.value_info}
    # It asks for the types of constants, which not all exporters state.
    typed.graph.value_info.extend(
        make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)
        for tensor in typed.graph.initializer
        if tensor.name not in known
    )
    try:
        return onnx.inliner.inline_local_functions(typed, convert_version=True)
    except Exception:
        return None


WAYS: dict[str, Callable[[onnx.ModelProto], onnx.ModelProto | None]] = {
    "as exported": lambda model: model,
    "onnxruntime": by_onnxruntime,
    "onnxscript": by_onnxscript,
    "inlined": by_inliner,
}
"""The ways to simplify."""


def found(model: onnx.ModelProto, spelling: Spelling, expected: list[np.ndarray]) -> bool | None:
    """Tell whether the op is in the raised model; None where it cannot be read."""
    try:
        module = import_model(model)
    except HtpError:
        return None
    with quiet():
        RaiseBlockOps().apply(installed().context(), module)
    session = Session(module)
    values = {f"x{number}": value.numpy() for number, value in enumerate(spelling.args)}
    feeds = {name: values[name] for name in session.inputs}
    for wanted, result in zip(expected, session.run(feeds).values(), strict=True):
        error = float(np.max(np.abs(np.asarray(result) - wanted)))
        if not error <= ERROR:
            sys.exit(f"{spelling.op}, {spelling.name}: the raised model differs by {error:.1e}")
    return any(op.name == f"qti_aisw.{spelling.op}" for op in module.walk())


def page(counts: list[Count]) -> str:
    """Return the heading of this run and its tables."""
    packages = ("torch", "onnx", "onnxscript", "onnxruntime")
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    lines = [
        f"## Found, {datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "",
        f"Python {platform.python_version()}, {versions}.",
        "",
        "| op | spellings | found by rules | as exported | the block op | as exported |",
        "|---|---|---|---|---|---|",
        *summary(counts),
        "",
        f"| op | spelling | found | {' | '.join(WAYS)} |",
        f"|---|---|---|{'---|' * len(WAYS)}",
    ]
    ops = dict.fromkeys(count.spelling.op for count in counts)
    ordered = sorted(counts, key=lambda count: list(ops).index(count.spelling.op))
    for count in ordered:
        cells = [ratio([count], way) for way in (None, *WAYS)]
        lines.append(f"| {count.spelling.op} | {count.spelling.name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def summary(counts: list[Count]) -> Iterator[str]:
    """Yield a row for each op."""
    for op in dict.fromkeys(count.spelling.op for count in counts):
        own = [count for count in counts if count.spelling.op == op]
        rules = [count for count in own if not count.spelling.is_block_op]
        blocks = [count for count in own if count.spelling.is_block_op]
        cells = [
            ratio(part, way) if part else "-"
            for part in (rules, blocks)
            for way in (None, "as exported")
        ]
        yield f"| {op} | {len(rules)} | {' | '.join(cells)} |"


def ratio(counts: list[Count], way: str | None) -> str:
    """Return how many were found of all, in one way to simplify or in all."""
    ways = WAYS if way is None else [way]
    hits, total = (
        sum(part[way] for part in parts for way in ways)
        for parts in ([count.finds for count in counts], [count.total for count in counts])
    )
    return f"{hits} of {total}"


class quiet(redirect_stdout[io.StringIO]):
    """What exporters print is not shown."""

    def __init__(self) -> None:
        super().__init__(io.StringIO())
        self._stderr = redirect_stderr(io.StringIO())

    def __enter__(self) -> io.StringIO:
        self._stderr.__enter__()
        return super().__enter__()

    def __exit__(self, *details: object) -> None:
        super().__exit__(*details)
        self._stderr.__exit__(*details)


if __name__ == "__main__":
    main()
