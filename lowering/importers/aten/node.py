"""A node of an exported program as a value, and as the context of a conversion.

The value is its op, its arguments by name and its line of Python. The context is these arguments,
and what ONNX's ops become.
"""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import NodeProto, TypeProto, defs
from onnx.helper import make_node, make_tensor_type_proto, np_dtype_to_tensor_dtype
from onnx.numpy_helper import from_array
from onnx.shape_inference import InferenceError, infer_node_outputs

from ....dialects.spec_of import Array
from ....dialects.value import DType, TensorSpec
from ..graph.value import Value
from ..support.registry import NodeContext, NodeFault, OnnxImporter
from ..support.schemas import register_block_ops
from ..support.types import spec_of_onnx
from .registry import Convert


@dataclass(frozen=True)
class Ref:
    """A tensor argument: the name of the value."""

    name: str


@dataclass(frozen=True)
class NodeInfo:
    """A node as PyTorch has it: the schema's names, defaults filled in, and the user's line.

    | field | meaning |
    |---|---|
    | `name` | the node's name in the exported program |
    | `op` | the overload: `aten.add.Tensor` |
    | `args` | arguments by name: tensors as `Ref`, numbers, lists and text unchanged |
    | `tensors` | the names of the arguments that are tensors, or lists of them, by the schema |
    | `outputs` | the specs of the results; None where a result is not a static tensor |
    | `used` | the numbers of the results that something asks for |
    | `source` | `file:line` of the user's code, empty where PyTorch kept none |
    """

    name: str
    op: str
    args: Mapping[str, Any]
    tensors: frozenset[str]
    outputs: tuple[TensorSpec | None, ...]
    used: frozenset[int] = frozenset({0})
    source: str = ""

    @property
    def refs(self) -> list[str]:
        """The names of the values that the arguments refer to, in their order."""
        return [name for argument in self.args.values() for name in references(argument)]


def references(argument: object) -> Sequence[str]:
    """List the names of the values in an argument."""
    match argument:
        case Ref(name):
            return [name]
        case list() | tuple():
            return [name for each in argument for name in references(each)]
        case _:
            return []


