"""Channels-first models become channels-last with few Transposes left, and compute the same."""

from collections import Counter

import numpy as np
import pytest
from htp_mlir.dialects.qti_aisw import ConstOp
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.lowering.frontend.onnx import import_model
from onnx import ModelProto, NodeProto, helper

from ..models import (
    Array,
    assert_same,
    floats,
    model_of,
)

X = floats(1, 4, 8, 6)
WEIGHTS = {"w": floats(4, 4, 3, 3) * np.float32(0.2), "b": floats(4)}


def conv(source: str, result: str) -> NodeProto:
    return helper.make_node("Conv", [source, "w", "b"], [result], pads=[1, 1, 1, 1])


def op(kind: str, inputs: str, outputs: str, **attributes: object) -> NodeProto:
    return helper.make_node(kind, inputs.split(), outputs.split(), **attributes)


def chain(*nodes: NodeProto, output: str = "y", **constants: Array) -> ModelProto:
    return model_of(nodes, {"x": X}, [output], {**WEIGHTS, **constants})


def count(model: ModelProto) -> Counter[str]:
    ops = import_model(model).body.block.first_op.body.block.ops
    return Counter(one.name.removeprefix("qti_aisw.") for one in ops)


CHAINS = {
    "image net": (
        [
            conv("x", "a"),
            op("Relu", "a", "b1"),
            conv("b1", "c"),
            op("MaxPool", "c", "y", kernel_shape=[2, 2]),
        ],
        2,
    ),
    "residual": ([conv("x", "a"), op("Add", "a x", "b1"), conv("b1", "y")], 2),
    "gate": ([conv("x", "a"), op("Sigmoid", "a", "s"), op("Mul", "a s", "m"), conv("m", "y")], 2),
    "squeeze and excite": (
        [
            conv("x", "a"),
            op("GlobalAveragePool", "a", "p"),
            op("Conv", "p v", "q"),
            op("HardSigmoid", "q", "s"),
            op("Mul", "a s", "m"),
            conv("m", "y"),
        ],
        2,
    ),
    "concat on channels": (
        [conv("x", "a"), op("Concat", "a x", "j", axis=1), op("Conv", "j v2", "y")],
        2,
    ),
    "constant per channel": (
        [conv("x", "a"), op("Mul", "a scale", "m"), op("PRelu", "m scale", "n"), conv("n", "y")],
        2,
    ),
    "pad and cut": (
        [
            conv("x", "a"),
            op("Pad", "a amounts", "p"),
            op("Slice", "p low high axes", "s"),
            conv("s", "y"),
        ],
        2,
    ),
    "softmax on channels": ([conv("x", "a"), op("Softmax", "a", "y", axis=1)], 2),
    "split and join": (
        [
            conv("x", "a"),
            op("Split", "a", "l r", axis=1, num_outputs=2),
            op("Concat", "r l", "j", axis=1),
            conv("j", "y"),
        ],
        2,
    ),
    "classifier": (
        [conv("x", "a"), op("GlobalAveragePool", "a", "p"), op("Flatten", "p", "y")],
        1,
    ),
    "mean without dims": ([conv("x", "a"), op("ReduceMean", "a axes", "y", keepdims=0)], 2),
    "batch norm": (
        [
            conv("x", "a"),
            op("BatchNormalization", "a v3 b v3 v3", "n"),
            op("Relu", "n", "r"),
            conv("r", "y"),
        ],
        2,
    ),
    "shuffled channels": (
        [
            conv("x", "a"),
            op("Reshape", "a parts", "s"),
            op("Transpose", "s", "t", perm=[0, 2, 1, 3, 4]),
            op("Reshape", "t dims", "j"),
            conv("j", "y"),
        ],
        3,
    ),
    "model's own": (
        [
            op("Transpose", "x", "t", perm=[0, 2, 3, 1]),
            op("Relu", "t", "r"),
            op("Transpose", "r", "y", perm=[0, 3, 1, 2]),
        ],
        0,
    ),
}
CONSTANTS = {
    "v": floats(4, 4, 1, 1),
    "v2": floats(3, 8, 1, 1),
    "v3": np.abs(floats(4)) + np.float32(0.5),
    "scale": floats(4, 1, 1),
    "amounts": np.array([0, 0, 1, 2, 0, 0, 3, 0], np.int64),
    "low": np.array([1, 1], np.int64),
    "high": np.array([9, 7], np.int64),
    "axes": np.array([2, 3], np.int64),
    "parts": np.array([1, 2, 2, 8, 6], np.int64),
    "dims": np.array(X.shape, np.int64),
}

SHUFFLE = ("parts", "dims")


@pytest.mark.parametrize("name", CHAINS)
def test_chains(name: str) -> None:
    nodes, most = CHAINS[name]
    used = {source for node in nodes for source in node.input}
    constants = {**WEIGHTS, **CONSTANTS}
    model = model_of(nodes, {"x": X}, ["y"], {n: a for n, a in constants.items() if n in used})
    assert count(model)["Transpose"] <= most
    assert_same(model, {"x": X})


