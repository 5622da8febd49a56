"""A case of onnx's backend tests: a model, and what it should make of some data."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import numpy as np
import onnx
from htp_mlir.dialects.spec_of import Array
from onnx import ModelProto, TensorProto, numpy_helper

Arrays = Sequence[Array]


class NoTensor(Exception):
    """Raised where the data of a case are a sequence, or nothing."""


@dataclass(frozen=True)
class Case:
    """One backend test: a model, its data sets of inputs and outputs, and the suite's tolerances.

    `folder` is where model and data lie; a node test has both in memory.
    """

    suite: str
    name: str
    rtol: float
    atol: float
    folder: Path | None = None
    built: ModelProto | None = None
    data: Sequence[tuple[Sequence[object], Sequence[object]]] = ()

    def model(self) -> ModelProto:
        """Return a copy of the model."""
        if self.built is None:
            return onnx.load(str(self.folder / "model.onnx") if self.folder else "")
        model = ModelProto()
        model.CopyFrom(self.built)
        return model

    def data_sets(self) -> Iterator[tuple[Arrays, Arrays]]:
        """Yield inputs and expected outputs; all of them must be tensors."""
        for inputs, outputs in self.data:
            yield [*map(_array, inputs)], [*map(_array, outputs)]
        for folder in sorted(self.folder.glob("test_data_set_*")) if self.folder else ():
            yield [*_arrays(folder, "input")], [*_arrays(folder, "output")]


def _array(value: object) -> Array:
    if isinstance(value, TensorProto):
        return numpy_helper.to_array(value)
    if not isinstance(value, np.ndarray | np.generic):
        raise NoTensor(f"{type(value).__name__} is no tensor")
    return np.asarray(value)


def _arrays(folder: Path, kind: str) -> Iterator[Array]:
    for index in count():
        path = folder / f"{kind}_{index}.pb"
        if not path.exists():
            return
        yield numpy_helper.to_array(TensorProto.FromString(path.read_bytes()))
