"""Faults of a model: every one is named, with its node and op, in one error."""

from collections.abc import Sequence

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.frontend.onnx import import_model
from onnx import NodeProto, TensorProto, helper, numpy_helper

from .models import Array, floats, model_of

X = floats(2, 4)
IMAGE = floats(1, 2, 4, 4)


def faults(
    nodes: Sequence[NodeProto], outputs: Sequence[str] = ("y",), **feeds: Array
) -> list[str]:
    """The lines of the error that the model gives."""
    with pytest.raises(HtpError) as caught:
        import_model(model_of(nodes, feeds or {"x": X}, outputs))
    return [fault.line() for fault in caught.value.faults]


def node(op: str, inputs: str, outputs: str, name: str = "", **attributes: object) -> NodeProto:
    return helper.make_node(op, inputs.split(), outputs.split(), name=name, **attributes)


def test_a_volume_of_an_empty_batch_is_refused() -> None:
    (line,) = faults(
        [node("Conv", "x w", "y")], x=floats(1, 3, 4, 4, 4)[:0], w=floats(2, 3, 1, 1, 1)
    )
    assert "its batch is empty" in line


def test_a_max_unpool_larger_than_constants_may_be_is_refused() -> None:
    (line,) = faults(
        [node("MaxUnpool", "x i", "y", kernel_shape=[1, 2**14], strides=[1, 2**14])],
        x=floats(1, 1, 1, 2**13),
        i=np.zeros((1, 1, 1, 2**13), np.int64),
    )
    assert f"gives {2**27} elements; at most {2**24} are taken" in line


def test_all_faults_at_once() -> None:
    lines = faults(
        [
            node("ImageDecoder", "u", "a", name="first"),
            node("Relu", "a", "b"),
            node("MaxPool", "i", "c", name="third", kernel_shape=[2, 2], ceil_mode=2),
            node("Conv", "c w", "d", name="fourth", colour=3),
            node("Gelu", "x", "e", approximate="rough"),
            node("GridSample", "c d", "f", domain="com.example"),
            node("DepthToSpace", "i", "y", name="last", blocksize=1, mode="RDC"),
        ],
        x=X,
        i=IMAGE,
        w=floats(2, 2, 3, 3),
        u=np.zeros(4, np.uint8),
    )
    assert [line.split(":")[0] for line in lines] == [
        "node 'first' (ImageDecoder)",
        "node 'fourth' (Conv)",
        "node of 'f' (com.example.GridSample)",
        "node 'third' (MaxPool)",
        "node of 'e' (Gelu)",
        "node 'last' (DepthToSpace)",
    ]


def test_more_than_ten_are_counted() -> None:
    nodes = [node(f"Nothing{i}", "x", f"y{i}") for i in range(12)]
    with pytest.raises(HtpError) as caught:
        import_model(model_of(nodes, {"x": X}, ["y0"]))
    assert caught.value.lines()[0] == "12 errors:"
    assert caught.value.lines()[-1] == "  ... and 2 more"


def test_nodes_of_one_op_with_the_same_problem_are_one_fault() -> None:
    nodes = [node("Nothing", "x", f"n{i}") for i in range(4)]
    nodes += [node("DepthToSpace", "i", f"m{i}", blocksize=1, mode="RDC") for i in (0, 1)]
    missing, blocks = faults([*nodes, node("Relu", "x", "y")], x=X, i=IMAGE)
    assert missing.startswith("4 nodes (Nothing): 'n0', 'n1', 'n2', ...: the op is not supported; ")
    assert blocks.startswith("2 nodes (DepthToSpace): 'm0', 'm1': attribute 'mode' is RDC; ")


def test_a_cycle_is_told_by_its_nodes() -> None:
    nodes = [node("Add", "x b", "a", name="one"), node("Relu", "a", "b"), node("Abs", "a", "y")]
    (line,) = faults(nodes)
    problem = "its nodes form a cycle: node 'one' (Add), then node of 'b' (Relu)"
    assert line.startswith(f"model: {problem}, then node 'one' (Add); let none of them")


