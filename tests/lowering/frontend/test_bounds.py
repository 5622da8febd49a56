"""Sizes, functions and external data of a model, checked before they cost time or memory."""

import os
from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.frontend.onnx import import_model, load_onnx
from htp_mlir.lowering.frontend.onnx.preparation import folding
from htp_mlir.lowering.frontend.onnx.preparation.expansion import MAX_NODES
from htp_mlir.lowering.frontend.onnx.preparation.sizes import MAX_SHAPE
from htp_mlir.runtime import Session
from htp_mlir.runtime.files.budget import budget
from onnx import AttributeProto, ModelProto, NodeProto, TensorProto, helper
from onnx.shape_inference import infer_shapes

from .models import Array, assert_same, floats, model_of

X = floats(2, 4)
OPSETS = [helper.make_opsetid("", 21), helper.make_opsetid("mine", 1)]


def lines_of(model: ModelProto) -> list[str]:
    with pytest.raises(HtpError) as caught:
        import_model(model)
    return caught.value.lines()


def node(op: str, inputs: str, outputs: str, **attributes: object) -> NodeProto:
    return helper.make_node(op, inputs.split(), outputs.split(), **attributes)


def i64(*values: int) -> Array:
    return np.array(values, np.int64)


# functions


def calls(**bodies: str) -> ModelProto:
    """A model that calls the first function; a body is ops, in a row, that may be functions."""
    first = next(iter(bodies))
    model = model_of([node(first, "x", "y", domain="mine")], {"x": X}, ["y"])
    model.opset_import.add(domain="mine", version=1)
    for name, body in bodies.items():
        ops = body.split()
        values = ["a", *(f"v{i}" for i in range(len(ops) - 1)), "b"]
        nodes = [
            node(op, values[i], values[i + 1], domain="mine" if op in bodies else "")
            for i, op in enumerate(ops)
        ]
        model.functions.append(helper.make_function("mine", name, ["a"], ["b"], nodes, OPSETS))
    return model


def test_functions_that_call_functions() -> None:
    assert_same(calls(Outer="Inner Relu Inner", Inner="Neg Neg"), {"x": X})


@pytest.mark.parametrize(
    ("bodies", "cycle"),
    [
        ({"F": "Neg F"}, "mine.F calls mine.F"),
        ({"F": "G", "G": "Neg H", "H": "G"}, "mine.G calls mine.H calls mine.G"),
    ],
)
def test_functions_that_call_themselves(bodies: dict[str, str], cycle: str) -> None:
    problem, remedy = lines_of(calls(**bodies))
    first, _, _ = cycle.partition(" ")
    assert problem == f"function '{first}': calls itself: {cycle}"
    assert remedy == "  unroll it"


def test_a_function_that_calls_itself_inside_a_branch() -> None:
    model = calls(F="Neg")
    output = helper.make_tensor_value_info("t", TensorProto.FLOAT, X.shape)
    inside = helper.make_graph([node("F", "a", "t", domain="mine")], "then", [], [output])
    branch = node("If", "a", "b", then_branch=inside, else_branch=inside)
    model.functions[0].node[0].CopyFrom(branch)
    assert lines_of(model)[0] == "function 'mine.F': calls itself: mine.F calls mine.F"


def test_functions_that_double() -> None:
    bodies = {f"F{i}": f"F{i - 1} F{i - 1}" for i in range(30, 0, -1)} | {"F0": "Neg"}
    problem, remedy = lines_of(calls(**bodies))
    assert problem == f"node of 'y' (mine.F30): its function inlines to {2**30} nodes"
    assert remedy == f"  at most {MAX_NODES} are taken"


def test_many_calls_of_long_functions() -> None:
    model = calls(F="Neg " * 1000)
    for index in range(100):
        model.graph.node.append(node("F", "x", f"y{index}", domain="mine"))
    assert lines_of(model)[0] == "model: its functions inline to 101000 nodes"


# sizes


