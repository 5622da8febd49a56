"""Float models of the kinds that users quantise, small, for ONNX Runtime's quantiser."""

from collections.abc import Callable, Sequence
from itertools import count

import numpy as np
from htp_mlir.dialects.spec_of import Array
from onnx import ModelProto, TensorProto, checker, helper, numpy_helper, shape_inference

SAME = {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}


class Net:
    """A model under construction; all values have names of letters."""

    def __init__(self, *shape: int) -> None:
        self.shapes = {"x": list(shape)}
        self.nodes: list[object] = []
        self.constants: list[TensorProto] = []
        self._names = count()
        self._random = np.random.default_rng(0)

    def name(self, kind: str) -> str:
        digits = f"{next(self._names):03d}"
        return kind + "".join("abcdefghij"[int(digit)] for digit in digits)

    def const(self, array: object, dtype: type = np.float32) -> str:
        name = self.name("const_")
        self.constants.append(numpy_helper.from_array(np.asarray(array, dtype), name))
        return name

    def weights(self, *shape: int) -> str:
        """Numbers whose sums over all dims but the first stay near 1."""
        scale = 1.5 / np.sqrt(np.prod(shape[1:])) if len(shape) > 1 else 0.2
        return self.const(self._random.standard_normal(shape) * scale)

    def op(self, op: str, *inputs: str, **attributes: object) -> str:
        return self.ops(op, 1, *inputs, **attributes)[0]

    def ops(self, op: str, results: int, *inputs: str, **attributes: object) -> list[str]:
        names = [self.name("value_") for _ in range(results)]
        node = helper.make_node(op, inputs, names, name=self.name(f"{op}_"), **attributes)
        self.nodes.append(node)
        return names

    def conv(self, x: str, outputs: int, inputs: int, **attributes: object) -> str:
        window = {**SAME, **attributes}
        per_group = inputs // int(str(window.get("group", 1)))
        filters = self.weights(outputs, per_group, *window["kernel_shape"])
        return self.op("Conv", x, filters, self.weights(outputs), **window)

    def point(self, x: str, outputs: int, inputs: int) -> str:
        return self.conv(x, outputs, inputs, kernel_shape=[1, 1], pads=[0, 0, 0, 0])

    def model(self, *results: str, opset: int = 17) -> ModelProto:
        def info(name: str, shape: Sequence[int] | None) -> object:
            return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)

        inputs = [info(name, shape) for name, shape in self.shapes.items()]
        outputs = [info(name, None) for name in results]
        graph = helper.make_graph(self.nodes, "net", inputs, outputs, self.constants)
        opsets = [helper.make_opsetid("", opset)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=9)
        model = shape_inference.infer_shapes(model)
        checker.check_model(model)
        return model


