"""A builder of small ONNX models: nodes by name, weights and inputs from one seeded generator."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from onnx import FunctionProto, ModelProto, NodeProto, TensorProto, ValueInfoProto
from onnx.checker import check_model
from onnx.helper import (
    make_function,
    make_graph,
    make_model,
    make_node,
    make_opsetid,
    make_tensor_value_info,
    np_dtype_to_tensor_dtype,
)
from onnx.numpy_helper import from_array

Attribute = int | str | list[int]
OPSET, IR_VERSION = 20, 10
BLOCK_DOMAIN = "qti_aisw"


class Network:
    """Collects a graph. Every method that makes a tensor returns its name."""

    def __init__(self, seed: int = 0) -> None:
        self._random = np.random.default_rng(seed)
        self._nodes: list[NodeProto] = []
        self._constants: list[TensorProto] = []
        self._inputs: list[ValueInfoProto] = []
        self._outputs: list[ValueInfoProto] = []
        self._examples: dict[str, NDArray[np.generic]] = {}

    def input(self, name: str, *shape: int) -> str:
        """A float input; its example is normally distributed."""
        return self.input_of(name, self._random.standard_normal(shape), "f4")

    def input_of(self, name: str, example: ArrayLike, dtype: str) -> str:
        """An input of the example's shape."""
        array = np.asarray(example).astype(dtype)
        kind = np_dtype_to_tensor_dtype(array.dtype)
        self._inputs.append(make_tensor_value_info(name, kind, array.shape))
        self._examples[name] = array
        return name

    def output(self, name: str, *shape: int) -> None:
        """Make a float tensor an output of the model."""
        self._outputs.append(make_tensor_value_info(name, TensorProto.FLOAT, shape))

    def weights(self, shape: tuple[int, ...], fan: int) -> str:
        """Normally distributed weights, scaled to keep the variance over `fan` summands."""
        return self._constant(self._random.standard_normal(shape) / np.sqrt(fan), "f4")

    def ints(self, *values: int) -> str:
        """A list of int64."""
        return self._constant(values, "i8")

    def scalar(self, value: float) -> str:
        """A float without dims."""
        return self._constant(value, "f4")

    def add(self, op: str, inputs: Sequence[str], **attributes: Attribute) -> str:
        """A node with one result."""
        return self.add_all(op, inputs, [f"t{len(self._nodes)}"], **attributes)[0]

    def add_all(
        self, op: str, inputs: Sequence[str], results: Sequence[str], **attributes: Attribute
    ) -> Sequence[str]:
        """A node with named results."""
        name = f"{op}_{len(self._nodes)}"
        self._nodes.append(make_node(op, inputs, results, name=name, **attributes))
        return results

    def model(self) -> ModelProto:
        """The checked model."""
        graph = make_graph(self._nodes, "workload", self._inputs, self._outputs, self._constants)
        blocks = any(node.domain == BLOCK_DOMAIN for node in self._nodes)
        domains = [make_opsetid("", OPSET), make_opsetid(BLOCK_DOMAIN, 1)]
        model = make_model(
            graph,
            opset_imports=domains if blocks else domains[:1],
            functions=[_masked_softmax()] if blocks else [],
            ir_version=IR_VERSION,
        )
        check_model(model)
        return model

    def example_inputs(self) -> dict[str, NDArray[np.generic]]:
        """One array per input."""
        return dict(self._examples)

    def _constant(self, value: ArrayLike, dtype: str) -> str:
        name = f"c{len(self._constants)}"
        self._constants.append(from_array(np.asarray(value).astype(dtype), name))
        return name


def _masked_softmax() -> FunctionProto:
    """The body that lets ONNX Runtime run MaskedSoftmax: softmax(data + mask)."""
    body = [
        make_node("CastLike", ["mask", "data"], ["cast"]),
        make_node("Constant", [], ["axes"], value_ints=[1, 2]),
        make_node("Unsqueeze", ["cast", "axes"], ["addend"]),
        make_node("Add", ["data", "addend"], ["masked"]),
        make_node("Softmax", ["masked"], ["out"], axis=-1),
    ]
    opsets = [make_opsetid("", OPSET)]
    return make_function(
        BLOCK_DOMAIN, "MaskedSoftmax", ["data", "mask"], ["out"], body, opsets, ["mode"]
    )
