"""A mutated ONNX model on its way through the importer: run, or refused in words."""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import load_onnx
from htp_mlir.runtime import Session
from htp_mlir.runtime.tools.summary import random_inputs
from onnx import ModelProto

from .model_mutations import mutated
from .models import WEIGHTS, models, weights
from .texts import SMALL, tensor_bytes

_DIMS = {"batch": 2}


def model_of(seed: int) -> ModelProto:
    """Return the model of a seed."""
    return _drawn(seed)[1]


def model_case(seed: int) -> None:
    """Import the model of a seed from a file; lower and run what is imported, if it is small."""
    random, model = _drawn(seed)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.onnx"
        path.write_bytes(model.SerializeToString())
        (path.parent / WEIGHTS).write_bytes(weights())
        module = load_onnx(path, dims=dims_of(model))
    if tensor_bytes(module) <= SMALL:
        session = Session(lower(module) if random.random() < 0.2 else module)
        session.run(random_inputs(session.inputs, 0))


def dims_of(model: ModelProto) -> dict[str, int] | None:
    """Return sizes of the symbolic dims of a model's inputs; None where it has none."""
    types = (value.type.tensor_type for value in model.graph.input)
    return _DIMS if any(dim.dim_param for each in types for dim in each.shape.dim) else None


def _drawn(seed: int) -> tuple[Random, ModelProto]:
    random = Random(f"model {seed}")
    model, other = random.choice(models()), random.choice(models())
    return random, mutated(random, model, other)