def test_a_shuffle_of_channels_stands_between_convolutions_alone() -> None:
    """Its Reshape, Transpose and Reshape are on the last dim; others turn the model's ends."""
    nodes, _ = CHAINS["shuffled channels"]
    model = model_of(nodes, {"x": X}, ["y"], {**WEIGHTS, **{n: CONSTANTS[n] for n in SHUFFLE}})
    block = import_model(model).body.block.first_op.body.block
    ops = [op for op in block.ops if not isinstance(op, ConstOp)]
    names = [op.name.removeprefix("qti_aisw.") for op in ops]
    kinds = ("Transpose", "Conv2d", "Reshape", "Transpose", "Reshape", "Conv2d", "Transpose")
    assert names == [*kinds, "func.return"]
    assert ops[3].ints_param("perm") == (0, 1, 2, 4, 3)


def test_both_orders_of_a_value_are_used() -> None:
    """The model's own consumer keeps the first order; the convolutions share one Transpose."""
    nodes = [conv("x", "a"), conv("x", "c"), op("Add", "a c", "s"), op("Mul", "s x", "y")]
    model = chain(*nodes)
    assert count(model)["Transpose"] == 2
    assert_same(model, {"x": X})


def test_a_transpose_of_unit_dims_is_a_reshape() -> None:
    nodes = [op("Transpose", "x", "y", perm=[1, 0, 2, 3])]
    assert count(model_of(nodes, {"x": X}, ["y"])) == {"Reshape": 1, "func.return": 1}


def test_reshapes_are_joined() -> None:
    nodes = [op("Flatten", "x", "f"), op("Unsqueeze", "f at", "u"), op("Reshape", "u back", "y")]
    constants = {"at": np.array([0], np.int64), "back": np.array(X.shape, np.int64)}
    assert count(model_of(nodes, {"x": X}, ["y"], constants)) == {"func.return": 1}


def test_weights_in_the_order_of_the_filters() -> None:
    text = str(import_model(chain(conv("x", "y"))))
    assert "tensor<3x3x4x4xf32>" in text
    assert count(chain(conv("x", "y")))["Transpose"] == 2


def test_attention_is_left_alone() -> None:
    """Orders that no opposite undoes stay where they serve."""
    q = floats(1, 5, 2, 4)
    nodes = [
        op("Transpose", "q", "t", perm=[0, 2, 1, 3]),
        op("Transpose", "q", "u", perm=[0, 2, 3, 1]),
        op("MatMul", "t u", "s"),
        op("Softmax", "s", "p", axis=-1),
        op("MatMul", "p t", "o"),
        op("Transpose", "o", "y", perm=[0, 2, 1, 3]),
    ]
    model = model_of(nodes, {"q": q}, ["y"])
    assert count(model)["Transpose"] == 3
    assert_same(model, {"q": q})


TOKENS = {
    "flat": np.array([1, 4, 48], np.int64),
    "image": np.array(X.shape, np.int64),
    "grouped": np.array([0, 2, -1], np.int64),
    "one": np.ones(2, np.float32),
    "none": np.zeros(2, np.float32),
    "gate": floats(1, 4, 1, 1),
}


def tokens(*nodes: NodeProto, **inputs: Array) -> ModelProto:
    used = {source for node in nodes for source in node.input}
    constants = {n: a for n, a in {**WEIGHTS, **TOKENS}.items() if n in used - {*inputs}}
    return model_of(nodes, {"x": X, **inputs}, ["y"], constants)


def test_pixels_become_tokens_and_an_image_again() -> None:
    """In the order of a channels-last image both are Reshapes alone."""
    model = tokens(
        conv("x", "a"),
        op("Reshape", "a flat", "f"),
        op("Transpose", "f", "t", perm=[0, 2, 1]),
        op("Relu", "t", "r"),
        op("Transpose", "r", "u", perm=[0, 2, 1]),
        op("Reshape", "u image", "i"),
        op("Add", "a i", "s"),
        conv("s", "y"),
    )
    assert count(model)["Transpose"] == 2
    assert_same(model, {"x": X})


def test_a_value_for_each_channel_has_no_order() -> None:
    """It is computed, and comes along by a Reshape."""
    model = tokens(
        conv("x", "a"),
        op("Sigmoid", "gate", "s"),
        op("Mul", "a s", "m"),
        conv("m", "y"),
        gate=TOKENS["gate"],
    )
    assert count(model)["Transpose"] == 2
    assert_same(model, {"x": X, "gate": TOKENS["gate"]})


def test_groups_of_channels_are_normalised_as_channels() -> None:
    """Exporters reshape an image for it: nothing larger than a value for each channel is."""
    model = tokens(
        conv("x", "a"),
        op("Reshape", "a grouped", "g"),
        op("InstanceNormalization", "g one none", "n"),
        op("Reshape", "n image", "i"),
        conv("i", "y"),
    )
    block = import_model(model).body.block.first_op.body.block
    views = [one for one in block.ops if one.name == "qti_aisw.Reshape"]
    assert views
    assert max(spec_of(view.results[0]).elements for view in views) == X.shape[1]
    assert count(model)["Transpose"] == 2
    assert_same(model, {"x": X})


def test_what_two_small_values_bring_along_ends() -> None:
    """Either of them could be turned for the other one for ever."""
    model = model_of(
        [op("Transpose", "x", "t", perm=[0, 2, 3, 1]), op("Add", "t z", "y")],
        {"x": floats(1, 4, 1, 1), "z": floats(1, 1, 1, 4)},
        ["y"],
    )
    assert count(model)["Transpose"] == 0
    assert_same(model, {"x": floats(1, 4, 1, 1), "z": floats(1, 1, 1, 4)})
