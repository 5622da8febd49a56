"""A model at each level, and how far its results are from ONNX Runtime's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from htp_mlir.dialects.dense import Array
from htp_mlir.lowering import load_module, lower
from htp_mlir.runtime import Session
from htp_mlir.runtime.tools.summary import random_inputs

FOLDER = Path(__file__).parent / "onnx"
TCM_BYTES = 1 << 20
LEVELS = ("graph", "allocated")
TOLERANCES = {np.dtype(np.float32): 1e-5, np.dtype(np.float16): 1e-2}
"""Largest error relative to the largest number of an output.

f16 has 11 bits, so each rounding is an error of up to 5e-4; ONNX Runtime rounds at other places.
"""


def models() -> list[str]:
    """The names of the models, as `vision/resnet.torchscript`."""
    return sorted(str(path.relative_to(FOLDER).with_suffix("")) for path in FOLDER.rglob("*.onnx"))


def path_of(name: str) -> Path:
    return FOLDER / f"{name}.onnx"


class Judged:
    """A model with inputs and the outputs that ONNX Runtime has for them."""

    def __init__(self, path: Path) -> None:
        self.module = load_module(path)
        self.feeds = _feeds(Session(self.module))
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        options.intra_op_num_threads = 1
        judge = onnxruntime.InferenceSession(str(path), options)
        names = [output.name for output in judge.get_outputs()]
        self.expected = dict(zip(names, judge.run(None, self.feeds), strict=True))

    def errors(self) -> Iterator[tuple[str, dict[str, float]]]:
        """Yield each level and the error of each output there, integers as 0 or infinity."""
        graph = Session(self.module).run(self.feeds)
        yield "graph", self._errors(graph)
        lowered = lower(self.module, tcm_bytes=TCM_BYTES)
        yield "allocated", self._errors(Session(lowered, check=True).run(self.feeds))

    def _errors(self, outputs: Mapping[str, Array | None]) -> dict[str, float]:
        return {name: error(outputs[name], wanted) for name, wanted in self.expected.items()}


def error(got: Array | None, wanted: Array) -> float:
    """The largest difference by the largest wanted number; infinity where kinds or shapes differ."""
    if got is None or (got.dtype, got.shape) != (wanted.dtype, wanted.shape):
        return np.inf
    if wanted.dtype.kind != "f":
        return 0.0 if np.array_equal(got, wanted) else np.inf
    apart = np.max(np.abs(np.float64(got) - np.float64(wanted)), initial=0.0)
    return float(apart / np.max(np.abs(np.float64(wanted)), initial=1e-30))


def _feeds(session: Session) -> dict[str, Array]:
    """Draw floats, and integers from 0 to 3, which every model takes."""
    arrays = random_inputs(session.inputs, 0)
    generator = np.random.default_rng(0)
    return {
        name: array
        if array.dtype.kind == "f"
        else generator.integers(0, 4, array.shape).astype(array.dtype)
        for name, array in arrays.items()
    }
