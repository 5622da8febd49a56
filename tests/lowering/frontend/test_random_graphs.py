"""Random channels-first graphs: whatever the Transposes do, the numbers are ONNX Runtime's."""

from random import Random

import numpy as np
import pytest
from onnx import NodeProto, helper

from .models import Array, assert_same, floats, model_of

SHAPE = (1, 4, 6, 5)
CONSTANTS: dict[str, Array] = {
    "w": floats(4, 4, 3, 3) * np.float32(0.2),
    "dw": floats(4, 1, 3, 3) * np.float32(0.5),
    "halve": floats(4, 8, 1, 1) * np.float32(0.3),
    "per_channel": floats(4, 1, 1),
    "per_column": floats(5),
    "one": np.array(0.5, np.float32),
    "full": floats(*SHAPE),
    "amounts": np.array([0, 0, 1, 0, 0, 0, 0, 2], np.int64),
    "low": np.array([1, 0], np.int64),
    "high": np.array([7, 5], np.int64),
    "axes": np.array([2, 3], np.int64),
}
UNARY = ("Relu", "Sigmoid", "Tanh", "Abs", "HardSwish", "Softplus")
BINARY = ("Add", "Mul", "Max", "Sub")


class Builder:
    """Grows a graph whose values all have one shape."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.nodes: list[NodeProto] = []
        self.values = ["x"]

    def node(self, op: str, *inputs: str, **attributes: object) -> str:
        result = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [result], **attributes))
        return result

    def pick(self) -> str:
        return self.random.choice(self.values[-4:])

    def grow(self) -> None:
        steps = (
            self.convolve,
            self.activate,
            self.combine,
            self.scale,
            self.join,
            self.gate,
            self.pad_and_cut,
            self.normalise,
            self.there_and_back,
        )
        self.values.append(self.random.choice(steps)())

    def convolve(self) -> str:
        if self.random.random() < 0.5:
            return self.node("Conv", self.pick(), "w", pads=[1, 1, 1, 1])
        return self.node("Conv", self.pick(), "dw", pads=[1, 1, 1, 1], group=4)

    def activate(self) -> str:
        return self.node(self.random.choice(UNARY), self.pick())

    def combine(self) -> str:
        return self.node(self.random.choice(BINARY), self.pick(), self.pick())

    def scale(self) -> str:
        constant = self.random.choice(["per_channel", "per_column", "one", "full"])
        return self.node(self.random.choice(BINARY), self.pick(), constant)

    def join(self) -> str:
        joined = self.node("Concat", self.pick(), self.pick(), axis=1)
        return self.node("Conv", joined, "halve")

    def gate(self) -> str:
        source = self.pick()
        mean = self.node("GlobalAveragePool", source)
        return self.node("Mul", source, self.node("Sigmoid", mean))

    def pad_and_cut(self) -> str:
        padded = self.node("Pad", self.pick(), "amounts")
        return self.node("Slice", padded, "low", "high", "axes")

    def normalise(self) -> str:
        return self.node("Softmax", self.pick(), axis=self.random.choice([1, 2, -1]))

    def there_and_back(self) -> str:
        perm = self.random.choice([[0, 2, 3, 1], [0, 3, 2, 1], [1, 0, 2, 3]])
        there = self.node("Transpose", self.pick(), perm=perm)
        bent = self.node("Relu", there) if self.random.random() < 0.5 else there
        return self.node("Transpose", bent, perm=[perm.index(i) for i in range(4)])


@pytest.mark.parametrize("seed", range(12))
def test_random_graph(seed: int) -> None:
    builder = Builder(seed)
    for _ in range(14):
        builder.grow()
    used = {name for node in builder.nodes for name in node.input}
    constants = {name: array for name, array in CONSTANTS.items() if name in used}
    outputs = list(dict.fromkeys([builder.values[-1], builder.values[7]]))
    feeds = {"x": floats(*SHAPE, seed=seed)}
    assert_same(model_of(builder.nodes, feeds, outputs, constants), feeds)
