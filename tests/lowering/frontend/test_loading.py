"""Files, dims, opsets, functions and constants: from what is on disk to a static graph."""

import gc
from collections.abc import Sequence
from pathlib import Path
from weakref import ref

import numpy as np
import onnx
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.frontend.onnx import import_model, load_onnx
from htp_mlir.runtime.session.session import Session
from onnx import ModelProto, TensorProto, helper, numpy_helper
from xdsl.dialects.func import FuncOp

from ...support.paths import SPOTTER, SPOTTER_MODEL
from .models import assert_same, floats, model_of

X = floats(2, 4)


def relu_model(shape: Sequence[int | str | None] = (2, 4), opset: int = 21) -> ModelProto:
    graph = helper.make_graph(
        [helper.make_node("Relu", ["x"], ["y"])],
        "test",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])


def main_of(model: ModelProto) -> FuncOp:
    function = import_model(model).body.block.first_op
    assert isinstance(function, FuncOp)
    return function


def test_a_module_that_nobody_holds_is_let_go() -> None:
    module = ref(import_model(relu_model()))
    gc.collect()
    assert module() is None


def names(attributes: object) -> list[str]:
    return [entry.data["htp.name"].data for entry in attributes]


@pytest.mark.parametrize("file", ["model.onnx", "stateless.onnx"])
def test_examples_load(file: str) -> None:
    session = Session(load_onnx(SPOTTER / file))
    model = onnx.load(SPOTTER / file)
    assert list(session.inputs) == [value.name for value in model.graph.input]
    assert list(session.outputs) == [value.name for value in model.graph.output]


def test_stateless_example_is_as_onnx_runtime_computes_it() -> None:
    assert_same(onnx.load(SPOTTER / "stateless.onnx"), {"window": floats(1, 1, 16, 40)})


def test_names_of_any_spelling_are_kept() -> None:
    nodes = [
        helper.make_node("Relu", ["in/put:0"], ["1.relu"]),
        helper.make_node("Abs", ["1.relu"], ["out put"]),
    ]
    function = main_of(model_of(nodes, {"in/put:0": X, "unused": X}, ["out put", "1.relu"]))
    assert names(function.arg_attrs) == ["in/put:0", "unused"]
    assert names(function.res_attrs) == ["out put", "1.relu"]


def test_the_model_is_left_as_it_was() -> None:
    model = relu_model(["batch", 4])
    before = model.SerializeToString()
    import_model(model, dims={"batch": 2})
    assert model.SerializeToString() == before


# files


@pytest.mark.parametrize("step", [0, 1])
def test_a_part_of_a_file_is_no_model(step: int, tmp_path: Path) -> None:
    data = relu_model().SerializeToString()
    path = tmp_path / "cut.onnx"
    for length in range(step, len(data) - 1, 2):
        path.write_bytes(data[:length])
        with pytest.raises(HtpError) as caught:
            load_onnx(path)
        assert len(caught.value.lines()) == 2


def test_sampled_prefixes_of_the_example(tmp_path: Path) -> None:
    """Only what follows the graph can be missing without a trace: the bodies of block ops."""
    data = SPOTTER_MODEL.read_bytes()
    whole = ModelProto.FromString(data)
    path = tmp_path / "cut.onnx"
    for length in [*range(0, 2000, 97), *range(2000, whole.graph.ByteSize(), 60011)]:
        path.write_bytes(data[:length])
        with pytest.raises(HtpError):
            load_onnx(path)


