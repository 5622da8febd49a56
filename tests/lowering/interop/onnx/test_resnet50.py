"""A graph of ResNet-50's layers, in and out: the same nodes, and the same numbers."""

from functools import partial

import numpy as np
import onnx
import pytest
from htp_mlir.lowering import import_model
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from .kit import assert_returns, assert_same_numbers, checked, raised

pytestmark = pytest.mark.slow
DEPTHS = (3, 4, 6, 3)
NORM = "BatchNormalization"
SIZE, DIVISOR = 64, 8
"""Rows of the image, 224 in the paper, and what the channels of each layer are divided by."""


class Layers:
    """Nodes and weights, as torchvision's ResNet-50 is exported: batch norms stay apart."""

    def __init__(self) -> None:
        self.nodes: list[NodeProto] = []
        self.weights: list[TensorProto] = []
        self.rng = np.random.default_rng(50)

    def weight(self, *dims: int, low: float = -0.1) -> str:
        name = f"onnx::w_{len(self.weights)}"
        array = self.rng.uniform(low, low + 0.2, dims).astype(np.float32)
        self.weights.append(numpy_helper.from_array(array, name))
        return name

    def node(self, op: str, *inputs: str, **attributes: object) -> str:
        name = f"/layer/{op}_{len(self.nodes)}"
        result = f"{name}_output_0"
        self.nodes.append(helper.make_node(op, inputs, [result], name=name, **attributes))
        return result

    def conv(self, x: str, inputs: int, outputs: int, size: int, stride: int = 1) -> str:
        filters, pad = self.weight(outputs, inputs, size, size), size // 2
        sizes = {"kernel_shape": [size] * 2, "strides": [stride] * 2, "pads": [pad] * 4}
        y = self.node("Conv", x, filters, **sizes)
        lows = 0.9, -0.1, -0.1, 0.9
        scale, shift, mean, variance = (self.weight(outputs, low=low) for low in lows)
        return self.node("BatchNormalization", y, scale, shift, mean, variance)

    def bottleneck(self, x: str, inputs: int, inner: int, stride: int) -> str:
        y = self.node("Relu", self.conv(x, inputs, inner, 1))
        y = self.node("Relu", self.conv(y, inner, inner, 3, stride))
        y = self.conv(y, inner, 4 * inner, 1)
        if stride > 1 or inputs != 4 * inner:
            x = self.conv(x, inputs, 4 * inner, 1, stride)
        return self.node("Relu", self.node("Add", y, x))


def resnet50() -> ModelProto:
    layers, inner = Layers(), 64 // DIVISOR
    x = layers.node("Relu", layers.conv("image", 3, inner, 7, 2))
    sizes = {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1]}
    x, channels = layers.node("MaxPool", x, **sizes), inner
    for stage, depth in enumerate(DEPTHS):
        for block in range(depth):
            stride = 2 if stage and not block else 1
            x, channels = layers.bottleneck(x, channels, inner << stage, stride), inner << stage + 2
    x = layers.node("Flatten", layers.node("GlobalAveragePool", x), axis=1)
    w, b = layers.weight(10, channels), layers.weight(10)
    layers.nodes.append(helper.make_node("Gemm", [x, w, b], ["scores"], transB=1, name="/fc/Gemm"))
    info = partial(helper.make_tensor_value_info, elem_type=TensorProto.FLOAT)
    image, scores = info("image", shape=(1, 3, SIZE, SIZE)), info("scores", shape=(1, 10))
    graph = helper.make_graph(layers.nodes, "resnet50", [image], [scores], layers.weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


@pytest.mark.needs("onnxruntime")
def test_resnet50_has_the_same_nodes() -> None:
    source = resnet50()
    onnx.checker.check_model(source, full_check=True)
    assert sum(node.op_type == "Conv" for node in source.graph.node) == 53
    module = import_model(source)
    model = checked(module)
    assert [*model.graph.node] == [*source.graph.node]
    assert [*model.graph.initializer] == [*source.graph.initializer]
    assert_same_numbers(module, source, model)
    assert_returns(module, model)


@pytest.mark.needs("onnxruntime")
def test_resnet50_raised_has_no_norms_and_one_mean_in_place_of_two_nodes() -> None:
    source = resnet50()
    module = raised(import_model(source), blocks=True)
    model = checked(module)
    norms = {n.input[0]: n.output[0] for n in source.graph.node if n.op_type == NORM}
    kept = [(n.op_type, norms.get(n.output[0], n.output[0])) for n in source.graph.node]
    kept = [(op, output) for op, output in kept if op != NORM]
    assert [(node.op_type, node.output[0]) for node in model.graph.node][:-2] == kept[:-3]
    assert [node.op_type for node in source.graph.node][-3:-1] == ["GlobalAveragePool", "Flatten"]
    assert [node.op_type for node in model.graph.node][-2:] == ["ReduceMean", "Gemm"]
    assert_same_numbers(module, source, model)
    assert_returns(module, model, blocks=True)
