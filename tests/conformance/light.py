"""The image models that onnx ships without their weights: drawn anew, judged by ONNX Runtime."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from htp_mlir.dialects.spec_of import Array
from htp_mlir.lowering.frontend.onnx.preparation.sizes import real_inputs
from onnx import GraphProto, ModelProto, NodeProto, ValueInfoProto, numpy_helper

from .case import Arrays, Case

FOLDER = Path(onnx.__file__).parent / "backend" / "test" / "data" / "light"
RTOL, ATOL = 1e-3, 1e-4
"""Tolerances of class scores before Softmax, which extend over 1 to 40."""


@dataclass(frozen=True)
class LightCase(Case):
    """A model of the suite; `folder` is its file. Its weights are made when it is asked for."""

    def model(self) -> ModelProto:
        """Return the model with weights; all callers share it."""
        return _weighted(self._file())

    def data_sets(self) -> Iterator[tuple[Arrays, Arrays]]:
        """Yield one image and the results of ONNX Runtime."""
        yield _judged(self._file())

    def _file(self) -> Path:
        if self.folder is None:
            raise ValueError(f"{self.name} has no file")
        return self.folder


def light_cases(part: str = "") -> list[Case]:
    """Return the cases whose names hold `part`."""
    return [
        LightCase("light", f"test_{path.stem}", RTOL, ATOL, path)
        for path in sorted(FOLDER.glob("*.onnx"))
        if part in f"test_{path.stem}"
    ]


@lru_cache(maxsize=1)
def _judged(path: Path) -> tuple[Arrays, Arrays]:
    model = _weighted(path)
    (image,) = real_inputs(model.graph)
    shape = [dim.dim_value for dim in image.type.tensor_type.shape.dim]
    x = np.random.default_rng(1).standard_normal(shape, np.float32)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    return [x], session.run(None, {image.name: x})


@lru_cache(maxsize=1)
def _weighted(path: Path) -> ModelProto:
    """Load a model with random weights in place of its constant ones, and its scores as a result.

    Each ConstantOfShape in the file stands for a weight.
    """
    model = onnx.load(path)
    graph = model.graph
    shapes = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    roles = dict(_roles(graph))
    random = np.random.default_rng(0)
    for node in graph.node:
        if node.op_type == "ConstantOfShape":
            array = _weight(random, shapes[node.input[0]], roles.get(node.output[0], ""))
            graph.initializer.append(numpy_helper.from_array(array, node.output[0]))
    kept = [node for node in graph.node if node.op_type != "ConstantOfShape"]
    del graph.node[:]
    graph.node.extend(kept)
    if kept[-1].op_type == "Softmax":
        graph.output.append(ValueInfoProto(name=kept[-1].input[0]))
    return model


def _roles(graph: GraphProto) -> Iterator[tuple[str, str]]:
    """Yield the names of weights that norms read, each with its role."""
    summed = {name for node in graph.node if node.op_type == "Sum" for name in node.input}
    norms: list[NodeProto] = [n for n in graph.node if n.op_type == "BatchNormalization"]
    for node in norms:
        yield node.input[1], "damping" if node.output[0] in summed else "scale"
        yield node.input[4], "variance"


def _weight(random: np.random.Generator, shape: Sequence[int], role: str) -> Array:
    """Draw a weight that keeps the extent of what passes through."""
    numbers = random.standard_normal(shape, np.float32)
    if role == "variance":
        return 1 + np.abs(numbers) / 10
    if role:
        # What is added to a shortcut is small beside it, else sums of sums grow.
        return (1 + numbers / 10) * np.float32(0.3 if role == "damping" else 1)
    inputs = int(np.prod(shape[1:]))
    return numbers * np.float32(np.sqrt(2 / inputs) if len(shape) > 1 else 0.1)
