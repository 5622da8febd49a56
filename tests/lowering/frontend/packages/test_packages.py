"""ONNX nodes of op packages: levels, params, shapes, functions, tools."""

from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.qti_aisw.ops.custom import CustomOp
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.lowering import load_module, lower
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.lowering.packages import load_packages
from htp_mlir.lowering.tools import htp_opt
from htp_mlir.runtime import Session
from htp_mlir.runtime.tools import htp_run
from onnx import TensorProto, helper, numpy_helper, save_model

from ..models import floats, model_of
from .package_nodes import (
    EXAMPLE,
    LEVELS,
    MINE,
    POOL,
    WINDOW,
    affine,
    node,
    pool,
    pooled,
    run,
    with_types,
)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("shape", [(1, 9, 7, 33), (7, 65, 1 + 32), (1, 2, 2, 1)])
def test_a_node_of_a_package_runs_at_every_level(level: str, shape: tuple[int, ...]) -> None:
    x = floats(*shape)
    nodes = [node("Relu", "x", "a"), pool("a", "b", **WINDOW), node("Abs", "b", "y")]
    module = import_model(model_of(nodes, {"x": x}, ["y"]), packages=POOL)
    assert any(isinstance(op, CustomOp) for op in module.walk())
    expected = pooled(np.maximum(x, 0))
    np.testing.assert_array_equal(run(module, POOL, x, level), expected)


def test_what_follows_knows_the_shapes() -> None:
    nodes = [
        pool("x", "a", **WINDOW),
        pool("a", "b", **WINDOW),
        node("Shape", "b", "s"),
        node("Reshape", "z s", "y"),
        node("Concat", "b y", "w", axis=0),
    ]
    feeds = {"x": floats(5, 5, 3), "z": floats(3, 3)}
    module = import_model(model_of(nodes, feeds, ["w"]), packages=POOL)
    assert Session(module, library=POOL.library).outputs["w"].shape == (2, 3, 3)


@pytest.mark.parametrize("level", ["graph", "allocated"])
def test_packages_ops_between_layers_with_weights(level: str) -> None:
    x, w = floats(1, 6, 6, 16), floats(16, 24)
    nodes = [
        pool("x", "a", **WINDOW),
        node("MatMul", "a w", "b"),
        pool("b", "c", **WINDOW),
        node("Transpose", "c", "y", perm=[0, 3, 1, 2]),
    ]
    module = import_model(model_of(nodes, {"x": x}, ["y"], {"w": w}), packages=POOL)
    expected = pooled(pooled(x) @ w).transpose(0, 3, 1, 2)
    np.testing.assert_allclose(run(module, POOL, x, level), expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("level", LEVELS)
def test_quantised_data_goes_in_as_it_is(level: str) -> None:
    x = floats(1, 5, 5, 32)
    nodes = [
        node("QuantizeLinear", "x s z", "q"),
        pool("q", "p", **WINDOW),
        node("DequantizeLinear", "p s z", "y"),
    ]
    constants = {"s": np.array(0.05, np.float32), "z": np.array(128, np.uint8)}
    module = import_model(model_of(nodes, {"x": x}, ["y"], constants), packages=POOL)
    (op,) = (op for op in module.walk() if isinstance(op, CustomOp))
    assert spec_of(op.results[0]).dtype.is_quantized
    stored = np.clip(np.round(x / np.float32(0.05)), -128, 127)
    expected = pooled(stored) * np.float32(0.05)
    np.testing.assert_allclose(run(module, POOL, x, level), expected, rtol=1e-6)


@pytest.mark.parametrize("level", LEVELS)
def test_attributes_become_params_of_every_kind(level: str) -> None:
    x = floats(3, 1)
    one = affine(factor=2.0, offsets=[1.0, 2.0, 3.0], axis=0, flip=1, mode="plain")
    module = import_model(model_of([one], {"x": x}, ["y"]), packages=MINE)
    expected = -(2 * x + np.array([[1], [2], [3]], np.float32))
    np.testing.assert_allclose(run(module, MINE, x, level), expected, rtol=1e-6)


def test_tensors_of_one_row_are_params_too() -> None:
    x, row = floats(3, 1), numpy_helper.from_array(np.array([1, 2, 3], np.float16))
    one = affine(factor=numpy_helper.from_array(np.array(2, np.float64)), offsets=row, axis=0)
    module = import_model(model_of([one], {"x": x}, ["y"]), packages=MINE)
    expected = 2 * x + np.array([[1], [2], [3]], np.float32)
    np.testing.assert_allclose(run(module, MINE, x, "allocated"), expected, rtol=1e-6)


HALVES = [
    node("Halves", "x", "a b", domain="Mine"),
    node("Sub", "a b", "y"),
]


@pytest.mark.parametrize("level", LEVELS)
def test_shapes_that_the_op_leaves_open_come_from_the_model(level: str) -> None:
    x = floats(2, 7)
    model = with_types(model_of(HALVES, {"x": x}, ["y"]), a=[7], b=[7])
    result = run(import_model(model, packages=MINE), MINE, x, level)
    np.testing.assert_allclose(result, x[0] - x[1], rtol=1e-6)


def test_symbolic_dims_of_what_the_model_states_are_fixed() -> None:
    model = with_types(model_of(HALVES, {"x": floats(2, 7)}, ["y"]), a=["n"], b=["n"])
    model.graph.input[0].type.tensor_type.shape.dim[1].dim_param = "n"
    module = import_model(model, dims={"n": 5}, packages=MINE)
    assert Session(module, library=MINE.library).outputs["y"].shape == (5,)


def test_without_any_shape_it_says_so() -> None:
    with pytest.raises(HtpError) as error:
        import_model(model_of(HALVES, {"x": floats(2, 7)}, ["y"]), packages=MINE)
    assert error.value.lines() == [
        "node of 'a' (Mine.Halves): output 0 has no shape: the package's op infers none",
        "  state its type in the model's value_info, or write infer in the op's class",
    ]


def test_ops_of_cpp_text_take_their_shapes_from_the_model() -> None:
    packages = load_packages(EXAMPLE / "package.cpp")
    one = pool("x w s", "y")
    feeds = {"x": floats(1, 5, 5, 3), "w": floats(1, 2, 2, 1), "s": floats(1, 1, 1, 1)}
    model = model_of([one], feeds, ["y"])
    model.graph.output[0].CopyFrom(
        helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 4, 4, 3])
    )
    module = import_model(model, packages=packages)
    (op,) = (op for op in module.walk() if isinstance(op, CustomOp))
    assert spec_of(op.results[0]).shape == (1, 4, 4, 3)
    native = lower(module, packages=packages, level="native")
    assert any(op.name == "MaxPoolPackage.MaxPool_valid" for op in native.walk())


