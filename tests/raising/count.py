"""Counts how many of the spellings in models/ one graph op takes the place of."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from htp_mlir.dialects.qti_aisw import GRAPH_OPS, GraphOp
from htp_mlir.dialects.text.constant import Constant
from htp_mlir.lowering.frontend.onnx import load_onnx
from htp_mlir.lowering.packages.loading import installed
from htp_mlir.lowering.passes.graph.raise_ops import Raise
from xdsl.dialects.builtin import ModuleOp

MODELS = sorted((Path(__file__).parent / "models").glob("*.onnx"))
"""The models that `export.py` wrote."""


@dataclass(frozen=True)
class Spelling:
    """One model: the op that it computes, the way it is written, and its ops before and after."""

    name: str
    exporter: str
    before: Counter[str]
    after: Counter[str]

    @property
    def op(self) -> str:
        """The op by its mnemonic, whether there is one or not."""
        return self.name.partition("-")[0]

    @property
    def verdict(self) -> str:
        """The end of the spelling: raised, as it was, an op from the start, or no op to be."""
        if self.before == Counter({self.op: 1}):
            return "one op already"
        if self.op in self.after and self.op not in self.before:
            return "raised"
        return "left" if self.op in GRAPH_OPS else "no graph op"


def spelling(path: Path) -> Spelling:
    """Import a model, raise it, and count."""
    name, exporter, _ = path.name.split(".")
    module = load_onnx(path)
    before = ops(module)
    raised(module)
    return Spelling(name, exporter, before, ops(module))


def raised(module: ModuleOp) -> ModuleOp:
    """Run the pass on a module, in place."""
    Raise().apply(installed().context(), module)
    return module


def ops(module: ModuleOp) -> Counter[str]:
    """Count the ops of a graph by mnemonic, without constants."""
    inner = (op for op in module.walk() if isinstance(op, GraphOp) and not isinstance(op, Constant))
    return Counter(op.name.partition(".")[2] for op in inner)


def page(spellings: list[Spelling]) -> str:
    """Return the counts and the table of all spellings, as Markdown."""
    counts = Counter(each.verdict for each in spellings)
    total = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
    lines = [f"{len(spellings)} models: {total}.", "", _row("spelling", *_HEAD), _row(*"-----")]
    lines += [
        _row(
            each.name,
            each.exporter,
            str(each.before.total()),
            ", ".join(f"{name} {n}" if n > 1 else name for name, n in sorted(each.after.items())),
            each.verdict,
        )
        for each in spellings
    ]
    return "\n".join(lines) + "\n"


_HEAD = ("exporter", "ops before", "ops after", "verdict")


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"