class AtenNode:
    """One node under conversion: `info` as PyTorch has it, and what ONNX's ops become."""

    def __init__(
        self,
        info: NodeInfo,
        context: NodeContext,
        importers: Mapping[tuple[str, str], OnnxImporter],
    ) -> None:
        self.info = info
        self.emitter = context.emitter
        self.const = context.const
        self._context = context
        self._importers = importers

    def converted(self, convert: Convert) -> list[Value | None]:
        """Call a conversion with the arguments that its parameters name."""
        names = inspect.signature(convert).parameters
        results = convert(**{n: self if n == "node" else self.argument(n) for n in names})
        return [results] if isinstance(results, Value) else [*results]

    # arguments

    def argument(self, name: str) -> Any:
        """Return an argument: values where it is tensors, else a number, a list, text or None.

        NodeFault where the schema has no such argument.
        """
        if name not in self.info.args:
            known = f"it has {', '.join(self.info.args)}"
            raise NodeFault(f"its conversion takes '{name}', the op has no such argument", known)
        argument = self.info.args[name]
        if name not in self.info.tensors or argument is None:
            return argument
        if isinstance(argument, list | tuple):
            return [self.tensor(each, name) for each in argument]
        return self.tensor(argument, name)

    def value(self, name: str) -> Value:
        """Return a tensor argument; a number becomes a scalar of the result's dtype."""
        return self.tensor(self.info.args[name], name)

    def tensor(self, argument: object, name: str) -> Value:
        """Return the value of an argument of this name, or of a part of it.

        NodeFault where it is neither a tensor nor a number.
        """
        if isinstance(argument, Ref):
            return self._context.value(self.info.refs.index(argument.name))
        if isinstance(argument, bool | int | float):
            return self.const(np.asarray(argument, self.out().dtype.storage))
        raise NodeFault(f"argument '{name}' is {argument!r}, a tensor is expected")

    def constant(self, argument: object, name: str) -> Array:
        """Return the data of a tensor that must be constant; NodeFault where it is not."""
        array = None
        if isinstance(argument, Ref):
            value = self._context.node.input[self.info.refs.index(argument.name)]
            array = self.emitter.constants.get(value)
        if array is None:
            raise NodeFault(f"argument '{name}' is not constant", "make it a buffer")
        return array

    def axis(self, name: str = "dim") -> int:
        """Return a dim of the first tensor argument, counted from the front."""
        first = next(v for v in self.info.args.values() if isinstance(v, Ref))
        return int(self.info.args[name]) % max(1, self.tensor(first, name).rank)

    # results

    def out(self, index: int = 0) -> TensorSpec:
        """Return the spec of a result; NodeFault where it is not static."""
        spec = self.info.outputs[index] if index < len(self.info.outputs) else None
        if spec is None:
            raise NodeFault(
                f"result {index} has no static shape or no known dtype",
                "fix the dims: dims={...}, or cast",
            )
        return spec

    def uses(self, index: int) -> bool:
        """Tell whether something asks for a result."""
        return index in self.info.used

    # dtypes

    def cast(self, value: Value, dtype: DType) -> Value:
        """Return the value in a dtype; itself where it has it."""
        if value.array is None or value.dtype is dtype:
            return value.cast(dtype)
        return self.const(value.array.astype(dtype.storage))

    def as_out(self, value: Value) -> Value:
        """Return the value in the dtype of the result."""
        return self.cast(value, self.out().dtype)

    # nodes of ONNX

    def one(self, op: str, *inputs: Value | Array | None, **attributes: Any) -> Value:
        """Build what the importer of an ONNX op builds; return its first result."""
        return self.onnx(op, *inputs, **attributes)[0]

    def onnx(
        self,
        op: str,
        *inputs: Value | Array | None,
        outputs: int = 1,
        domain: str = "",
        **attributes: Any,
    ) -> list[Value]:
        """Build what the importer of an ONNX op builds for these inputs and attributes.

        Arrays are inputs that the importer reads as constants.
        """
        names = [self._named(value) for value in inputs]
        results = [f"{self.info.name}#{index}" for index in range(outputs)]
        kept = {name: value for name, value in attributes.items() if value is not None}
        node = make_node(op, names, results, domain=domain, **kept)
        context = NodeContext(node, self.emitter, [])
        indices = [index for index, name in enumerate(names) if name]
        specs = {names[index]: context.value(index).spec for index in indices}
        constants = {
            name: self.emitter.constants[name] for name in names if name in self.emitter.constants
        }
        context.outputs = output_specs(node, specs, constants)
        values = self._importers[domain, op].build(context)[:outputs]
        return [value for value in values if value is not None]

    def _named(self, value: Value | Array | None) -> str:
        """Give a value a name by which an importer finds it."""
        if value is None:
            return ""
        name = f"{self.info.name}.{len(self.emitter.values) + len(self.emitter.constants)}"
        array = value.array if isinstance(value, Value) else value
        if isinstance(value, Value):
            self.emitter.values[name] = value.ssa
        if array is not None:
            self.emitter.constants[name] = array
        return name


Arrays = Mapping[str, NDArray[np.generic]]


def output_specs(
    node: NodeProto, inputs: Mapping[str, TensorSpec], constants: Arrays
) -> list[TensorSpec | None]:
    """Infer the specs of a node's outputs; NodeFault where its inputs do not fit together."""
    if node.domain:
        register_block_ops()
    schema = defs.get_schema(node.op_type, node.domain)
    types = {name: _type(spec) for name, spec in inputs.items()}
    data = {name: from_array(array) for name, array in constants.items()}
    try:
        outputs = infer_node_outputs(schema, node, types, data)
    except InferenceError as error:
        raise NodeFault(f"{node.op_type}: {' '.join(str(error).split())}") from error
    return [spec_of_onnx(outputs[name]) if name in outputs else None for name in node.output]


def _type(spec: TensorSpec) -> TypeProto:
    type_: TypeProto = make_tensor_type_proto(
        np_dtype_to_tensor_dtype(spec.dtype.storage), spec.shape
    )
    return type_
