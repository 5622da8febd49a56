"""Ops written as others, so that importers see fewer forms.

Ops on stored integers become reals from their operands, the plain op, and integers again: the form
with QuantizeLinear and DequantizeLinear, which the importers know. The sums of ConvInteger and
MatMulInteger are f32, so exact up to 2 ** 24.
"""

from collections.abc import Callable, Sequence

from onnx import GraphProto, NodeProto, TensorProto, helper

from ....importers.support.registry import OpKey
from .nodes import op_of


class _Spelling:
    """The nodes that replace one."""

    def __init__(self, node: NodeProto) -> None:
        self.node = node
        self.nodes: list[NodeProto] = []

    def input(self, index: int) -> str:
        """Return the name of an input, "" where it is left out."""
        return self.node.input[index] if index < len(self.node.input) else ""

    def add(self, op: str, *inputs: str, **attributes: float | Sequence[int]) -> str:
        """Return the result of a new node."""
        result = f"{self.node.output[0]}/{len(self.nodes)}"
        name = self.node.name and f"{self.node.name}/{op}"
        node = helper.make_node(op, inputs, [result], name=name)
        node.attribute.extend(helper.make_attribute(key, n) for key, n in attributes.items())
        self.nodes.append(node)
        return result

    def real(self, value: str) -> str:
        """Return a value as f32."""
        return self.add("Cast", value, to=TensorProto.FLOAT)

    def dequantized(self, first: int, axis: int) -> str:
        """Return the reals of three inputs: integers, scale and zero point."""
        scale, zero = self.real(self.input(first + 1)), self.input(first + 2)
        return self.add("DequantizeLinear", self.input(first), scale, zero, axis=axis)

    def counted(self, index: int, axis: int) -> str:
        """Return an integer input less its zero point, two inputs further; constants are kept."""
        value, zero = self.input(index), self.input(index + 2)
        if not zero:
            one = self.add("Constant", value_float=1.0)
            return self.add("DequantizeLinear", value, one)
        one = self.real(self.add("Equal", zero, zero))
        return self.add("DequantizeLinear", value, one, zero, axis=axis)

    def finish(self, op: str, *inputs: str, **attributes: int) -> list[NodeProto]:
        """Return all nodes, the last of which gives what the node gave."""
        self.add(op, *inputs, **attributes)
        self.nodes[-1].output[0] = self.node.output[0]
        return self.nodes


def _linear_matmul(spelling: _Spelling) -> list[NodeProto]:
    a, b = spelling.dequantized(0, -2), spelling.dequantized(3, -1)
    scale = spelling.real(spelling.input(6))
    product = spelling.add("MatMul", a, b)
    return spelling.finish("QuantizeLinear", product, scale, spelling.input(7))


def _linear_conv(spelling: _Spelling) -> list[NodeProto]:
    operands = [spelling.dequantized(0, 1), spelling.dequantized(3, 0)]
    if spelling.input(8):
        scale = spelling.add("Mul", spelling.input(1), spelling.input(4))
        operands.append(spelling.add("DequantizeLinear", spelling.input(8), scale, axis=0))
    result = _conv(spelling, *operands)
    return spelling.finish("QuantizeLinear", result, spelling.input(6), spelling.input(7))


def _matmul_integer(spelling: _Spelling) -> list[NodeProto]:
    a, b = spelling.real(spelling.input(0)), spelling.counted(1, -1)
    if spelling.input(2):
        # One zero point per row; a single one leaves a vector without rows unchanged.
        last = spelling.add("Constant", value_ints=(-1,))
        zero = spelling.add("Unsqueeze", spelling.real(spelling.input(2)), last)
        a = spelling.add("Sub", a, zero)
    return spelling.finish("Cast", spelling.add("MatMul", a, b), to=TensorProto.INT32)


def _conv_integer(spelling: _Spelling) -> list[NodeProto]:
    x, weights = spelling.real(spelling.input(0)), spelling.counted(1, 0)
    if spelling.input(2):
        x = spelling.add("Sub", x, spelling.real(spelling.input(2)))
    return spelling.finish("Cast", _conv(spelling, x, weights), to=TensorProto.INT32)


def _conv(spelling: _Spelling, *operands: str) -> str:
    """Return a Conv with the attributes of the node."""
    result = spelling.add("Conv", *operands)
    spelling.nodes[-1].attribute.extend(spelling.node.attribute)
    return result


SPELLINGS: dict[OpKey, Callable[[_Spelling], list[NodeProto]]] = {
    ("", "QLinearMatMul"): _linear_matmul,
    ("", "QLinearConv"): _linear_conv,
    ("", "MatMulInteger"): _matmul_integer,
    ("", "ConvInteger"): _conv_integer,
}
"""The nodes that an op represents."""


def spell_out(graph: GraphProto) -> None:
    """Replace the nodes of such ops."""
    nodes: list[NodeProto] = []
    for node in graph.node:
        spelling = SPELLINGS.get(op_of(node))
        nodes += [node] if spelling is None else spelling(_Spelling(node))
    del graph.node[:]
    graph.node.extend(nodes)


RANGES = {("", "Range")}
"""The ops that take numbers without dims."""


def squeeze_ranges(graph: GraphProto) -> None:
    """Squeeze what a Range takes, unless it is a constant without dims, or squeezed already."""
    scalars = {tensor.name for tensor in graph.initializer if not tensor.dims}
    scalars |= {
        name
        for node in graph.node
        if op_of(node) == ("", "Squeeze") and len(node.input) == 1
        for name in node.output
    }
    nodes: list[NodeProto] = []
    for node in graph.node:
        if op_of(node) in RANGES:
            for index, name in enumerate(node.input):
                if name not in scalars:
                    one = f"{node.output[0]}/{index}"
                    nodes.append(helper.make_node("Squeeze", [name], [one], node.name))
                    node.input[index] = one
        nodes.append(node)
    del graph.node[:]
    graph.node.extend(nodes)
