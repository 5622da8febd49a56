"""The converter's graph: its ops compute what ONNX Runtime does, and its types are kept."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.lowering import load_module, lower
from htp_mlir.lowering.frontend.net.importer import BINARY, NEURON, UNARY
from htp_mlir.lowering.tools import htp_opt
from htp_mlir.lowering.tools.htp import main as htp
from htp_mlir.runtime import Session
from onnx import helper

from ..models import floats, judged, model_of
from .kit import (
    BIAS,
    BOOL,
    F32,
    I8,
    I32,
    INPUT,
    OUTPUT,
    STATIC,
    U8,
    U32,
    NetFile,
    along,
    one_op,
    scale_offset,
)

X, Y = np.array([[-1.5, 0.25, 2.0, 7.5]], np.float32), np.array([[2.0, 0.5, -3.0, 7.5]], np.float32)


def computed(net: NetFile, folder: Path, *inputs: Any) -> Any:
    """The outputs of a graph without weights."""
    module = load_module(net.save(folder))
    return Session(module).run(dict(zip("abc", inputs, strict=False)))["y"]


def convnet() -> tuple[NetFile, dict[str, Any]]:
    net = NetFile()
    net.tensor("x", (1, 9, 9, 3), INPUT)
    net.tensor("w", (3, 3, 3, 8), STATIC)
    net.tensor("b", (8,), STATIC)
    net.tensor("c", (1, 5, 5, 8))
    sizes = {"stride": [2, 2], "pad_amount": [[1, 1], [1, 1]], "dilation": [1, 1]}
    net.node("conv", "Conv2d", "x w b", "c", {"group": (U32, 1)}, **sizes)
    net.tensor("r", (1, 5, 5, 8))
    net.node("act", "ElementWiseNeuron", "c", "r", {"operation": (U32, NEURON.index("Relu"))})
    net.tensor("p", (1, 2, 2, 8))
    window = {"filter_size": [3, 3], "stride": [2, 2], "pad_amount": [[0, 0], [0, 0]]}
    net.node("pool", "Pool", "r", "p", {"pool_type": (1025, "PoolMax2d")}, **window)
    net.tensor("f", (1, 32))
    net.node("flat", "Reshape", "p", "f")
    net.tensor("v", (10, 32), STATIC)
    net.tensor("y", (1, 10), OUTPUT)
    net.node("fc", "FullyConnected", "f v", "y")
    weights = {"w": floats(3, 3, 3, 8), "b": floats(8), "v": floats(10, 32)}
    return net, weights


def test_a_convolutional_net_with_weights_is_what_onnx_runtime_computes(tmp_path: Path) -> None:
    net, weights = convnet()
    module = load_module(net.save(tmp_path, weights))
    assert "htp.weights" not in module.attributes
    x = floats(1, 9, 9, 3)
    nodes = [
        helper.make_node("Conv", ["x", "w", "b"], ["c"], strides=[2, 2], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c"], ["r"]),
        helper.make_node("MaxPool", ["r"], ["p"], kernel_shape=[3, 3], strides=[2, 2]),
        helper.make_node("Transpose", ["p"], ["t"], perm=[0, 2, 3, 1]),
        helper.make_node("Flatten", ["t"], ["f"]),
        helper.make_node("Gemm", ["f", "v"], ["y"], transB=1),
    ]
    constants = {**weights, "w": weights["w"].transpose(3, 2, 0, 1).copy()}
    feeds = {"x": x.transpose(0, 3, 1, 2).copy()}
    wanted = judged(model_of(nodes, feeds, ["y"], constants), feeds)["y"]
    for level in (module, lower(module)):
        np.testing.assert_allclose(Session(level).run({"x": x})["y"], wanted, rtol=1e-4, atol=1e-5)


UFUNCS = {
    **{"Add": np.add, "And": np.logical_and, "Divide": np.divide, "Equal": np.equal},
    **{"FloorDiv": np.floor_divide, "Greater": np.greater, "GreaterEqual": np.greater_equal},
    **{"Less": np.less, "LessEqual": np.less_equal, "Maximum": np.maximum, "Minimum": np.minimum},
    **{"Mod": np.mod, "Multiply": np.multiply, "NotEqual": np.not_equal, "Or": np.logical_or},
    **{"Power": np.power, "Subtract": np.subtract, "Xor": np.logical_xor},
    **{"SquaredDifference": lambda a, b: (a - b) ** 2, "Fmod": np.fmod},
}


@pytest.mark.parametrize("name", BINARY)
def test_binary_operations_by_number(name: str, tmp_path: Path) -> None:
    logic = name in ("And", "Or", "Xor")
    a, b = (X > 0, Y > 0) if logic else (X if name == "Fmod" else np.abs(X), Y)
    result = BOOL if UFUNCS[name](a, b).dtype == np.bool_ else F32
    number = {"operation": (U32, BINARY.index(name))}
    types = (BOOL if logic else F32, result)
    net = one_op("Eltwise_Binary", [(1, 4), (1, 4)], (1, 4), number, types)
    np.testing.assert_allclose(computed(net, tmp_path, a, b), UFUNCS[name](a, b), rtol=1e-6)


UNARIES = {
    **{"Abs": np.abs, "Asin": np.arcsin, "Atan": np.arctan, "Ceil": np.ceil, "Cos": np.cos},
    **{"Exp": np.exp, "Floor": np.floor, "Log": np.log, "Neg": np.negative, "Sin": np.sin},
    **{"Not": np.logical_not, "Reciprocal": np.reciprocal, "Round": np.rint, "Sign": np.sign},
    **{"Rsqrt": lambda x: 1 / np.sqrt(x), "SquareRoot": np.sqrt},
}


@pytest.mark.parametrize("name", UNARY)
def test_unary_operations_by_number(name: str, tmp_path: Path) -> None:
    x = X > 0 if name == "Not" else np.abs(X) / 8
    types = (BOOL, BOOL) if name == "Not" else (F32, F32)
    net = one_op("Eltwise_Unary", [(1, 4)], (1, 4), {"operation": (U32, UNARY.index(name))}, types)
    np.testing.assert_allclose(computed(net, tmp_path, x), UNARIES[name](x), rtol=1e-6)


NEURONS = {
    "Elu": lambda x: np.where(x > 0, x, 0.5 * np.expm1(x)),
    "HardSigmoid": lambda x: np.clip(0.5 * x + 0.25, 0, 1),
    "HardSwish": lambda x: x * np.clip(x + 3, 0, 6) / 6,
    "Relu": lambda x: np.maximum(x, 0),
    "ReluMinMax": lambda x: np.clip(x, -1, 6),
    "Sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "ElementWiseSoftplus": lambda x: np.log1p(np.exp(x)),
    "Tanh": np.tanh,
}


@pytest.mark.parametrize("name", NEURONS)
def test_activations_by_number(name: str, tmp_path: Path) -> None:
    scalars = {
        "operation": (U32, NEURON.index(name)),
        **{"alpha": (F32, 0.5), "beta": (F32, 1.0 if name == "ElementWiseSoftplus" else 0.25)},
        **{"min_value": (F32, -1.0), "max_value": (F32, 6.0)},
    }
    net = one_op("ElementWiseNeuron", [(1, 4)], (1, 4), scalars)
    np.testing.assert_allclose(computed(net, tmp_path, X), NEURONS[name](X), rtol=1e-5)


A = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
MASKS = {"begin_mask": (U32, 1), "end_mask": (U32, 2), "shrink_axes": (U32, 4)}
MOVES: dict[str, tuple[str, list[Any], Any, dict[str, Any], dict[str, Any]]] = {
    "masks": (
        "StridedSlice",
        [A],
        A[:2, 1:, 3],
        MASKS,
        {"ranges": [[1, 2, 1], [1, 2, 1], [-1, 0, 1]]},
    ),
    "a negative step": (
        "StridedSlice",
        [A],
        A[::-1],
        {"begin_mask": (U32, 1), "end_mask": (U32, 1)},
        {"ranges": [[0, 0, -1], [0, 3, 1], [0, 4, 1]]},
    ),
    "Pack": ("Pack", [A, A + 1], np.stack([A, A + 1], 2), {"axis": (U32, 2)}, {}),
    "Concat": ("Concat", [A, A + 1], np.concatenate([A, A + 1], 1), {"axis": (U32, 1)}, {}),
    "Transpose": ("Transpose", [A], A.transpose(2, 0, 1), {}, {"perm": [2, 0, 1]}),
    "Tile": ("Tile", [A], np.tile(A, (2, 1, 1)), {}, {"multiples": [2, 1, 1]}),
    "Pad": (
        "Pad",
        [A],
        np.pad(A, ((0, 0), (1, 2), (0, 0)), constant_values=3),
        {"scheme": (U32, 0), "pad_constant_value": (F32, 3.0)},
        {"pad_amount": [[0, 0], [1, 2], [0, 0]]},
    ),
    "ExpandDims": ("ExpandDims", [A], A[:, None], {}, {"axes": [1]}),
    "FullyConnected": ("FullyConnected", [A, A[0]], A.reshape(6, 4) @ A[0].T, {}, {}),
    "Reduce": (
        "Reduce",
        [A],
        A.max((0, 2), keepdims=True),
        {"keep_dims": (BOOL, 1), "reduce_type": (1025, "ReduceMax")},
        {"axes": [0, 2]},
    ),
    "MatMul": ("MatMul", [A, A], A @ A.swapaxes(1, 2), {"transpose_in1": (BOOL, True)}, {}),
}


@pytest.mark.parametrize("what", MOVES)
def test_ops_of_tensors(what: str, tmp_path: Path) -> None:
    op, inputs, wanted, scalars, lists = MOVES[what]
    net = one_op(op, [x.shape for x in inputs], wanted.shape, scalars, **lists)
    np.testing.assert_array_equal(computed(net, tmp_path, *inputs), wanted)


@pytest.mark.parametrize("op", ["GatherNd", "Gather"])
def test_unsigned_indices(op: str, tmp_path: Path) -> None:
    net = NetFile()
    net.tensor("a", (2, 3, 4), INPUT)
    net.tensor("b", (2, 1), INPUT, U32)
    net.tensor("y", (2, 4) if op == "GatherNd" else (2, 2, 1, 4), OUTPUT)
    scalars = {"batch_dims": (U32, 1)} if op == "GatherNd" else {"axis": (I32, 1)}
    net.node("op", op, "a b", "y", scalars)
    wanted = A[[0, 1], [2, 1]] if op == "GatherNd" else A[:, [[2], [1]]]
    places = np.array([[2], [1]], np.uint32)
    np.testing.assert_array_equal(computed(net, tmp_path, A, places), wanted)


@pytest.mark.parametrize(
    ("op", "scalars", "attributes"),
    [
        ("ResizeBilinear", {"align_corners": (BOOL, 1)}, ("linear", "align_corners", "floor")),
        ("ResizeBilinear", {"half_pixel_centers": (BOOL, 1)}, ("linear", "half_pixel", "floor")),
        ("ResizeNearestNeighbor", {}, ("nearest", "asymmetric", "floor")),
    ],
)
def test_resized_images(
    op: str, scalars: dict[str, Any], attributes: Sequence[str], tmp_path: Path
) -> None:
    mode, transformation, nearest = attributes
    x = floats(1, 2, 4, 5)
    node = helper.make_node(
        "Resize",
        ["a", "", "", "s"],
        ["y"],
        mode=mode,
        coordinate_transformation_mode=transformation,
        nearest_mode=nearest,
    )
    sizes = {"s": np.array([1, 2, 7, 9], np.int64)}
    wanted = judged(model_of([node], {"a": x}, ["y"], sizes), {"a": x})["y"]
    net = one_op(op, [(1, 4, 5, 2)], (1, 7, 9, 2), scalars)
    result = computed(net, tmp_path, x.transpose(0, 2, 3, 1))
    np.testing.assert_allclose(result, wanted.transpose(0, 2, 3, 1), rtol=1e-5, atol=1e-6)


def quantised() -> NetFile:
    """A convolution with filters by channel, and a Concat of two grids."""
    net, fine, coarse = NetFile(), scale_offset(0.5, -128), scale_offset(2.0, 0)
    net.tensor("x", (1, 4, 4, 2), INPUT, U8, fine)
    net.tensor("w", (1, 1, 2, 2), STATIC, I8, along(3, [0.5, 0.25]))
    net.tensor("b", (2,), STATIC, BIAS, scale_offset(0.25, 0))
    net.tensor("c", (1, 4, 4, 2), type_=U8, quant=coarse)
    sizes = {"stride": [1, 1], "pad_amount": [[0, 0], [0, 0]]}
    net.node("conv", "Conv2d", "x w b", "c", **sizes)
    net.tensor("y", (1, 4, 4, 4), OUTPUT, U8, coarse)
    net.node("join", "Concat", "x c", "y", {"axis": (U32, 3)})
    return net


def test_types_and_encodings_are_kept(tmp_path: Path) -> None:
    weights = {"w": np.array([[[[2, 0], [0, 8]]]], np.int8), "b": np.array([0, 4], np.int32)}
    module = load_module(quantised().save(tmp_path, weights))
    conv = next(op for op in module.walk() if op.name == "qti_aisw.Conv2d")
    filters, result = spec_of(conv.operands[1]), spec_of(conv.results[0])
    assert (filters.dtype, filters.quant and filters.quant.scales) == (DType.QInt8, (0.5, 0.25))
    assert result.quant
    assert (result.quant.scale, result.quant.zero_point) == (2.0, 0)
    x = np.random.default_rng(0).integers(0, 256, (1, 4, 4, 2), np.uint8)
    reals = (x.astype(np.float64) - 128) * 0.5
    joined = np.concatenate([reals, reals * [1.0, 2.0] + [0.0, 1.0]], 3)
    wanted = np.clip(np.rint(joined / 2), 0, 255)
    for level in (module, lower(module)):
        np.testing.assert_array_equal(Session(level).run({"x": x})["y"], wanted)


def test_nodes_may_stand_in_any_order(tmp_path: Path) -> None:
    net = quantised()
    text = str(load_module(net.save(tmp_path)))
    net.nodes = dict(reversed(net.nodes.items()))
    assert str(load_module(net.save(tmp_path))) == text


def test_a_cycle_is_named(tmp_path: Path) -> None:
    net = one_op("Relu", [(2,)], (2,))
    net.node("op", "Relu", "y", "y")
    with pytest.raises(HtpError, match="its nodes form a cycle through 'op'"):
        load_module(net.save(tmp_path))


def test_a_graph_without_weights_lowers_and_runs_when_asked(tmp_path: Path) -> None:
    net, lowered = quantised().save(tmp_path), str(tmp_path / "lowered.mlir")
    assert htp.run(["lower", str(net), "-o", lowered]).status == 0
    assert htp.run(["report", "memory", str(net), "-p", "htp-lower"]).status == 0
    for path in (str(net), lowered):
        refused = htp.run(["run", path])
        assert (refused.status, refused.err.splitlines()) == (
            1,
            [
                'model: the weights of "net_net.json" are not at hand, and it would run on random '
                "ones",
                "  lay their archive beside it and read it again, or give --random-weights",
            ],
        )
    outputs = [htp.run(["run", path, "--random-weights"]).out for path in (str(net), lowered)]
    assert outputs[0] == outputs[1] != ""


def test_random_weights_go_out_as_a_model_only_when_asked(tmp_path: Path) -> None:
    words = [str(quantised().save(tmp_path)), "-t", "onnx", "-o", str(tmp_path / "m.onnx")]
    refused = htp_opt.run(words)
    assert (refused.status, "the model would have random ones" in refused.err) == (1, True)
    assert not (tmp_path / "m.onnx").exists()
    assert htp_opt.run([*words, "--random-weights"]).status == 0


def test_what_cannot_be_taken_is_named_and_the_rest_looked_at(tmp_path: Path) -> None:
    net = one_op("NonZero", [(4,)], (4, 1), types=(F32, I32))
    net.tensors["y"]["type"] = 3
    net.tensor("z", (1, 4), OUTPUT, I32)
    net.node("after", "Transpose", "y", "z", perm=[1, 0])
    path = str(net.save(tmp_path))
    lines = htp.run(["run", path]).err.splitlines()
    assert lines[0].startswith("node 'op' (NonZero): gives as many rows as there are numbers")
    assert lines[1] == "  cut the model in front of it, or let a TopK or a mask choose"
    report = htp.run(["support", path])
    assert report.status == 1
    assert "2 nodes: 1 refused, 1 allocated" in report.out


def test_what_a_refused_node_alone_reads_has_its_kernel(tmp_path: Path) -> None:
    net = one_op("Relu", [(4,)], (4,))
    net.tensors["y"]["type"] = 3
    net.tensor("z", (4, 1), OUTPUT, I32)
    net.node("last", "NonZero", "y", "z")
    report = htp.run(["support", str(net.save(tmp_path))])
    assert "Relu: unary" in report.out


def test_an_op_of_a_package(tmp_path: Path) -> None:
    net = one_op("Own", [(1, 4)], (1, 8), {"factor": (F32, 2.0)}, sizes=[1, 2])
    net.nodes["op"]["package"] = "MyPackage"
    (op,) = [op for op in load_module(net.save(tmp_path)).walk() if op.name == "qti_aisw.Custom"]
    assert str(op).startswith("%")
    assert op.target == "MyPackage.Own"
    assert op.given() == {"factor": 2.0, "sizes": (1, 2)}


def test_weights_that_do_not_fit(tmp_path: Path) -> None:
    net, weights = convnet()
    weights["w"] = weights["w"][:2]
    with pytest.raises(HtpError, match=r"tensor 'w': has 576 bytes, not 864"):
        load_module(net.save(tmp_path, weights))
    (tmp_path / "net.bin").write_bytes(b"no archive" * 100)
    with pytest.raises(HtpError, match="is not a tar archive of raw files"):
        load_module(net.save(tmp_path))


@pytest.mark.parametrize("op", ["Lstm", "Gru"])
def test_layers_with_weights_by_gate_are_refused_by_name(op: str, tmp_path: Path) -> None:
    path = str(one_op(op, [(2, 1, 4)], (2, 1, 4)).save(tmp_path))
    first, second = htp.run(["run", path]).err.splitlines()
    assert first.startswith(f"node 'op' ({op}): has weights of its own for each gate")
    assert second == "  look at the ONNX model that the converter read: its layer is taken"