@pytest.mark.parametrize(
    ("one", "message"),
    [
        (node("ImageDecoder", "x", "y"), "the op is not supported"),
        (node("Relu", "x", "y", slope=1), "unknown attribute 'slope'; allowed are none"),
        (node("Concat", "x x", "y"), "attribute 'axis' is missing; it has no default"),
        (node("Concat", "x x", "y", axis="one"), "attribute 'axis' is STRING, it must be INT"),
        (node("Relu", "x x", "y"), "has 2 inputs, the op takes 1"),
        (node("Relu", "ghost", "y"), "input 'ghost' is made by nothing; export the model again"),
        (node("Reshape", "x shape", "y"), "input 1 ('shape') is not constant"),
        (node("Cast", "x", "y", to=TensorProto.STRING), "attribute 'to' is element type STRING"),
        (node("Tile", "x shape", "y"), "input 1 ('shape') is not constant; make it an initializer"),
    ],
)
def test_one_fault(one: NodeProto, message: str) -> None:
    lines = faults([one], x=X, shape=np.array([4, 2], np.int64))
    assert len(lines) == 1
    assert lines[0].startswith("node of 'y' (")
    assert message in lines[0]


def test_a_name_that_is_made_twice() -> None:
    (line,) = faults([node("Relu", "x", "y"), node("Abs", "x", "y", name="second")])
    assert line.startswith("node 'second' (Abs): output 'y' has a maker already")


def test_output_that_nothing_makes() -> None:
    (line,) = faults([node("Relu", "x", "y")], outputs=["y", "z"])
    assert line.startswith("output 'z': is made by no node")


@pytest.mark.parametrize("rank", [0, 1])
def test_scores_without_a_dim_of_the_classes(rank: int) -> None:
    one = node("SoftmaxCrossEntropyLoss", "x t", "y")
    (line,) = faults([one], x=np.ones((3,) * rank, np.float32), t=np.zeros(1, np.int64))
    assert f"scores of rank {rank} have no dim of the classes" in line


@pytest.mark.parametrize("rank", [0, 1])
@pytest.mark.parametrize(
    "one",
    [
        node("GroupNormalization", "x w w", "y", num_groups=1),
        node("InstanceNormalization", "x w w", "y"),
        node("LRN", "x", "y", size=3),
    ],
    ids=["GroupNormalization", "InstanceNormalization", "LRN"],
)
def test_an_input_without_a_channel_dim(one: NodeProto, rank: int) -> None:
    (line,) = faults([one], x=np.ones((3,) * rank, np.float32), w=np.ones(3, np.float32))
    assert f"the input has rank {rank}, it needs a channel dim" in line


@pytest.mark.parametrize("kind", ["ReduceMax", "ReduceLogSumExp"])
@pytest.mark.parametrize("rows", [0, 3])
def test_an_axis_that_is_not_there_beside_another_fault(kind: str, rows: int) -> None:
    axes = {"axes": np.array([0, 7], np.int64)}
    model = model_of([node(kind, "x axes", "y")], {"x": floats(rows, 2)}, ["z"], axes, opset=18)
    with pytest.raises(HtpError) as caught:
        import_model(model)
    assert "param 'axes' is 7, the tensor has rank 2" in str(caught.value)


@pytest.mark.parametrize("size", [3, 2048])
def test_an_initializer_without_a_name(size: int) -> None:
    model = model_of([node("Relu", "x", "y")], {"x": X}, ["y"])
    model.graph.initializer.append(numpy_helper.from_array(floats(size, 1)))
    with pytest.raises(HtpError, match="has an initializer without a name"):
        import_model(model)


def test_a_sparse_constant_is_one_fault_and_its_readers_none() -> None:
    model = model_of([node("Add", "x w", "y")], {"x": X}, ["y"])
    values = helper.make_tensor("w", TensorProto.FLOAT, [1], [1.0])
    places = helper.make_tensor("places", TensorProto.INT64, [1], [3])
    sparse = helper.make_sparse_tensor(values, places, list(X.shape))
    model.graph.sparse_initializer.append(sparse)
    with pytest.raises(HtpError) as caught:
        import_model(model)
    assert caught.value.lines() == ["initializer 'w': is sparse", "  store it dense"]


