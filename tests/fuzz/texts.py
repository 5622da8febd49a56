"""Texts to mutate: those of the .mlir tests and examples, and what they are lowered to."""

import re
from dataclasses import dataclass
from functools import cache
from random import Random

from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.lowering import lower
from htp_mlir.runtime import parse_module
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.utils.exceptions import VerifyException

from ..support.paths import ROOT
from ..support.roundtrip import to_text

_PIPELINE = re.compile(r"-p '([^']+)'|-p (\S+)")
_LEVELS = ("graph", "native", "placed", "allocated")

SMALL = 2**20
"""Bytes of all tensors of a module that is lowered or run; more may take its time rightly."""


@dataclass(frozen=True)
class Source:
    """A text to mutate, and the pipeline of its RUN line."""

    text: str
    pipeline: str


@cache
def _sources() -> tuple[Source, ...]:
    files = sorted([*(ROOT / "tests").rglob("*.mlir"), *(ROOT / "docs").rglob("*.mlir")])
    return tuple(piece for file in files for piece in _pieces(file.read_text(encoding="utf-8")))


def _pieces(text: str) -> list[Source]:
    match = _PIPELINE.search(text)
    pipeline = (match[1] or match[2]) if match else ""
    code = [re.sub(r"//(?! ?-----).*", "", line).rstrip() for line in text.splitlines()]
    pieces = "\n".join(line for line in code if line).split("// -----")
    return [Source(piece.strip(), pipeline) for piece in pieces if piece.strip()]


def drawn(random: Random) -> Source:
    """Return a text as it is written, or lowered to one of the levels where that works."""
    source = random.choice(_sources())
    level = random.choice(_LEVELS)
    return source if level == "graph" else _lowered(source, level)


@cache
def _lowered(source: Source, level: str) -> Source:
    try:
        module = parse_module(source.text)
        if "qti_aisw" in source.text and tensor_bytes(module) <= SMALL:
            return Source(to_text(lower(module, level=level)), "")
    except HtpError:
        pass
    return source


def tensor_bytes(module: ModuleOp) -> int:
    """Return the bytes of all results and arguments that are tensors of ours."""
    blocks = [block for op in module.walk() for region in op.regions for block in region.blocks]
    values = [*(arg for block in blocks for arg in block.args)]
    values += [value for op in module.walk() for value in op.results]
    total = 0
    for value in values:
        if isinstance(value.type, TensorType):
            try:
                total += spec_of(value).nbytes
            except VerifyException:
                continue
    return total