@pytest.mark.parametrize("which", ["input", "initializer", "value"])
def test_tensors_that_cannot_be_addressed(which: str) -> None:
    model = model_of([node("Add", "x w", "y")], {"x": X}, ["y"], {"w": X})
    shape = [2**16, 2**15]
    if which == "initializer":
        model.graph.initializer[0].dims[:] = shape
    values = {"input": model.graph.input, "value": model.graph.value_info}.get(which)
    if values is not None:
        del values[:]
        values.append(helper.make_tensor_value_info("x", TensorProto.FLOAT, shape))
    name = "w" if which == "initializer" else "x"
    problem, remedy = lines_of(model)
    assert problem == f"{which} '{name}': takes {2**33} bytes"
    assert remedy == f"  at most {2**32 - 1} can be addressed"


def test_a_symbolic_dim_that_is_set_too_large() -> None:
    model = model_of([node("Relu", "x", "y")], {"x": X}, ["y"])
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "batch"
    with pytest.raises(HtpError, match=r"input 'x': takes 16000000000 bytes"):
        import_model(model, dims={"batch": 10**9})


def test_a_result_that_cannot_be_addressed() -> None:
    model = model_of([node("Tile", "x n", "y")], {"x": X}, ["y"], {"n": i64(2**15, 2**15)})
    assert lines_of(model)[0] == (
        "node of 'y' (Tile): a tensor 65536x131072 Float32 takes 34359738368 bytes, "
        "at most 4294967295 can be addressed"
    )


def test_a_split_into_more_parts_than_outputs() -> None:
    """Shape inference makes room for each of the parts."""
    model = model_of([node("Split", "x", "y z", num_outputs=2**30)], {"x": X}, ["y", "z"])
    problem = "node of 'y' (Split): attribute 'num_outputs' is 1073741824, it has 2"
    assert lines_of(model) == [problem, "  export the model again"]


@pytest.mark.parametrize("begin", ["Shape", "Constant"])
def test_shapes_that_double(begin: str) -> None:
    constant = {"value_ints": [1, 2]} if begin == "Constant" else {}
    nodes = [node(begin, "x" if begin == "Shape" else "", "c0", **constant)]
    nodes += [node("Concat", f"c{i} c{i}", f"c{i + 1}", axis=0) for i in range(40)]
    problem, remedy = lines_of(model_of(nodes, {"x": X}, ["c40"]))
    assert problem.endswith(f"joins integers that shapes may follow from, {2 * MAX_SHAPE} of them")
    assert remedy == f"  at most {MAX_SHAPE} are taken"


COUNTED = {"zero": np.array(0), "one": np.array(1)}


def test_a_constant_that_is_too_large_to_compute() -> None:
    constants = {**COUNTED, "end": np.array(2**28)}
    one = node("Range", "zero end one", "y")
    problem, remedy = lines_of(model_of([one], {"x": X}, ["y"], constants))
    assert problem.endswith(f"its result is a constant of {2**31} bytes")
    assert remedy == f"  an import computes {2**27} bytes at most"


def test_a_large_constant_of_one_number_is_repeated_by_the_run() -> None:
    value = helper.make_tensor("value", TensorProto.FLOAT, [1], [3])
    one = node("ConstantOfShape", "n", "y", value=value)
    module = import_model(model_of([one], {"x": X}, ["y"], {"n": i64(2**13, 2**14)}))
    assert str(module).count("qti_aisw.Tile") == 1


def test_a_small_count_is_computed_behind_large_constants(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folding, "MAX_FOLDED", 64)
    value = helper.make_tensor("value", TensorProto.FLOAT, [1], [3])
    nodes = [node("ConstantOfShape", "n", f"c{i}", value=value) for i in range(3)]
    nodes += [node("Range", "zero end one", "r"), node("Cast", "r", "f", to=TensorProto.FLOAT)]
    nodes.append(node("Sum", "x c0 c1 c2 f", "y"))
    constants = {**COUNTED, "end": np.array(4), "n": i64(2, 4)}
    model = model_of(nodes, {"x": X}, ["y"], constants)
    assert str(import_model(model)).count("qti_aisw.Cast") == 1
    assert_same(model, {"x": X})