def test_the_tools_and_load_module_know_the_packages(tmp_path: Path) -> None:
    x = floats(1, 5, 5, 3)
    path = tmp_path / "model.onnx"
    save_model(model_of([pool("x", "y", **WINDOW)], {"x": x}, ["y"]), path)
    package = ["--package", str(EXAMPLE / "package.py")]
    status, out, err = htp_opt.run([str(path), *package])
    assert (status, err) == (0, "")
    assert "qti_aisw.Custom" in out
    again = htp_opt.run([*package, "-p", "htp-lower"], out)
    assert again.status == 0
    assert "MaxPoolPackage.MaxPool_valid" in again[1]
    np.savez(tmp_path / "x.npz", x=x)
    files = ["-i", str(tmp_path / "x.npz"), "-o", str(tmp_path / "y.npz")]
    assert htp_run.run([str(path), *package, *files])[::2] == (0, "")
    np.testing.assert_array_equal(np.load(tmp_path / "y.npz")["y"], pooled(x))
    module = load_module(path, packages=POOL)
    np.testing.assert_array_equal(run(module, POOL, x, "allocated"), pooled(x))


def test_the_packages_op_comes_before_a_function_body() -> None:
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("MaxPoolPackage", 1)]
    bodies = [
        helper.make_function("MaxPoolPackage", op, ["a"], ["b"], [node("Neg", "a", "b")], imports)
        for op in ("MaxPool_valid", "Other")
    ]
    bodies[0].attribute.extend(["window", "stride"])
    x = floats(1, 5, 5, 3)
    nodes = [pool("x", "p", **WINDOW), node("Other", "p", "y", domain="MaxPoolPackage")]
    model = model_of(nodes, {"x": x}, ["y"])
    model.functions.extend(bodies)
    model.opset_import.append(imports[1])
    module = import_model(model, packages=POOL)
    np.testing.assert_array_equal(run(module, POOL, x, "graph"), -pooled(x))


def test_a_package_node_inside_a_function() -> None:
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("MaxPoolPackage", 1)]
    inner = [pool("a", "c", **WINDOW), node("Neg", "c", "b")]
    x = floats(1, 5, 5, 3)
    model = model_of([node("Twice", "x", "y", domain="local")], {"x": x}, ["y"])
    model.functions.append(helper.make_function("local", "Twice", ["a"], ["b"], inner, imports))
    model.opset_import.append(helper.make_opsetid("local", 1))
    module = import_model(model, packages=POOL)
    np.testing.assert_array_equal(run(module, POOL, x, "graph"), -pooled(x))