def residual() -> ModelProto:
    net = Net(1, 3, 32, 32)
    x = net.op("Relu", net.conv("x", 32, 3))
    for _ in range(2):
        y = net.op("Relu", net.conv(x, 32, 32))
        x = net.op("Relu", net.op("Add", x, net.conv(y, 32, 32)))
    x = net.op("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2])
    x = net.op("Flatten", net.op("GlobalAveragePool", x))
    return net.model(net.op("Gemm", x, net.weights(10, 32), net.weights(10), transB=1))


def inverted() -> ModelProto:
    net = Net(1, 3, 32, 32)
    low, high = net.const(0), net.const(6)
    x = net.op("Clip", net.conv("x", 16, 3, strides=[2, 2]), low, high)
    for _ in range(3):
        y = net.op("Clip", net.point(x, 64, 16), low, high)
        y = net.op("Clip", net.conv(y, 64, 64, group=64), low, high)
        x = net.op("Add", x, net.point(y, 16, 64))
    return net.model(net.point(x, 8, 16))


def squeeze() -> ModelProto:
    net = Net(1, 16, 16, 16)
    x = net.conv("x", 32, 16)
    x = net.op("Mul", x, net.op("Sigmoid", x))
    y = net.op("GlobalAveragePool", x)
    y = net.op("Relu", net.point(y, 8, 32))
    y = net.op("Sigmoid", net.point(y, 32, 8))
    return net.model(net.point(net.op("Mul", x, y), 16, 32))


def hard_swish() -> ModelProto:
    net = Net(1, 16, 16, 16)
    x = net.op("HardSwish", net.conv("x", 32, 16))
    x = net.op("HardSwish", net.conv(x, 32, 32, group=32))
    x = net.op("HardSigmoid", net.conv(x, 16, 32), alpha=0.2)
    return net.model(x)


def u_net() -> ModelProto:
    net = Net(1, 8, 16, 16)
    top = net.op("Relu", net.conv("x", 16, 8))
    low = net.op("MaxPool", top, kernel_shape=[2, 2], strides=[2, 2])
    low = net.op("Relu", net.conv(low, 32, 16))
    filters, bias = net.weights(32, 16, 2, 2), net.weights(16)
    up = net.op("ConvTranspose", low, filters, bias, kernel_shape=[2, 2], strides=[2, 2])
    x = net.op("Concat", top, up, axis=1)
    x = net.op("Relu", net.conv(x, 16, 32))
    scales = net.const([1, 1, 2, 2])
    x = net.op("Resize", x, "", scales, mode="nearest", coordinate_transformation_mode="asymmetric")
    return net.model(net.point(x, 4, 16))


def upsampling() -> ModelProto:
    net = Net(1, 32, 9, 9)
    x = net.op("Relu", net.conv("x", 32, 32))
    for window, extra in ((4, 0), (3, 1)):
        filters, shape = net.weights(32, 32, window, window), [window, window]
        attributes = {"strides": [2, 2], "pads": [1] * 4, "output_padding": [extra] * 2}
        x = net.op("ConvTranspose", x, filters, net.weights(32), kernel_shape=shape, **attributes)
        x = net.op("Relu", x)
    return net.model(net.conv(x, 8, 32))


def gates() -> ModelProto:
    net = Net(1, 16, 16, 16)
    slope = net.const(np.linspace(0.05, 0.3, 32).reshape(32, 1, 1))
    x = net.op("AveragePool", net.conv("x", 32, 16), **SAME)
    x = net.conv(net.op("PRelu", net.conv(x, 32, 32), slope), 32, 32)
    x = net.op("Mul", x, net.op("HardSigmoid", x, alpha=1 / 6))
    return net.model(net.conv(x, 8, 32))


def perceptron() -> ModelProto:
    net = Net(4, 64)
    x = net.op("Gemm", "x", net.weights(64, 128), net.weights(128))
    x = net.op("Relu", x)
    x = net.op("Add", net.op("MatMul", x, net.weights(128, 64)), net.weights(64))
    x = net.op("Tanh", x)
    return net.model(net.op("Gemm", x, net.weights(10, 64), net.weights(10), transB=1))


def encoder() -> ModelProto:
    net, heads, width, rows = Net(1, 16, 64), 4, 64, 16
    x = net.op("LayerNormalization", "x", net.const(np.ones(width)), net.weights(width), axis=-1)
    split = net.const([1, rows, heads, width // heads], np.int64)
    queries, keys, values = (
        net.op("Add", net.op("MatMul", x, net.weights(width, width)), net.weights(width))
        for _ in range(3)
    )

    def head(value: str, *perm: int) -> str:
        return net.op("Transpose", net.op("Reshape", value, split), perm=perm)

    scores = net.op("MatMul", head(queries, 0, 2, 1, 3), head(keys, 0, 2, 3, 1))
    scores = net.op("Softmax", net.op("Mul", scores, net.const(0.25)), axis=-1)
    mixed = net.op("MatMul", scores, head(values, 0, 2, 1, 3))
    mixed = net.op("Transpose", mixed, perm=[0, 2, 1, 3])
    mixed = net.op("Reshape", mixed, net.const([1, rows, width], np.int64))
    x = net.op("Add", x, net.op("MatMul", mixed, net.weights(width, width)))
    y = net.op("MatMul", x, net.weights(width, 128))
    half = net.op("Mul", y, net.const(0.5))
    erf = net.op("Erf", net.op("Div", y, net.const(np.sqrt(2.0))))
    y = net.op("Mul", half, net.op("Add", erf, net.const(1.0)))
    return net.model(net.op("Add", x, net.op("MatMul", y, net.weights(128, width))))


def grouped() -> ModelProto:
    net = Net(1, 16, 16, 16)
    x = net.op("Relu", net.conv("x", 32, 16, group=4))
    x = net.op("LeakyRelu", net.conv(x, 32, 32, dilations=[2, 2], pads=[2, 2, 2, 2]), alpha=0.1)
    slope = net.const(np.linspace(0.05, 0.3, 32).reshape(32, 1, 1))
    return net.model(net.op("PRelu", net.conv(x, 32, 32), slope))


def elementwise() -> ModelProto:
    net = Net(1, 16, 12, 12)
    a, b = net.conv("x", 16, 16), net.conv("x", 16, 16)
    x = net.op("Sub", net.op("Mul", a, b), net.op("Tanh", a))
    x = net.op("Add", net.op("Max", x, b), net.op("Min", x, a))
    x = net.op("Mul", net.op("Sigmoid", x), net.weights(1, 16, 1, 1))
    x = net.op("Div", x, net.op("Add", net.op("Sigmoid", a), net.const(1.0)))
    return net.model(net.op("Sqrt", net.op("Abs", net.op("Neg", net.op("Add", x, net.const(0.5))))))


def movement() -> ModelProto:
    net = Net(1, 16, 16, 16)
    x = net.op("Relu", net.conv("x", 32, 16))
    a, b = net.ops("Split", 2, x, net.const([16, 16], np.int64), axis=1)
    a = net.op("Pad", a, net.const([0, 0, 1, 1, 0, 0, 1, 1], np.int64), net.const(0))
    ends = [net.const(each, np.int64) for each in ([1, 1], [17, 17], [2, 3])]
    a = net.op("Slice", a, *ends)
    x = net.op("Concat", net.conv(a, 16, 16), b, axis=1)
    x = net.op("DepthToSpace", x, blocksize=2)
    x = net.op("Reshape", x, net.const([1, 8, 1024], np.int64))
    x = net.op("Transpose", x, perm=[0, 2, 1])
    x = net.op("MatMul", x, net.weights(8, 16))
    return net.model(net.op("Squeeze", x, net.const([0], np.int64)))


def pools() -> ModelProto:
    net = Net(1, 16, 16, 16)
    x = net.op("Relu", net.conv("x", 32, 16))
    x = net.op("AveragePool", x, kernel_shape=[2, 2], strides=[2, 2])
    x = net.op("MaxPool", x, kernel_shape=[3, 3], strides=[1, 1], pads=[1, 1, 1, 1])
    x = net.conv(x, 32, 32)
    x = net.op("ReduceMean", x, axes=[2, 3], keepdims=0)
    return net.model(net.op("Softmax", net.op("Gemm", x, net.weights(32, 10), net.weights(10))))


def chosen() -> ModelProto:
    net = Net(1, 16, 12, 12)
    a, b = net.conv("x", 16, 16), net.conv("x", 16, 16)
    x = net.op("Where", net.op("Greater", a, b), a, b)
    return net.model(net.conv(x, 8, 16))


def sequence() -> ModelProto:
    net = Net(1, 16, 64)
    x = net.op("Conv", "x", net.weights(32, 16, 3), net.weights(32), pads=[1, 1])
    x = net.op("Relu", x)
    x = net.op("Conv", x, net.weights(32, 1, 5), net.weights(32), pads=[2, 2], group=32)
    x = net.op("Add", net.op("Conv", x, net.weights(32, 32, 1), net.weights(32)), x)
    return net.model(net.op("Conv", x, net.weights(8, 32, 1), net.weights(8)))


def norms() -> ModelProto:
    net = Net(1, 16, 12, 12)
    x = net.conv("x", 16, 16)
    ones = net.const(np.linspace(0.5, 1.5, 16))
    x = net.op("InstanceNormalization", x, ones, net.weights(16))
    x = net.op("Add", x, net.weights(16, 1, 1))
    x = net.op("Relu", net.op("Mul", x, net.weights(16, 1, 1)))
    return net.model(net.conv(x, 8, 16))


MODELS: dict[str, Callable[[], ModelProto]] = {
    function.__name__: function
    for function in (
        *(residual, inverted, squeeze, hard_swish, u_net, upsampling, gates, perceptron, encoder),
        *(grouped, elementwise, movement, pools, chosen, sequence, norms),
    )
}


def feeds_of(model: ModelProto, seeds: Sequence[int]) -> list[dict[str, Array]]:
    shapes = {
        value.name: [dim.dim_value for dim in value.type.tensor_type.shape.dim]
        for value in model.graph.input
    }
    return [
        {
            name: np.random.default_rng(seed).standard_normal(shape).astype(np.float32)
            for name, shape in shapes.items()
        }
        for seed in seeds
    ]