def test_an_input_without_a_shape() -> None:
    model = model_of([node("Relu", "x", "y")], {"x": X}, ["y"])
    model.graph.input[0].type.tensor_type.ClearField("shape")
    with pytest.raises(HtpError) as caught:
        import_model(model)
    assert caught.value.lines() == [
        "input 'x': has no shape",
        "  export one; dims may be names, which --dim fixes",
    ]


def test_types_that_no_tensor_has() -> None:
    (line,) = faults([node("Identity", "x", "y")], x=X.astype(np.complex64))
    assert line.startswith("input 'x': element type COMPLEX64; supported are all types but")


@pytest.mark.parametrize(
    ("one", "z", "types"),
    [
        ("Add", floats(3), "x (2x4 float), z (3 float): Incompatible dimensions"),
        ("MatMul", floats(3, 5), "x (2x4 float), z (3x5 float): Incompatible dimensions for"),
        ("Add", floats(2, 4).astype(np.float16), "x (2x4 float), z (2x4 float16): B has"),
    ],
)
def test_types_that_contradict_each_other(one: str, z: Array, types: str) -> None:
    """The node that is told is the one that takes both, not what follows from it."""
    nodes = [node(one, "x z", "s", name="sum"), node("Relu", "s", "y")]
    (line,) = faults(nodes, x=X, z=z)
    assert line.startswith(f"node 'sum' ({one}): does not take {types}")
    assert line.endswith("; the graph contradicts itself; export it again")


def test_a_shape_that_is_stated_and_another_that_follows() -> None:
    model = model_of([node("Relu", "x", "y")], {"x": X}, ["y"])
    model.graph.output[0].type.CopyFrom(helper.make_tensor_type_proto(1, [3, 3]))
    with pytest.raises(HtpError) as caught:
        import_model(model)
    problem, remedy = caught.value.lines()
    message = "gives y (2x4 float) from x (2x4 float); the model states 3x3 float"
    assert problem == f"node of 'y' (Relu): {message}"
    assert remedy == "  the graph contradicts itself; export it again"


@pytest.mark.parametrize(
    ("op", "numbers", "numbers_text"),
    [
        ("Reshape", [7, -1], "x (2x4 float), n (2 int64): Dimension could not be inferred"),
        ("Squeeze", [0], "x (2x4 float), n (1 int64): Dimension of input 0 must be 1"),
        ("Expand", [5, 6], "x (2x4 float), n (2 int64): Incompatible dimensions"),
    ],
)
def test_numbers_that_contradict_a_shape(op: str, numbers: list[int], numbers_text: str) -> None:
    """The node is told although its numbers are at fault, and not the types of its inputs."""
    nodes = [node(op, "x n", "s"), node("Relu", "s", "y")]
    model = model_of(nodes, {"x": X}, ["y"], {"n": np.array(numbers, np.int64)})
    with pytest.raises(HtpError) as caught:
        import_model(model)
    assert caught.value.lines()[0].startswith(f"node of 's' ({op}): does not take {numbers_text}")


def test_a_contradiction_inside_a_branch_names_the_node_with_the_branch() -> None:
    branch = helper.make_graph(
        [node("MatMul", "x x", "inside", name="product")],
        "branch",
        [],
        [helper.make_tensor_value_info("inside", 1, None)],
    )
    one = node("If", "chosen", "y", then_branch=branch, else_branch=branch)
    (line,) = faults([one], x=X, chosen=np.array([True]))
    assert line.startswith("node of 'y' (If): ")
    assert "(op_type:MatMul, node name: product)" in line


def test_samples_that_follow_from_regions_are_refused() -> None:
    regions, chosen = np.ones((1, 4), np.float32), np.zeros(1, np.int64)
    (line,) = faults([node("RoiAlign", "x r b", "y")], x=IMAGE, r=regions, b=chosen)
    assert "attribute 'sampling_ratio' is 0 and the regions are data, so the number" in line


def test_a_matrix_without_dims_is_refused() -> None:
    size = node("Constant", "", "s", value_ints=[1, 3, 4, 4])
    (line,) = faults([size, node("AffineGrid", "t s", "y")], t=np.array(1, np.float32))
    assert "'theta' does not fit a size of 2 spatial dims" in line


