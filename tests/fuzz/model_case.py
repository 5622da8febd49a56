"""A mutated ONNX model on its way through the importer: run, or refused in words."""

from __future__ import annotations

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
        symbolic = any(d.dim_param for v in model.graph.input for d in v.type.tensor_type.shape.dim)
        module = load_onnx(path, dims=_DIMS if symbolic else None)
    if tensor_bytes(module) <= SMALL:
        session = Session(lower(module) if random.random() < 0.2 else module)
        session.run(random_inputs(session.inputs, 0))


def _drawn(seed: int) -> tuple[Random, ModelProto]:
    random = Random(f"model {seed}")
    model, other = random.choice(models()), random.choice(models())
    return random, mutated(random, model, other)