def test_constants_of_all_nodes_together_are_held_to_the_budget() -> None:
    nodes = [node("EyeLike", "x", f"e{i}", k=i) for i in range(3)]
    nodes.append(node("Sum", "x e0 e1 e2", "y"))
    model = model_of(nodes, {"x": X}, ["y"])
    token = budget.set(128)
    try:
        problem, remedy = lines_of(model)
    finally:
        budget.reset(token)
    assert problem == "node of 'e2' (EyeLike): it and nodes before it make constants of 96 bytes"
    assert remedy == "  give --limit input-bytes=192 if you trust the file, or make it smaller"
    import_model(model)


def test_an_encoding_is_looked_for_once_behind_moves_that_meet_again() -> None:
    nodes, last = [], "x"
    for i in range(40):
        nodes += [node("Transpose", last, f"{name}{i}", perm=[1, 0]) for name in "ab"]
        nodes.append(node("Concat", f"a{i} b{i}", f"v{i}", axis=0))
        nodes.append(node("Slice", f"v{i} none four", last := f"w{i}"))
    nodes.append(node("DequantizeLinear", f"{last} scale zero", "y"))
    constants = {"none": i64(0), "four": i64(4), "scale": np.float32(0.5), "zero": np.uint8(1)}
    module = import_model(model_of(nodes, {"x": np.zeros((4, 4), np.uint8)}, ["y"], constants))
    assert str(module).count("!quant.uniform<u8:f32, 5.000000e-01:1>") > 1


@pytest.mark.parametrize("op", ["Identity", "Transpose"])
def test_stored_weights_are_found_behind_many_moves(op: str) -> None:
    nodes = [node("DequantizeLinear", "w scale zero", "v0")]
    nodes += [node(op, f"v{i}", f"v{i + 1}") for i in range(1200)]
    nodes.append(node("MatMul", "x v1200", "y"))
    weights = np.arange(16, dtype=np.uint8).reshape(4, 4)
    constants = {"w": weights, "scale": np.float32(0.5), "zero": np.uint8(1)}
    module = import_model(model_of(nodes, {"x": X}, ["y"], constants))
    assert "qti_aisw.MatMul" in str(module)
    outputs = Session(module).run({"x": X})
    np.testing.assert_allclose(outputs["y"], X @ (weights - np.float32(1)) * 0.5, rtol=1e-5)


def test_a_sequence_of_more_parts_than_a_node_may_make() -> None:
    nodes = [node("SplitToSequence", "x", "s", axis=0), node("SequenceAt", "s one", "y")]
    problem, remedy = lines_of(model_of(nodes, {"x": floats(2**14)}, ["y"], COUNTED))
    assert problem == f"node of 's' (SplitToSequence): makes {2**14} parts"
    assert remedy == f"  at most {2**13} are taken"