def test_what_is_numbered_on_import_has_a_bound() -> None:
    """No array of these sizes is made: the input states them, and there is none of its data."""
    rows = helper.make_tensor_value_info("x", TensorProto.FLOAT, [2**26, 3, 2])
    lengths = helper.make_tensor_value_info("n", TensorProto.INT64, [3])
    out = helper.make_tensor_value_info("y", TensorProto.FLOAT, [2**26, 3, 2])
    graph = helper.make_graph([node("ReverseSequence", "x n", "y")], "g", [rows, lengths], [out])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)])
    with pytest.raises(HtpError, match="reverses 3 sequences of 67108864 steps"):
        import_model(model)


def test_a_pool_that_needs_a_large_matrix_is_refused() -> None:
    pool = node("LpPool", "x", "y", kernel_shape=[2], dilations=[2])
    (line,) = faults([pool], x=np.zeros((1, 1, 2**14), np.float32))
    assert "pools with a matrix of" in line


@pytest.mark.parametrize("equation", [b"bii\xff\x00", b"bij-", b"bij>", b"b.j", b"bij->b->"])
def test_an_equation_that_stops_inference_is_refused_before(equation: bytes) -> None:
    (line,) = faults([node("Einsum", "x", "y", equation=equation)])
    assert f"'equation' is {equation!r}" in line


def test_sizes_of_no_elements() -> None:
    sizes = node("Constant", "", "sizes", value_ints=[1, 2, 8, 8])
    resize = helper.make_node("Resize", ["i", "", "", "sizes"], ["y"])
    (line,) = faults([sizes, resize], i=IMAGE[:0])
    assert "has sizes for data without elements" in line


def test_a_verifier_speaks_for_its_node() -> None:
    (line,) = faults([node("Not", "x", "y", name="negate")])
    assert "negate" in line


def damaged() -> NodeProto:
    """A Constant whose tensor has fewer bytes than its shape says."""
    tensor = numpy_helper.from_array(X)
    tensor.raw_data = tensor.raw_data[:6]
    return helper.make_node("Constant", [], ["c"], value=tensor)


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ([damaged(), node("Add", "x c", "y")], "node of 'c' (Constant): its data does not fit"),
        ([node("Pad", "x pads many", "y")], "'constant_value' is not one number; give a scalar"),
        ([node("LSTM", "x one one", "y")], "input 2 has rank 0, it must be 3"),
    ],
)
def test_what_inference_does_not_look_at(nodes: list[NodeProto], message: str) -> None:
    constants = {
        "pads": np.ones(4, np.int64),
        "many": floats(2),
        "one": np.asarray(1, np.float32),
    }
    feeds = {"x": floats(2, 1, 4) if nodes[0].op_type == "LSTM" else X}
    with pytest.raises(HtpError) as caught:
        import_model(model_of(nodes, feeds, ["y"], constants))
    (line,) = (fault.line() for fault in caught.value.faults)
    assert message in line


@pytest.mark.parametrize(
    ("one", "message"),
    [
        (node("Constant", "", "y"), None),
        (
            node("Split", "one", "y", num_outputs=1),
            "attribute 'axis' is 0, the rank is 0; change it in the model, or express the node in "
            "other ops",
        ),
        (
            node("ConvTranspose", "i w", "y", output_shape=[6]),
            "attribute 'output_shape' is [6]; give 2 numbers >= 1",
        ),
        (
            node("ConvTranspose", "i w", "y", output_padding=[1], auto_pad="SAME_UPPER"),
            "attribute 'output_padding' is [1]; give 2 numbers >= 0",
        ),
    ],
)
def test_beside_another_fault_inference_is_lenient(one: NodeProto, message: str | None) -> None:
    feeds = {"i": IMAGE, "w": floats(2, 2, 3, 3), "one": np.asarray(1, np.float32)}
    first, *others = faults([node("ImageDecoder", "i", "bad"), one], **feeds)
    assert first.startswith("node of 'bad' (ImageDecoder): the op is not supported")
    assert [line.partition("): ")[2] for line in others] == ([] if message is None else [message])
