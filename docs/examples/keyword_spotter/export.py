"""Writes the two ONNX files from named weights, node by node.

`model.onnx` is the streaming model with its block ops; `stateless.onnx` is the convolutional part
alone, from the buffered window to the features, which ONNX Runtime can run on its own.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
from htp_mlir.lowering.frontend.onnx.blocks import add_functions
from numpy.typing import NDArray
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, ValueInfoProto
from onnx.helper import (
    make_graph,
    make_model,
    make_node,
    make_opsetid,
    make_tensor_value_info,
)
from onnx.numpy_helper import from_array

BANDS, WINDOW, STEPS, HIDDEN, FEATURES, CLASSES = 40, 16, 16, 48, 640, 3
RIGHT, LEFT = 2, 1
"""Buffer modes: NON_BLOCKING_RIGHT and NON_BLOCKING_LEFT."""
UNCOMPRESSED = 0
"""MaskedSoftmax mode: the mask is added."""
BLOCK_DOMAIN = "qti_aisw"

Weights = Mapping[str, NDArray[np.float32]]


def write(weights: Weights, folder: Path) -> None:
    """Writes `model.onnx` and `stateless.onnx` into the folder."""
    onnx.save(streaming_model(weights), folder / "model.onnx")
    onnx.save(stateless_model(weights), folder / "stateless.onnx")


def streaming_model(weights: Weights) -> ModelProto:
    """One step: frame [1,1,1,40] and reset (scalar) to probabilities [1,3]."""
    nodes = [
        make_node(
            "Buffer",
            ["frame", "reset"],
            ["window"],
            name="gather_frames",
            domain=BLOCK_DOMAIN,
            buffer_size=WINDOW,
            buffer_dim=2,
            stride=1,
            mode=RIGHT,
        ),
        *_convolutions(),
        *_recurrence(),
        *_memory(),
        *_attention(),
        make_node("Gemm", ["pooled", "class.w", "class.b"], ["logits"], name="classifier"),
        make_node("Softmax", ["logits"], ["probabilities"], name="to_probabilities", axis=1),
    ]
    graph = make_graph(
        nodes,
        "keyword_spotter",
        [_floats("frame", 1, 1, 1, BANDS), make_tensor_value_info("reset", TensorProto.BOOL, [])],
        [
            _floats("probabilities", 1, CLASSES),
            _floats("window", 1, 1, WINDOW, BANDS),
            _floats("features", 1, 1, FEATURES),
        ],
        [from_array(array, name) for name, array in {**weights, **_constants()}.items()],
    )
    return _model(graph)


def stateless_model(weights: Weights) -> ModelProto:
    """The convolutional part: window [1,1,16,40] to features [1,1,640]."""
    nodes = _convolutions()
    used = {name for node in nodes for name in node.input}
    constants = {**weights, **_constants()}
    graph = make_graph(
        nodes,
        "keyword_spotter_features",
        [_floats("window", 1, 1, WINDOW, BANDS)],
        [_floats("features", 1, 1, FEATURES)],
        [from_array(array, name) for name, array in constants.items() if name in used],
    )
    return _model(graph)


def _convolutions() -> list[NodeProto]:
    """window [1,1,16,40] to features [1,1,640]: a sequence of length 1 for the GRU."""
    return [
        *_conv("conv1", "window", kernel=3, stride=1),
        *_conv("conv2", "conv1", kernel=3, stride=2),
        *_conv("conv3", "conv2", kernel=3, stride=1),
        make_node("MaxPool", ["conv3"], ["pool"], name="pool", kernel_shape=[2, 2], strides=[2, 2]),
        *_conv("conv4", "pool", kernel=1, stride=1),
        make_node("Reshape", ["conv4", "features.shape"], ["features"], name="flatten"),
    ]


def _conv(name: str, source: str, *, kernel: int, stride: int) -> list[NodeProto]:
    """A convolution and its Relu; the result bears the name of the layer."""
    linear = f"{name}_linear"
    return [
        make_node(
            "Conv",
            [source, f"{name}.w", f"{name}.b"],
            [linear],
            name=linear,
            kernel_shape=[kernel, kernel],
            strides=[stride, stride],
            pads=[kernel // 2] * 4,
        ),
        make_node("Relu", [linear], [name], name=f"{name}_relu"),
    ]


def _recurrence() -> list[NodeProto]:
    """features [1,1,640] to hidden [1,1,48], through the two stateful layers."""
    return [
        make_node(
            "StatefulGru",
            ["features", "gru.w", "gru.r", "gru.b", "", "", "reset"],
            ["gru_sequence", "gru_last"],
            name="gru",
            domain=BLOCK_DOMAIN,
            hidden_size=HIDDEN,
            direction="forward",
            linear_before_reset=1,
        ),
        make_node("Reshape", ["gru_sequence", "step.shape"], ["gru_step"], name="drop_direction"),
        make_node(
            "StatefulLstm",
            ["gru_step", "lstm.w", "lstm.r", "lstm.b", "", "", "", "", "reset"],
            ["lstm_sequence", "hidden", "lstm_cell"],
            name="lstm",
            domain=BLOCK_DOMAIN,
            hidden_size=HIDDEN,
            direction="forward",
        ),
    ]


def _memory() -> list[NodeProto]:
    """hidden [1,1,48] to the last 16 of them, recent [1,1,16,48], and mask int32 [1,16].

    A column of ones travels through the buffer with them: it tells filled rows from empty ones.
    """
    return [
        make_node("Reshape", ["hidden", "row.shape"], ["hidden_row"], name="as_row"),
        make_node("Concat", ["hidden_row", "one"], ["row"], name="mark_filled", axis=3),
        make_node(
            "Buffer",
            ["row", "reset"],
            ["rows"],
            name="gather_steps",
            domain=BLOCK_DOMAIN,
            buffer_size=STEPS,
            buffer_dim=2,
            stride=1,
            mode=LEFT,
        ),
        make_node("Split", ["rows", "row.parts"], ["recent", "filled"], name="unmark", axis=3),
        make_node("Reshape", ["filled", "mask.shape"], ["filled_flat"], name="flatten_filled"),
        make_node("Sub", ["filled_flat", "unit"], ["missing"], name="find_missing"),
        make_node("Mul", ["missing", "masked"], ["mask_float"], name="scale_mask"),
        make_node("Cast", ["mask_float"], ["mask"], name="cast_mask", to=TensorProto.INT32),
    ]


def _attention() -> list[NodeProto]:
    """recent [1,1,16,48] and mask [1,16] to pooled [1,48]."""
    return [
        make_node("MatMul", ["recent", "attention.w"], ["score_column"], name="score"),
        make_node(
            "Transpose", ["score_column"], ["scores"], name="scores_to_row", perm=[0, 1, 3, 2]
        ),
        make_node(
            "MaskedSoftmax",
            ["scores", "mask"],
            ["attention"],
            name="attend",
            domain=BLOCK_DOMAIN,
            mode=UNCOMPRESSED,
        ),
        make_node("MatMul", ["attention", "recent"], ["pooled_row"], name="pool_steps"),
        make_node("Reshape", ["pooled_row", "pooled.shape"], ["pooled"], name="flatten_pooled"),
    ]


def _constants() -> dict[str, NDArray[np.generic]]:
    """Initializers that are not trained."""
    return {
        "features.shape": np.array([1, 1, FEATURES], np.int64),
        "step.shape": np.array([1, 1, HIDDEN], np.int64),
        "row.shape": np.array([1, 1, 1, HIDDEN], np.int64),
        "row.parts": np.array([HIDDEN, 1], np.int64),
        "mask.shape": np.array([1, STEPS], np.int64),
        "pooled.shape": np.array([1, HIDDEN], np.int64),
        "one": np.ones((1, 1, 1, 1), np.float32),
        "unit": np.array(1, np.float32),
        "masked": np.array(10000, np.float32),
    }


def _floats(name: str, *shape: int) -> ValueInfoProto:
    return make_tensor_value_info(name, TensorProto.FLOAT, shape)


def _model(graph: GraphProto) -> ModelProto:
    """The model around a graph: opset 17, and the bodies of the block ops that it has."""
    opsets = [make_opsetid("", 17)]
    model = make_model(graph, producer_name="keyword_spotter", opset_imports=opsets, ir_version=9)
    add_functions(model)
    return model