LARGE: dict[str, tuple[NodeProto, tuple[int, ...], dict[str, Array]]] = {
    "a grid": (node("AffineGrid", "x s", "y"), (1, 2, 3), {"s": i64(1, 1, 2**12, 2**13)}),
    "factors of channels": (node("LRN", "x", "y", size=3), (1, 2**14, 1, 1), {}),
    "a triangle": (node("Trilu", "x", "y"), (2**14, 2**14), {}),
    "a diagonal": (node("EyeLike", "x", "y"), (2**14, 2**14), {}),
    "blocks": (node("Col2Im", "x s b", "y"), (1, 1, 2**24), {"s": i64(1, 2**24), "b": i64(1, 1)}),
    "pixels": (
        node("Col2Im", "x s b", "y", strides=[1, 2**9], dilations=[1, 2**9]),
        (1, 2**10, 2**10),
        {"s": i64(1, (2**11 - 2) * 2**9 + 1), "b": i64(1, 2**10)},
    ),
    "a transform": (
        node("DFT", "x n one", "y"),
        (1, 4, 1),
        {"n": np.array(2**13), "one": np.array(1)},
    ),
    "images": (node("GridSample", "x x", "y"), (2**25, 1, 1, 2), {}),
    "classes": (node("Hardmax", "x", "y"), (1, 2**25), {}),
    "margins": (node("Pad", "x n", "y", mode="edge"), (2,), {"n": i64(0, 2**25)}),
    "windows": (
        node("MaxPool", "x", "y", kernel_shape=[2, 2], dilations=[2, 2]),
        (1, 1, 2**25, 4),
        {},
    ),
    "steps": (node("Conv", "x w", "y"), (1, 1, 2**12, 1, 1), {"w": floats(1, 1, 2**11, 1, 1)}),
    "cells": (
        node("MaxRoiPool", "x r", "y", pooled_shape=[2**12, 2]),
        (1, 1, 4, 4),
        {"r": floats(1, 5)},
    ),
    "a mask": (node("Attention", "x x x m", "y"), (1, 1, 2**14, 1), {"m": floats(2**14, 1)}),
}


@pytest.mark.parametrize(("one", "shape", "constants"), LARGE.values(), ids=LARGE)
def test_tables_that_are_too_large_to_compute(
    one: NodeProto, shape: tuple[int, ...], constants: dict[str, Array]
) -> None:
    x = np.broadcast_to(np.float32(0), shape)
    problem, remedy = lines_of(model_of([one], {"x": x}, ["y"], constants, opset=24))
    assert problem.startswith(f"node of 'y' ({one.op_type}): ")
    few = {"MaxRoiPool": "1024 are taken together", "Conv": "1024 are taken"}
    most = few.get(one.op_type, f"{2**24} are taken")
    assert remedy == f"  at most {most}"


