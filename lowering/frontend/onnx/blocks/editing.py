"""Edits of an ONNX model: nodes behind its last one, constants, outputs."""

from collections.abc import Container, Mapping, Sequence
from itertools import chain, count, starmap

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import ModelProto, TensorProto, TypeProto
from onnx.helper import make_attribute, make_node
from onnx.numpy_helper import from_array

from .....dialects.diagnostics import fail
from .....dialects.faults.arguments import a
from .....dialects.suggestions import listed
from ....importers.support.registry import BLOCK_OPS
from ....importers.support.schemas import register_block_ops
from .functions import BODIES, add_functions

Value = str | NDArray[np.generic]
"""An input of a node: the name of a value of the model, or a constant."""
VALUE = a("a name or an array", str, np.ndarray)
"""The kind of an argument that is an input of a node."""
Attribute = int | float | str | list[int]


class Editor:
    """Appends nodes to a model; every name that it makes begins with that of the new op."""

    def __init__(self, model: ModelProto, name: str) -> None:
        self._model = model
        graph = model.graph
        values = [value.name for value in (*graph.input, *graph.initializer)]
        results = [output for node in graph.node for output in node.output if output]
        self._values = dict.fromkeys([*values, *results])
        self.name = free_name(name, {node.name for node in graph.node})

    def block(
        self, op: str, attributes: Mapping[str, Attribute | None], **inputs: Value | None
    ) -> list[str]:
        """Append a block op with its body; return its outputs, whose names begin with the op's."""
        results = [f"{self.name}.{output}" for output in BODIES[op].output]
        operands = [*map(inputs.get, BODIES[op].input)]
        results = self._append(op, operands, results, attributes, self.name)
        add_functions(self._model, [op])
        return results

    def node(self, op: str, *inputs: Value, **attributes: Attribute) -> str:
        """Append an op of ONNX with one output; return its name."""
        result = f"{self.name}.{op.lower()}"
        return self._append(op, inputs, [result], attributes)[0]

    def element_type(self, value: str) -> int:
        """Find the element type of a value of the model, as onnx numbers them; 0 if not known."""
        return self._type(value).tensor_type.elem_type

    def dims(self, value: Value) -> tuple[int, ...] | None:
        """Find the dims of a value, 0 where one is not known; None without a shape."""
        if not isinstance(value, str):
            return value.shape
        tensor = self._type(value).tensor_type
        if not tensor.HasField("shape"):
            return None
        return tuple(dim.dim_value for dim in tensor.shape.dim)

    def make_output(self, value: str) -> None:
        """Make a value an output of the model, with the type that ONNX infers for it."""
        type_ = self._type(value)
        if not type_.WhichOneof("value"):
            raise fail(f"output '{value}'", "its type does not follow", "state it in value_info")
        output = self._model.graph.output.add(name=value)
        output.type.CopyFrom(type_)

    def _type(self, value: str) -> TypeProto:
        register_block_ops()
        graph = onnx.shape_inference.infer_shapes(self._model, data_prop=True).graph
        known = {v.name: v.type for v in (*graph.value_info, *graph.input, *graph.output)}
        for tensor in graph.initializer:
            known[tensor.name] = onnx.helper.make_tensor_type_proto(tensor.data_type, tensor.dims)
        type_: TypeProto = known.get(value, TypeProto())
        return type_

    def _append(
        self,
        op: str,
        inputs: Sequence[Value | None],
        outputs: Sequence[str],
        attributes: Mapping[str, Attribute | None],
        block: str = "",
    ) -> list[str]:
        """Append a node, after a look at its inputs; return the names that its outputs got.

        `block` names a node of a block op; others bear the name of their output.
        """
        for value in inputs:
            if isinstance(value, str) and value not in self._values:
                problem = f"input '{value}' is no value of the model"
                raise fail(f"node '{self.name}'", problem, listed(value, self._values))
        names = [self._input(value) for value in inputs]
        results = [self._new(output) for output in outputs]
        while names and not names[-1]:
            names.pop()
        node = make_node(
            op, names, results, name=block or results[0], domain=BLOCK_OPS if block else ""
        )
        kept = {name: value for name, value in attributes.items() if value is not None}
        node.attribute.extend(starmap(make_attribute, kept.items()))
        self._model.graph.node.append(node)
        return results

    def _input(self, value: Value | None) -> str:
        if value is None or isinstance(value, str):
            return value or ""
        tensor: TensorProto = from_array(value, self._new(f"{self.name}.constant"))
        self._model.graph.initializer.append(tensor)
        return str(tensor.name)

    def _new(self, name: str) -> str:
        """Take a name for a value, with a number behind it where it is taken."""
        free = free_name(name, self._values)
        self._values[free] = None
        return free


def free_name(name: str, taken: Container[str]) -> str:
    """Find a name that is not taken: itself, or with a number behind it."""
    numbered = (f"{name}_{number}" for number in count(2))
    return next(each for each in chain([name], numbered) if each not in taken)
