"""From a file to a ModelProto, with external data read only from the model's own folder."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from onnx import AttributeProto, GraphProto, ModelProto, TensorProto

from ....dialects.diagnostics import Fault, HtpError, fail

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
        for tensor in external_tensors(model.graph)
        if (problem := _load(tensor, path.parent))
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


def external_tensors(graph: GraphProto) -> list[TensorProto]:
    """Return every tensor of a graph, subgraphs included, whose data is in another file."""
    tensors = list(graph.initializer)
    for node in graph.node:
        for attribute in node.attribute:
            tensors += [attribute.t] if attribute.type == AttributeProto.TENSOR else []
            if attribute.type == AttributeProto.GRAPH:
                tensors += external_tensors(attribute.g)
    return [tensor for tensor in tensors if tensor.data_location == TensorProto.EXTERNAL]


def _load(tensor: TensorProto, folder: Path) -> str:
    """Move external data into the tensor; what is wrong with it, or nothing."""
    entries = {entry.key: entry.value for entry in tensor.external_data}
    location = entries.get("location", "")
    path = _inside(folder, location)
    if path is None:
        return f"external data '{location}' is not inside the model's folder"
    try:
        offset, length = int(entries.get("offset", 0)), int(entries.get("length", -1))
        size = path.stat().st_size
        if offset < 0 or offset > size or (length >= 0 and offset + length > size):
            return f"external data '{location}' ends before the tensor does"
        with path.open("rb") as file:
            file.seek(offset)
            tensor.raw_data = file.read(length)
    except (OSError, ValueError) as error:
        return f"external data '{location}' cannot be read: {error}"
    tensor.data_location = TensorProto.DEFAULT
    del tensor.external_data[:]
    return ""


def _inside(folder: Path, location: str) -> Path | None:
    """Return the file, or None if it is absolute or leads out of the folder, by a link too."""
    parts = PurePosixPath(location.replace("\\", "/"))
    if not location or parts.is_absolute() or ".." in parts.parts or ":" in location:
        return None
    path = (folder / parts).resolve()
    return path if path.is_relative_to(folder.resolve()) else None