@pytest.fixture
def propagated(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The ops of the models whose data inference follows, keeping each in about 400 bytes."""
    ops = set()

    def watched(model: ModelProto, *, data_prop: bool = False, **options: object) -> ModelProto:
        ops.update(node.op_type for node in model.graph.node if data_prop)
        return infer_shapes(model, data_prop=data_prop, **options)

    monkeypatch.setattr(folding, "infer_shapes", watched)
    return ops


def test_data_propagation_does_not_count_out_a_range(propagated: set[str]) -> None:
    nodes = [node("Cast", "end", "last", to=TensorProto.INT64), node("Range", "zero last one", "y")]
    ends = {"zero": np.array(0), "end": np.array(2**28, np.int32), "one": np.array(1)}
    model = model_of(nodes, {"x": X}, ["y"], ends)
    assert f"its result is a constant of {2**31} bytes" in lines_of(model)[0]
    assert propagated == set()


@pytest.mark.parametrize(("size", "ops"), [(MAX_SHAPE, set()), (4, {"Tile", "Add", "Reshape"})])
def test_data_propagation_does_not_keep_long_tensors(
    size: int, ops: set[str], propagated: set[str]
) -> None:
    """The shape of the Reshape is open until its Cast is folded."""
    nodes = [node("Tile", "x n", "t"), node("Add", "t t", "a")]
    nodes += [node("Cast", "one", "shape", to=TensorProto.INT64), node("Reshape", "a shape", "y")]
    constants = {"n": i64(size), "one": -np.ones(1, np.int32)}
    import_model(model_of(nodes, {"x": X[0]}, ["y"], constants))
    assert ops <= propagated
    assert bool(ops) == bool(propagated)


def test_all_constants_together_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("htp_mlir.lowering.frontend.onnx.preparation.folding.MAX_FOLDED", 40)
    nodes = [node("Tile", "w n", f"t{i}") for i in range(3)]
    nodes.append(node("Sum", "x t0 t1 t2", "y"))
    model = model_of(nodes, {"x": X}, ["y"], {"w": floats(1, 4), "n": i64(2, 1)})
    assert str(import_model(model)).count("qti_aisw.Tile") == 1
    assert_same(model, {"x": X})


def test_names_with_line_ends_stay_on_their_line() -> None:
    model = model_of([node("Relu", "x", "y", name="a\nb", slope=1)], {"x": X}, ["y"])
    assert lines_of(model)[0] == r"node 'a\nb' (Relu): unknown attribute 'slope'"


# external data


def outside(location: str, dims: tuple[int, ...] = (2, 4), **entries: object) -> TensorProto:
    tensor = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=dims)
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in {"location": location, **entries}.items():
        tensor.external_data.add(key=key, value=str(value))
    return tensor


def loaded(folder: Path, tensor: TensorProto) -> ModelProto | list[str]:
    """The lines of the error that a model with this weight gives, or no lines."""
    (folder / "w.bin").write_bytes(X.tobytes() * 2)
    model = model_of([node("Add", "x w", "y")], {"x": X}, ["y"])
    model.graph.initializer.append(tensor)
    (folder / "m.onnx").write_bytes(model.SerializeToString())
    try:
        load_onnx(folder / "m.onnx")
    except HtpError as error:
        return error.lines()
    return []


def test_only_what_the_type_asks_for_is_read(tmp_path: Path) -> None:
    assert loaded(tmp_path, outside("w.bin")) == []


@pytest.mark.parametrize(
    ("tensor", "problem"),
    [
        (outside("w.bin", length=7), "external data 'w.bin' has 7 bytes, its type takes 32"),
        (outside("w.bin", offset=33), "external data 'w.bin' ends before the tensor does"),
        (outside("w.bin", offset=-1), "external data 'w.bin' ends before the tensor does"),
        (outside("w.bin", offset="one"), "external data 'w.bin' cannot be read: invalid literal"),
        (outside("w.bin", (2**40,)), f"takes {2**42} bytes, at most 4294967295 can be addressed"),
        (outside("w.bin", (-1, 2)), "has the dims [-1, 2]"),
        (outside("."), "external data '.' is no file"),
        (outside("pipe"), "external data 'pipe' is no file"),
        (outside("loop"), "external data 'loop' cannot be read: Symlink loop"),
        (outside("up/w.bin"), "external data 'up/w.bin' is not inside the model's folder"),
        (outside("w\0.bin"), "external data 'w?.bin' cannot be read: embedded null"),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_external_data_that_is_refused(tensor: TensorProto, problem: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "up").symlink_to("..")
    lines = loaded(tmp_path, tensor)
    assert lines[0].startswith(f"{tmp_path / 'm.onnx'}: tensor 'w': {problem}")
    assert len(lines) == 2


@pytest.mark.parametrize("kind", [TensorProto.STRING, TensorProto.UNDEFINED, 99])
def test_external_data_of_other_types(kind: int, tmp_path: Path) -> None:
    tensor = outside("w.bin")
    tensor.data_type = kind
    assert "external data cannot be of element type" in loaded(tmp_path, tensor)[0]


@pytest.mark.parametrize("field", ["t", "tensors", "sparse_tensor", "sparse_tensors"])
def test_external_data_in_attributes(field: str) -> None:
    attribute = AttributeProto(name="value", type=AttributeProto.TENSOR)
    match field:
        case "t":
            attribute.t.CopyFrom(outside("w.bin"))
        case "tensors":
            attribute.tensors.append(outside("w.bin"))
        case "sparse_tensor":
            attribute.sparse_tensor.values.CopyFrom(outside("w.bin"))
        case _:
            attribute.sparse_tensors.add().indices.CopyFrom(outside("w.bin"))
    model = calls(F="Neg")
    model.functions[0].node[0].attribute.append(attribute)
    assert lines_of(model) == ["tensor 'w': has external data", "  load the model from its file"]
