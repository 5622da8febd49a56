"""One node of ONNX with its inputs, and the arrays that the cases share."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from onnx import ModelProto, helper

from ..models import Array, floats, model_of

IMAGE = floats(2, 3, 9, 7)
VIDEO = floats(1, 3, 5, 6, 7)
LINE = floats(2, 3, 11)
SQUARE = floats(4, 6)
BOOLS = floats(4, 6) > 0
PLACES = np.array([[0, 2], [-1, 1]], np.int64)


@dataclass
class Case:
    """One node: its inputs (constant from `fixed` on), attributes and number of outputs."""

    op: str
    inputs: Sequence[Array | None]
    fixed: int = 1
    outputs: int = 1
    opset: int = 21
    attributes: dict[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return "-".join([self.op, *(f"{k}={v}" for k, v in self.attributes.items())])

    def model(self) -> tuple[dict[str, Array], ModelProto]:
        """Return the inputs and a model of the node."""
        arrays = {f"x{i}": a for i, a in enumerate(self.inputs) if a is not None}
        names = ["" if a is None else f"x{i}" for i, a in enumerate(self.inputs)]
        outputs = [f"y{i}" for i in range(self.outputs)]
        node = helper.make_node(self.op, names, outputs, **self.attributes)
        feeds = {name: arrays[name] for name in names[: self.fixed] if name}
        constants = {name: a for name, a in arrays.items() if name not in feeds}
        return feeds, model_of([node], feeds, outputs, constants, self.opset)


def case(
    op: str, *inputs: Array | None, fixed: int = 1, outputs: int = 1, opset: int = 21, **attrs
) -> Case:
    return Case(op, inputs, fixed, outputs, opset, attrs)


def i64(*values: int) -> Array:
    return np.array(values, np.int64)


def f32(*values: float) -> Array:
    return np.array(values, np.float32)


def scalar(value: float) -> Array:
    return np.array(value, np.float32)
