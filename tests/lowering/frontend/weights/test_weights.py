"""Weights stand aside: ONNX's tools never copy them, and memory stays near the size of the file."""

import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.frontend.onnx import import_model, load_onnx
from htp_mlir.lowering.frontend.onnx.preparation import folding, versions
from htp_mlir.lowering.frontend.onnx.reading.files import split
from htp_mlir.runtime import Session
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from ..models import (
    Array,
    assert_same,
    floats,
    judged,
    model_of,
)

X = floats(2, 64)


def layers(count: int, size: int) -> ModelProto:
    """A chain of Gemm, the weights of every second one turned round."""
    nodes = [
        helper.make_node("Gemm", [f"x{i}", f"w{i}"], [f"x{i + 1}"], transB=i % 2)
        for i in range(count)
    ]
    constants = {f"w{i}": floats(size, size, seed=i) / size for i in range(count)}
    return model_of(nodes, {"x0": floats(1, size)}, [f"x{count}"], constants, opset=17)


def bytes_of(model: ModelProto) -> int:
    return sum(len(tensor.raw_data) for tensor in model.graph.initializer)


def test_the_tools_of_onnx_see_no_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []

    def watched(tool: Callable[..., ModelProto]) -> Callable[..., ModelProto]:
        def call(model: ModelProto, *args: object, **options: object) -> ModelProto:
            sizes.append(model.ByteSize())
            return tool(model, *args, **options)

        return call

    converter = versions.version_converter
    monkeypatch.setattr(converter, "convert_version", watched(converter.convert_version))
    monkeypatch.setattr(folding, "infer_shapes", watched(folding.infer_shapes))
    model = layers(4, 128)
    import_model(model)
    assert len(sizes) >= 2
    assert max(sizes) < bytes_of(model) / 50


def stored(model: ModelProto, path: Path, form: str) -> None:
    kept = ModelProto()
    kept.CopyFrom(model)
    onnx.save(kept, path, save_as_external_data=form == "beside", location="weights.bin")


@pytest.mark.parametrize("form", ["inside", "beside"])
def test_memory_is_near_the_size_of_the_weights(form: str, tmp_path: Path) -> None:
    model = layers(16, 512)
    stored(model, tmp_path / "m.onnx", form)
    import_model(layers(1, 4))
    tracemalloc.start()
    module = load_onnx(tmp_path / "m.onnx")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert Session(module).outputs["x16"].shape == (1, 512)
    # The module keeps each weight once; one is on its way, turned round.
    assert peak < 1.5 * bytes_of(model)


@pytest.mark.parametrize("form", ["inside", "beside"])
def test_weights_of_a_file_are_those_of_the_model(form: str, tmp_path: Path) -> None:
    nodes = [
        helper.make_node("Gather", ["table", "rows"], ["r"]),
        helper.make_node("MatMul", ["x", "w"], ["m"]),
        helper.make_node("Cast", ["half"], ["h"], to=TensorProto.FLOAT),
        helper.make_node("Add", ["m", "h"], ["a"]),
        helper.make_node("Add", ["a", "small"], ["y"]),
    ]
    constants = {
        **{"table": floats(40, 33), "rows": np.arange(2048) % 40, "w": floats(64, 64)},
        **{"half": floats(2, 64).astype(np.float16), "small": floats(64)},
    }
    model = model_of(nodes, {"x": X}, ["y", "r"], constants)
    stored(model, tmp_path / "m.onnx", form)
    outputs = Session(load_onnx(tmp_path / "m.onnx")).run({"x": X})
    for name, wanted in judged(model, {"x": X}).items():
        np.testing.assert_allclose(outputs[name], wanted, rtol=1e-5, atol=1e-5)


def weight(array: Array, output: str) -> NodeProto:
    return helper.make_node("Constant", [], [output], value=numpy_helper.from_array(array))


@pytest.mark.parametrize("version", [3, 8])
def test_a_constant_may_be_a_weight(version: int) -> None:
    nodes = [weight(floats(64, 64), "w"), helper.make_node("MatMul", ["x", "w"], ["y"])]
    model = model_of(nodes, {"x": X}, ["y"], opset=9)
    model.ir_version = version
    assert_same(model, {"x": X})


def test_a_weight_may_be_an_output_and_have_a_double() -> None:
    nodes = [
        weight(floats(64, 64) / 64, "w"),
        helper.make_node("Gemm", ["x", "w"], ["y"]),
        helper.make_node("Gemm", ["y", "v"], ["z"]),
    ]
    model = model_of(nodes, {"x": X}, ["z", "w"], {"v": floats(64, 64) / 64})
    assert_same(model, {"x": X})


@pytest.mark.parametrize("size", [64, 8])
def test_data_that_do_not_fit_their_dims(size: int, tmp_path: Path) -> None:
    model = layers(1, size)
    model.graph.initializer[0].dims[:] = [size, size + 1]
    onnx.save(model, tmp_path / "m.onnx")
    for load in (lambda: import_model(model), lambda: load_onnx(tmp_path / "m.onnx")):
        with pytest.raises(HtpError) as caught:
            load()
        first, _ = caught.value.lines()
        assert first.startswith("initializer 'w0': its data does not fit its type")


# the walk over the bytes of a file


def test_the_example_of_the_walk() -> None:
    data = bytes.fromhex("3a 04 2a 02 4a 00")
    assert split(memoryview(data), 1).model == data
    assert split(memoryview(data), 0).data == [(6, 6)]
    assert split(memoryview(data), 0).model == bytes.fromhex("3a 02 2a 00")


def test_a_model_is_its_parts() -> None:
    model = layers(3, 40)
    data = model.SerializeToString()
    parts = split(memoryview(data), 1024)
    light = ModelProto.FromString(parts.model)
    assert len(parts.model) < len(data) / 20
    for tensor, span in zip(light.graph.initializer, parts.data, strict=True):
        assert span is not None
        tensor.raw_data = data[slice(*span)]
    assert light == model


def parsed(data: bytes) -> ModelProto | None:
    try:
        return ModelProto.FromString(data)
    except Exception:
        # What it raises differs between protobuf's backends.
        return None


def test_damaged_bytes_are_refused_or_mean_the_same() -> None:
    data = layers(2, 4).SerializeToString()
    random = np.random.default_rng(0)
    same = 0
    for _ in range(400):
        damaged = bytearray(data[: random.integers(1, len(data))])
        damaged[random.integers(len(damaged))] = random.integers(256)
        try:
            parts = split(memoryview(damaged), 2**30)
        except ValueError:
            continue
        assert parsed(parts.model) == parsed(bytes(damaged))
        same += 1
    assert same > 0
