"""A model at each level, and how far its results are from ONNX Runtime's."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import onnxruntime
from htp_mlir.dialects.spec_of import Array
from htp_mlir.lowering import load_module, lower
from htp_mlir.runtime import Session
from htp_mlir.runtime.tools.summary import random_inputs

from ..support.judge import judge_options

FOLDER = Path(__file__).parent / "onnx"
TCM_BYTES = 1 << 20
TOLERANCES = {"f": 1e-5, "e": 2e-3}
"""Largest error of f32 and f16 outputs, relative to the largest number of the output.

An f16 number has 11 bits, so a rounding is an error of up to 5e-4, and ONNX Runtime rounds at
other places; the largest of the f16 models is below 1e-3.
"""


def names() -> list[str]:
    """The models by folder, as `vision/resnet.torchscript`."""
    return sorted(str(path.relative_to(FOLDER).with_suffix("")) for path in FOLDER.rglob("*.onnx"))


def path_of(name: str) -> Path:
    """The file of a model."""
    return FOLDER / f"{name}.onnx"


class Judged:
    """A model, inputs for it, and the outputs that ONNX Runtime has for them."""

    def __init__(self, path: Path) -> None:
        self.module = load_module(path)
        self.feeds = _feeds(Session(self.module))
        judge = onnxruntime.InferenceSession(str(path), judge_options())
        outputs = [output.name for output in judge.get_outputs()]
        self.expected = dict(zip(outputs, judge.run(None, self.feeds), strict=True))

    def errors(self) -> Iterator[tuple[str, dict[str, float]]]:
        """Yield each level and the error of each output there."""
        graph = Session(self.module).run(self.feeds)
        yield "graph", self._errors(graph)
        lowered = lower(self.module, tcm_bytes=TCM_BYTES)
        yield "allocated", self._errors(Session(lowered, check=True).run(self.feeds))

    def tolerance(self, output: str) -> float:
        """The largest error of an output; integers must be equal."""
        return TOLERANCES.get(self.expected[output].dtype.char, 0.0)

    def _errors(self, outputs: Mapping[str, Array | None]) -> dict[str, float]:
        return {name: error(outputs[name], wanted) for name, wanted in self.expected.items()}


def error(got: Array | None, wanted: Array) -> float:
    """The largest difference by the largest wanted number; infinity where form or NaNs differ."""
    if got is None or (got.dtype, got.shape) != (wanted.dtype, wanted.shape):
        return np.inf
    if np.array_equal(got, wanted):
        return 0.0
    apart = np.max(np.abs(np.float64(got) - np.float64(wanted)))
    scale = np.max(np.abs(np.float64(wanted)))
    return float(apart / scale) if np.isfinite(apart) and scale else np.inf


def _feeds(session: Session) -> dict[str, Array]:
    """Draw floats, and integers from 0 to 3, which every model takes; masks are 0 or 1."""
    arrays = random_inputs(session.inputs, 0)
    generator = np.random.default_rng(0)
    for name, array in arrays.items():
        if array.dtype.kind == "i" and "mask" not in name:
            array[...] = generator.integers(0, 4, array.shape)
    return arrays
