"""Graphs of tests, calibrated and quantised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from htp_mlir.dialects.dense import Array
from htp_mlir.lowering.quantization import Encodings, calibrate, quantize
from xdsl.dialects.builtin import ModuleOp

from tests.support.graph import Model

Feeds = Sequence[Mapping[str, Array]]


def feeds_of(model: Model, count: int = 4) -> list[dict[str, Array]]:
    return [model.feeds(seed) for seed in range(count)]


def encodings_of(model: Model, method: str = "min-max", activations: str = "u8") -> Encodings:
    return calibrate(model.module, feeds_of(model), method=method, activations=activations)


def quantised(model: Model, activations: str = "u8") -> ModuleOp:
    return quantize(model.module, encodings_of(model, activations=activations))


def ops_of(module: ModuleOp) -> list[str]:
    """The mnemonics of a graph's ops but constants, in order."""
    names = [op.name.removeprefix("qti_aisw.") for op in module.walk()]
    return [name for name in names if "." not in name and name != "Const"]
