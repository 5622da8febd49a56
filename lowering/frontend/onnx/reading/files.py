"""From a file to a model and its weights, which are read from the model's own folder alone."""

from __future__ import annotations

import mmap
from collections.abc import Iterator, Sequence
from pathlib import Path

from onnx import ModelProto, TensorProto

from .....dialects.diagnostics import Fault, HtpError, fail
from .external import DataPlace, bytes_of, external_initializers, external_tensors, place_of
from .weights import Weights, is_weight, without_data
from .wire import Span, SplitModel, split

_LIMIT = 2**31 - 1
"""Protobuf refuses messages of 2 GB and more."""

_LEAST = 2**12
"""Bytes from which on data are not parsed with the model."""


def read_model(path: Path) -> tuple[ModelProto, Weights]:
    """Read a model, and apart from it its weights by name; HtpError for a part of one."""
    divided = _divided(path)
    model = parse_model(divided.model, str(path))
    try:
        weights = _restored(model, divided.data, path)
        faults = [*_from_outside(model, weights, path)]
    except OSError as error:
        raise _unreadable(path, error) from error
    if faults:
        raise HtpError(*faults)
    return model, weights


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


def _divided(path: Path) -> SplitModel:
    """Return the bytes of a file without large data; all of them where that cannot be done."""
    try:
        size = path.stat().st_size
        if size > _LIMIT:
            raise fail(str(path), "is larger than 2 GB", "store the weights as external data")
        with path.open("rb") as file:
            if size < _LEAST:
                return SplitModel(file.read(), ())
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            with mapped, memoryview(mapped) as data:
                try:
                    return split(data, _LEAST)
                except ValueError:
                    return SplitModel(data.tobytes(), ())
    except OSError as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: OSError) -> HtpError:
    return fail(str(path), error.strerror or str(error), "give a readable file")


def _restored(model: ModelProto, spans: Sequence[Span | None], path: Path) -> Weights:
    """Return the weights of a file; other data that were not parsed go into their tensors."""
    weights: Weights = {}
    for tensor, span in zip(model.graph.initializer, spans, strict=False):
        if span is None:
            continue
        place = DataPlace(path, span[0], span[1] - span[0])
        plain = tensor.data_location == TensorProto.DEFAULT
        if plain and is_weight(tensor) and bytes_of(tensor) == place.size:
            weights[tensor.name] = place.view(tensor)
            tensor.CopyFrom(without_data(tensor.name, tensor.data_type, tensor.dims))
        else:
            tensor.raw_data = place.read()
    return weights


def _from_outside(model: ModelProto, weights: Weights, path: Path) -> Iterator[Fault]:
    """Take in what lies in other files, weights as views; yield the faults."""
    for tensor in external_initializers(model):
        if tensor.name in weights:
            continue
        place = place_of(tensor, path.parent)
        if isinstance(place, str):
            yield _fault(tensor, place, path)
        elif is_weight(tensor):
            weights[tensor.name] = place.view(tensor)
        else:
            _fill(tensor, place)
    for tensor in external_tensors(model):
        place = place_of(tensor, path.parent)
        if isinstance(place, str):
            yield _fault(tensor, place, path)
        else:
            _fill(tensor, place)


def _fill(tensor: TensorProto, place: DataPlace) -> None:
    """Read data into a tensor."""
    tensor.raw_data = place.read()
    tensor.data_location = TensorProto.DEFAULT
    del tensor.external_data[:]


def _fault(tensor: TensorProto, problem: str, path: Path) -> Fault:
    return Fault(f"{path}: tensor '{tensor.name}'", problem, "keep weights beside the model file")