@pytest.mark.parametrize("data", [b"", b"garbage", b"\x08", b"\xff" * 100, b"func.func @main()"])
def test_other_bytes(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "bad.onnx"
    path.write_bytes(data)
    with pytest.raises(HtpError) as caught:
        load_onnx(path)
    assert str(path) in caught.value.lines()[0]
    assert len(caught.value.lines()) == 2


def test_no_such_file(tmp_path: Path) -> None:
    for path in (tmp_path / "none.onnx", tmp_path):
        with pytest.raises(HtpError, match=str(path)):
            load_onnx(path)


def external_model(location: str, length: int = 32, offset: int = 0) -> ModelProto:
    model = model_of([helper.make_node("Add", ["x", "w"], ["y"])], {"x": X}, ["y"], {"w": X})
    (tensor,) = model.graph.initializer
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in (("location", location), ("length", length), ("offset", offset)):
        tensor.external_data.add(key=key, value=str(value))
    return model


def test_external_data_beside_the_model(tmp_path: Path) -> None:
    (tmp_path / "weights").mkdir()
    (tmp_path / "weights" / "w.bin").write_bytes(b"head" + X.tobytes())
    path = tmp_path / "m.onnx"
    path.write_bytes(external_model("weights/w.bin", offset=4).SerializeToString())
    np.testing.assert_array_equal(Session(load_onnx(path)).run({"x": X})["y"], X + X)


@pytest.mark.parametrize(
    ("location", "length", "message"),
    [
        ("../secret.bin", 32, "is not inside the model's folder"),
        ("link.bin", 32, "is not inside the model's folder"),
        ("/etc/hostname", 1, "is not inside the model's folder"),
        ("", 1, "is not inside the model's folder"),
        ("none.bin", 32, "cannot be read"),
        ("short.bin", 32, "ends before the tensor does"),
    ],
)
def test_external_data_elsewhere(location: str, length: int, message: str, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (tmp_path / "secret.bin").write_bytes(X.tobytes())
    (folder / "link.bin").symlink_to(tmp_path / "secret.bin")
    (folder / "short.bin").write_bytes(b"1234")
    path = folder / "m.onnx"
    path.write_bytes(external_model(location, length).SerializeToString())
    with pytest.raises(HtpError, match=message):
        load_onnx(path)


def test_external_data_of_a_model_in_memory() -> None:
    with pytest.raises(HtpError, match="has external data"):
        import_model(external_model("w.bin"))


def test_data_that_does_not_fit_its_dims() -> None:
    model = model_of([helper.make_node("Add", ["x", "w"], ["y"])], {"x": X}, ["y"], {"w": X})
    model.graph.initializer[0].dims[:] = [2, 5]
    with pytest.raises(HtpError, match="initializer 'w': its data does not fit its type"):
        import_model(model)


# dims


def test_dims_get_sizes() -> None:
    model = relu_model(["batch", None])
    module = import_model(model, dims={"batch": 3, "x:1": 5})
    assert Session(module).inputs["x"].shape == (3, 5)
    assert Session(module).outputs["y"].shape == (3, 5)


def test_dims_without_sizes_are_all_listed() -> None:
    with pytest.raises(HtpError) as caught:
        import_model(relu_model(["batch", None]))
    assert [fault.line() for fault in caught.value.faults] == [
        "dim 'batch' of input 'x': has no size; "
        "fix it: htp-opt --dim batch=1, or dims={'batch': 1}",
        "dim 'x:1' of input 'x': has no size; fix it: htp-opt --dim x:1=1, or dims={'x:1': 1}",
    ]


def test_a_dim_of_0_has_no_elements_unless_a_size_is_given() -> None:
    assert Session(import_model(relu_model([0, 4]))).inputs["x"].shape == (0, 4)
    sized = import_model(relu_model([0, 4]), dims={"x:0": 3})
    assert Session(sized).inputs["x"].shape == (3, 4)


@pytest.mark.parametrize(
    ("dims", "message"),
    [
        (
            {"batch": 1, "bach": 1},
            "dim 'bach': is no dim of the model; did you mean 'batch'? symbolic are: batch",
        ),
        ({"batch": 0}, "dim 'batch': cannot have the size 0; give a size >= 1"),
    ],
)
def test_dims_that_cannot_be(dims: dict[str, int], message: str) -> None:
    with pytest.raises(HtpError) as caught:
        import_model(relu_model(["batch", 4]), dims=dims)
    assert message in [fault.line() for fault in caught.value.faults]


def test_shapes_computed_in_the_graph_are_folded() -> None:
    """Shape, Gather, Concat and Reshape, as exporters write `x.view(x.size(0), -1)`."""
    nodes = [
        helper.make_node("Shape", ["x"], ["s"]),
        helper.make_node("Gather", ["s", "zero"], ["n"]),
        helper.make_node("Unsqueeze", ["n", "first"], ["n1"]),
        helper.make_node("Concat", ["n1", "rest"], ["target"], axis=0),
        helper.make_node("Reshape", ["x", "target"], ["r"]),
        helper.make_node("Range", ["zero", "eight", "one"], ["ramp"]),
        helper.make_node("Cast", ["ramp"], ["rampf"], to=TensorProto.FLOAT),
        helper.make_node("Add", ["r", "rampf"], ["y"]),
    ]
    constants = {
        "zero": np.array(0, np.int64),
        "eight": np.array(8, np.int64),
        "one": np.array(1, np.int64),
        "first": np.array([0], np.int64),
        "rest": np.array([-1], np.int64),
    }
    x = floats(3, 2, 4)
    model = model_of(nodes, {"x": x}, ["y"], constants)
    assert_same(model, {"x": x})
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "batch"
    assert Session(import_model(model, dims={"batch": 3})).outputs["y"].shape == (3, 8)


# opsets, functions and initializers


@pytest.mark.parametrize("opset", [6, 7, 9, 11, 13, 17, 20, 21, 22, 23, 24])
def test_opsets(opset: int) -> None:
    assert Session(import_model(relu_model(opset=opset))).outputs["y"].shape == (2, 4)


def test_one_opset_under_both_names_of_the_domain() -> None:
    model = relu_model()
    model.opset_import.extend([helper.make_opsetid("ai.onnx", 21), helper.make_opsetid("", 21)])
    assert Session(import_model(model)).outputs["y"].shape == (2, 4)


def test_two_opsets_of_a_domain_are_refused() -> None:
    model = relu_model()
    model.opset_import.append(helper.make_opsetid("ai.onnx", 20))
    with pytest.raises(HtpError, match=r"model: states two opsets of ONNX\n  keep one of them"):
        import_model(model)


@pytest.mark.parametrize("opset", [0, 9999])
def test_opsets_that_are_refused(opset: int) -> None:
    with pytest.raises(HtpError, match=f"has opset {opset or 'none'}"):
        import_model(relu_model(opset=opset))


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_nodes_in_any_order(order: Sequence[int]) -> None:
    nodes = [
        helper.make_node("Neg", ["x"], ["a"]),
        helper.make_node("Exp", ["a"], ["b"]),
        helper.make_node("Sub", ["b", "a"], ["y"]),
    ]
    module = import_model(model_of([nodes[index] for index in order], {"x": X}, ["y"]))
    np.testing.assert_allclose(Session(module).run({"x": X})["y"], np.exp(-X) + X, rtol=1e-5)


def with_function(domain: str, op: str, body: str) -> ModelProto:
    model = model_of(
        [helper.make_node(op, ["x"], ["y"], domain=domain, buffer_size=2, buffer_dim=0, stride=2)],
        {"x": X},
        ["y"],
        opset=17,
    )
    function = helper.make_function(
        domain,
        op,
        ["a"],
        ["b"],
        [helper.make_node(body, ["a"], ["b"])],
        [helper.make_opsetid("", 17)],
        ["buffer_size", "buffer_dim", "stride"],
    )
    model.functions.append(function)
    model.opset_import.add(domain=domain, version=1)
    return model


def test_bodies_of_block_ops_are_ignored() -> None:
    model = with_function("qti_aisw", "Buffer", "Neg")
    assert [op.name for op in main_of(model).body.block.ops] == ["qti_aisw.Buffer", "func.return"]


def test_other_functions_are_inlined() -> None:
    model = with_function("mine", "Negated", "Neg")
    del model.graph.node[0].attribute[:]
    assert_same(model, {"x": X})


def test_block_op_without_an_opset_import() -> None:
    model = with_function("qti_aisw", "Buffer", "Identity")
    del model.functions[:]
    del model.opset_import[1:]
    assert main_of(model).function_type.outputs.data[0].get_shape() == (2, 4)


def test_equal_constants_are_one() -> None:
    nodes = [helper.make_node("Add", ["x", "w"], ["a"]), helper.make_node("Mul", ["a", "v"], ["y"])]
    function = main_of(model_of(nodes, {"x": X}, ["y"], {"w": X, "v": X.copy()}))
    assert [op.name for op in function.body.block.ops].count("qti_aisw.Const") == 1


def test_initializer_that_is_an_input_too_is_constant() -> None:
    model = model_of([helper.make_node("Add", ["x", "w"], ["y"])], {"x": X}, ["y"], {"w": X})
    model.graph.input.append(helper.make_tensor_value_info("w", TensorProto.FLOAT, X.shape))
    assert names(main_of(model).arg_attrs) == ["x"]


def test_inputs_and_constants_may_be_outputs() -> None:
    nodes = [helper.make_node("Identity", ["x"], ["same"])]
    model = model_of(nodes, {"x": X}, ["same", "w"], {"w": X * 2})
    assert_same(model, {"x": X})


def test_constant_nodes_of_each_form() -> None:
    tensor = numpy_helper.from_array(np.ones((2, 1), np.float32))
    forms = {"value": tensor, "value_float": 2.0, "value_floats": [1.0, 2.0, 3.0, 4.0]}
    nodes = [helper.make_node("Constant", [], [name], **{name: v}) for name, v in forms.items()]
    nodes.append(helper.make_node("Sum", ["x", *forms], ["y"]))
    assert_same(model_of(nodes, {"x": X}, ["y"]), {"x": X})
