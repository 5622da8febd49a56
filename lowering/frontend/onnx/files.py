"""From a file to a ModelProto, with external data read only from the model's own folder."""

from __future__ import annotations

from pathlib import Path

from onnx import ModelProto

from ....dialects.diagnostics import Fault, HtpError, fail
from .external import external_tensors, load_external

_LIMIT = 2**31 - 1
"""Protobuf refuses messages of 2 GB and more."""


def read_model(path: Path) -> ModelProto:
    """Read a model with its external data; HtpError where the file is no whole model."""
    try:
        if path.stat().st_size > _LIMIT:
            raise fail(str(path), "is larger than 2 GB", "store the weights as external data")
        data = path.read_bytes()
    except OSError as error:
        raise fail(str(path), error.strerror or str(error), "give a readable file") from error
    model = parse_model(data, str(path))
    faults = [
        Fault(f"{path}: tensor '{tensor.name}'", problem, "keep weights beside the model file")
        for tensor in external_tensors(model)
        if (problem := load_external(tensor, path.parent))
    ]
    if faults:
        raise HtpError(*faults)
    return model


def parse_model(data: bytes, where: str) -> ModelProto:
    """Return the model in these bytes; HtpError where they are empty, cut off or something else."""
    if not data:
        raise fail(where, "is empty", "export the model again")
    model = ModelProto()
    try:
        model.ParseFromString(data)
    except Exception as error:
        # What it raises on bad bytes differs between protobuf's backends.
        raise fail(where, "is no ONNX model, or only a part of one", "export it again") from error
    missing = [name for name in ("ir_version", "graph") if not model.HasField(name)]
    missing += [] if model.opset_import else ["opset_import"]
    if missing:
        raise fail(where, f"is no whole ONNX model: no {', '.join(missing)}", "export it again")
    return model
