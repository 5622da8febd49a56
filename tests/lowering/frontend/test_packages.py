"""ONNX nodes of op packages, and importers that packages bring."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.htp.base import NativeOp
from htp_mlir.dialects.htp.fields import tensor_def
from htp_mlir.dialects.qti_aisw.ops.custom import CustomOp
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering import load_module, lower
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.lowering.packages import (
    ImporterSet,
    NodeContext,
    Packages,
    load_packages,
    op_package,
)
from htp_mlir.lowering.tools import htp_opt
from htp_mlir.runtime import Session
from htp_mlir.runtime.functions.arrays import Array
from htp_mlir.runtime.tools import htp_run
from numpy.lib.stride_tricks import sliding_window_view
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper, save_model
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ...support.paths import EXAMPLES
from ..packages import registry_package
from .models import floats, model_of

EXAMPLE = EXAMPLES / "max_pool_package"
POOL = load_packages(EXAMPLE / "package.py")
MINE = Packages().extended(registry_package.PACKAGE)
MINE_FILE = registry_package.__file__ or ""
LEVELS = ["graph", "native", "placed", "allocated"]
WINDOW = {"window": [1, 2, 2, 1], "stride": [1, 2, 1, 1]}


def node(op: str, inputs: str, made: str, **attributes: object) -> NodeProto:
    return helper.make_node(op, inputs.split(), made.split(), **attributes)


def pool(inputs: str, made: str, **attributes: object) -> NodeProto:
    return node("MaxPool_valid", inputs, made, domain="MaxPoolPackage", **attributes)


def run(module: ModuleOp, packages: Packages, x: Array, level: str) -> Array:
    if level != "graph":
        module = lower(module, packages=packages, level=level)
    found = Session(module, library=packages.library, check=True).run({"x": x})["y"]
    assert found is not None
    return found


def pooled(x: Array) -> Array:
    windows = sliding_window_view(x, (2, 2), axis=(-3, -2))
    return windows[..., ::2, :, :, :, :].max(axis=(-2, -1))


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


def affine(**attributes: object) -> NodeProto:
    return node("Affine", "x", "y", domain="Mine", **attributes)


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


def with_types(model: ModelProto, **shapes: Sequence[int | str]) -> ModelProto:
    for name, shape in shapes.items():
        value = helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
        model.graph.value_info.append(value)
    return model


HALVES = [
    node("Halves", "x", "a b", domain="Mine"),
    node("Sub", "a b", "y"),
]


@pytest.mark.parametrize("level", LEVELS)
def test_shapes_that_the_op_leaves_open_come_from_the_model(level: str) -> None:
    x = floats(2, 7)
    model = with_types(model_of(HALVES, {"x": x}, ["y"]), a=[7], b=[7])
    found = run(import_model(model, packages=MINE), MINE, x, level)
    np.testing.assert_allclose(found, x[0] - x[1], rtol=1e-6)


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


SCALES = {"factor": 2.0, "offsets": [1.0]}
MATRIX = numpy_helper.from_array(np.zeros((1, 2), np.float32))
BROKEN = TensorProto(data_type=TensorProto.FLOAT, dims=[4], raw_data=b"abc")


@pytest.mark.parametrize(
    ("one", "found"),
    [
        (affine(factor=2.0), "param 'offsets' is mandatory and not given; Mine.Affine has no"),
        (affine(**SCALES, bend=1), "unknown param 'bend'; those of Mine.Affine: factor, offsets,"),
        (affine(**SCALES, axis=7), "param 'axis', axis 7: the tensor has 2 dims; take one from"),
        (affine(**SCALES, flip=[1]), "param 'flip' is a list: (1,); it must be a bool"),
        (affine(**SCALES, mode=["a"]), "attribute 'mode' is STRINGS; it may be INT, FLOAT,"),
        (affine(factor=MATRIX), "attribute 'factor' is a tensor [1, 2] of float32; it may be a"),
        (affine(factor=BROKEN), "attribute 'factor' holds data that do not fit its type: "),
        (node("Affine", "x x", "y", domain="Mine", **SCALES), "has 2 inputs, Mine.Affine takes 1"),
        (node("Affine", "", "y", domain="Mine", **SCALES), "has 0 inputs, Mine.Affine takes 1"),
        (node("Affine", "x", "y z", domain="Mine", **SCALES), "has 2 outputs, Mine.Affine gives 1"),
        (node("Afine", "x", "y", domain="Mine"), "has no op Mine.Afine; did you mean Mine.Affine?"),
        (pool("x", "y"), "the op is not supported; express it in supported ops, load the op pack"),
    ],
)
def test_one_fault(one: NodeProto, found: str) -> None:
    with pytest.raises(HtpError) as error:
        import_model(model_of([one], {"x": floats(2, 3)}, ["y"]), packages=MINE)
    (fault,) = error.value.faults
    assert fault.where.startswith("node of 'y' (")
    assert found in fault.line()


def test_an_input_that_is_left_out_in_the_middle() -> None:
    one = helper.make_node("Affine", ["", "x"], ["y"], domain="Mine")
    with pytest.raises(HtpError, match="input 0 is missing"):
        import_model(model_of([one], {"x": floats(2, 3)}, ["y"]), packages=MINE)


def test_a_shape_that_the_model_states_otherwise() -> None:
    model = model_of([pool("x", "y", **WINDOW)], {"x": floats(1, 4, 4, 3)}, ["y"])
    stated = helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 4, 4, 3])
    model.graph.output[0].CopyFrom(stated)
    with pytest.raises(HtpError, match="becomes 1x2x3x3 Float32, the model says 1x4x4x3"):
        import_model(model, packages=POOL)


def test_an_importer_by_decorator() -> None:
    x = floats(3, 5)
    nodes = [
        node("Swish", "x", "a", domain="com.example"),
        node("Einsum", "a", "y", equation="ij->ji"),
    ]
    model = with_types(model_of(nodes, {"x": x}, ["y"]), a=[3, 5])
    found = run(import_model(model, packages=MINE), MINE, x, "graph")
    np.testing.assert_allclose(found, (x / (1 + np.exp(-x))).T, rtol=1e-5)
    nodes[1].attribute[0].s = b"ii"
    model = with_types(model_of(nodes, {"x": x}, ["y"]), a=[3, 5])
    with pytest.raises(HtpError, match="equation ii is not supported"):
        import_model(model, packages=MINE)


def with_importer(op: str, **flags: bool) -> Packages:
    """Packages of which one imports an op as Relu."""
    importers = ImporterSet()

    @importers.importer(op, **flags)
    def imported(ctx: NodeContext) -> list[SSAValue]:
        return [ctx.emit("Relu", ctx.value(0))]

    return Packages().extended(op_package("Rough", importers=[importers]))


def test_an_op_that_folds_is_evaluated_where_its_inputs_are_constant() -> None:
    nodes = [node("Softsign", "c", "a"), node("Add", "x a", "y")]
    model = model_of(nodes, {"x": floats(3)}, ["y"], {"c": floats(3)})
    for folds in (False, True):
        module = import_model(model, packages=with_importer("Softsign", folds=folds))
        assert any(op.name == "qti_aisw.Relu" for op in module.walk()) is not folds


def test_an_op_that_keeps_no_stored_integers_refuses_them() -> None:
    scale, zero = np.float32(0.5), np.uint8(3)
    nodes = [
        node("QuantizeLinear", "x s z", "q"),
        node("Abs", "q", "a"),
        node("DequantizeLinear", "a s z", "y"),
    ]
    model = model_of(nodes, {"x": floats(3)}, ["y"], {"s": np.array(scale), "z": np.array(zero)})
    import_model(model, packages=with_importer("Abs"))
    with pytest.raises(HtpError, match="input 'q' is quantised"):
        import_model(model, packages=with_importer("Abs", keeps_stored=False))


def test_an_op_without_an_importer_is_told_the_three_lines() -> None:
    with pytest.raises(HtpError) as error:
        import_model(model_of([node("Zap", "x", "y", domain="a.b")], {"x": floats(2)}, ["y"]))
    assert error.value.lines() == [
        "node of 'y' (a.b.Zap): the op is not supported",
        "  express it in supported ops, load the op package a.b, "
        "or give it an importer in an op package",
        '    @IMPORTERS.importer("Zap", domain="a.b")  # IMPORTERS = ImporterSet()',
        "    def build(ctx: NodeContext) -> list[SSAValue]: "
        'return [ctx.emit("Relu", ctx.value(0))]',
        '    PACKAGE = op_package("Name", importers=[IMPORTERS])',
    ]


def test_a_class_that_fails_is_a_fault_of_its_node() -> None:
    class Broken(NativeOp):
        name = "Bad.Broken"

        x = tensor_def()

        def infer(self) -> tuple[TensorSpec | None, ...]:
            raise KeyError("gone")

    packages = Packages().extended(op_package("Bad", ops=[Broken]))
    nodes = [node("Broken", "x", "a", domain="Bad"), node("Relu", "a", "y")]
    with pytest.raises(HtpError) as error:
        import_model(model_of(nodes, {"x": floats(2, 2)}, ["y"]), packages=packages)
    (line,) = (fault.line() for fault in error.value.faults)
    assert line == ("node of 'a' (Bad.Broken): its class fails: KeyError: 'gone'; fix the package")


def test_an_importer_that_fails_is_a_fault_of_its_node() -> None:
    importers = ImporterSet()

    @importers.importer("Det")
    def fails(ctx: object) -> list:
        raise KeyError("gone")

    @importers.importer("Zip", domain="a.b")
    def gives_nothing(ctx: object) -> list:
        return []

    packages = Packages().extended(op_package("Bad", importers=[importers]))
    nodes = [node("Det", "x", "a"), node("Zip", "", "y", domain="a.b")]
    with pytest.raises(HtpError) as error:
        import_model(model_of(nodes, {"x": floats(2, 2)}, ["a", "y"]), packages=packages)
    assert [fault.problem for fault in error.value.faults] == [
        "its importer fails: KeyError: 'gone'",
        "its importer gives 0 of 1 outputs",
    ]


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


@pytest.mark.parametrize("tool", [htp_opt.run, htp_run.run], ids=["htp-opt", "htp-run"])
def test_errors_of_the_tools_are_two_lines(tool: object, tmp_path: Path) -> None:
    assert callable(tool)
    path = tmp_path / "model.onnx"
    save_model(model_of([affine(factor=2.0)], {"x": floats(2, 3)}, ["y"]), path)
    status, out, err = tool([str(path), "--package", MINE_FILE])
    assert (status, out) == (1, "")
    assert err == (
        "node of 'y' (Mine.Affine): param 'offsets' is mandatory and not given\n"
        "  Mine.Affine has no default for it\n"
    )


def test_an_op_that_onnx_does_not_have_needs_a_domain() -> None:
    importers = ImporterSet()
    importers.importer("Zap")(lambda ctx: [ctx.value(0)])
    packages = Packages().extended(op_package("Odd", importers=[importers]))
    model = model_of([node("Zap", "x", "y")], {"x": floats(2)}, ["y"])
    with pytest.raises(HtpError, match="opset 21 has no such op"):
        import_model(model, packages=packages)


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
