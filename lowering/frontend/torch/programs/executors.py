"""Nodes of an exported program, and ops that stay ops of the package `torch` with their functions.

A param holds a number, text, or the place of a tensor among the operands: `%0`, a list `[%0 - %1]`.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor, fx

from .....dialects.diagnostics import fail
from .....dialects.qti_aisw.base import CustomParam, GraphOp
from .....dialects.qti_aisw.ops.custom import TORCH, CustomOp, custom
from .....dialects.registrar import Registrar
from .....dialects.spec_of import spec_of
from .....dialects.value import DType, TensorSpec
from .....runtime.functions.support.arrays import Array
from .....runtime.kernel.library import Evaluator, Inputs, Library
from ....importers.aten.node import AtenNode, NodeInfo, Ref
from ....importers.aten.registry import of_op
from ....importers.graph.value import UnknownType, Value
from ....importers.support.registry import NodeFault, require
from ....packages.evaluation import CUSTOM
from ....packages.loading import installed
from ....packages.packages import Packages
from ...onnx.preparation.nodes import user_line

_DTYPES = {
    torch.float32: DType.Float32,
    torch.float64: DType.Float64,
    torch.float16: DType.Float16,
    torch.bfloat16: DType.BFloat16,
    torch.bool: DType.Bool8,
    torch.int8: DType.Int8,
    torch.int16: DType.Int16,
    torch.int32: DType.Int32,
    torch.int64: DType.Int64,
    torch.uint8: DType.UInt8,
    torch.uint16: DType.UInt16,
    torch.uint32: DType.UInt32,
    torch.uint64: DType.UInt64,
}


def dtype_of_tensor(tensor: Tensor) -> DType:
    """Return the dtype of a tensor; UnknownType where it is none of ours."""
    if tensor.dtype not in _DTYPES:
        raise UnknownType(f"has element type {str(tensor.dtype).removeprefix('torch.')}")
    return _DTYPES[tensor.dtype]


def spec_of_tensor(tensor: Tensor) -> TensorSpec | None:
    """Return the spec of a tensor; None where a dim depends on data.

    UnknownType where its dtype is none of ours.
    """
    dtype, shape = dtype_of_tensor(tensor), tuple(tensor.shape)
    return TensorSpec(shape, dtype) if all(isinstance(dim, int) for dim in shape) else None


def array_of(tensor: Tensor) -> Array:
    """Return the numbers of a tensor; UnknownType where its dtype is none of ours."""
    dtype, plain = dtype_of_tensor(tensor), tensor.detach().cpu().contiguous()
    if dtype.extends_numpy:
        # PyTorch gives numpy such numbers as bits alone.
        bits: Array = plain.view(torch.uint16).numpy()
        return bits.view(dtype.storage)
    return np.ascontiguousarray(plain.numpy()).reshape(tensor.shape)


def tensor_of(array: Array) -> Tensor:
    """Return a tensor with a copy of the numbers of an array."""
    if array.dtype.name != DType.BFloat16.value[1]:
        return torch.from_numpy(array.copy())
    return torch.from_numpy(array.view(np.uint16).copy()).view(torch.bfloat16)


def is_op(node: fx.Node) -> bool:
    """Tell whether a node is a call of an op that gives something."""
    return isinstance(node.target, torch._ops.OpOverload) and bool(node.target._schema.returns)


def op_of(node: fx.Node) -> str:
    """Return the name of a node's overload: `aten.add.Tensor`."""
    return f"{node.target.namespace}.{node.target.__name__}"


def overloads(op: str) -> list[Any]:
    """Return the overloads of this name, or of the op of this name; none where PyTorch has none."""
    space, _, rest = op.partition(".")
    named: Any = torch.ops
    for part in (space, *rest.split(".")):
        named = getattr(named, part, None)
    if isinstance(named, torch._ops.OpOverloadPacket):
        return [getattr(named, name) for name in named.overloads()]
    return [named] if isinstance(named, torch._ops.OpOverload) else []


def is_random(node: fx.Node) -> bool:
    """Tell whether a node draws random numbers."""
    return torch.Tag.nondeterministic_seeded in node.target.tags


def line_of(node: fx.Node) -> str:
    """Return `file:line` of the user's code; empty where PyTorch kept none."""
    return user_line(node.meta.get("stack_trace") or "")


def info_of(node: fx.Node) -> NodeInfo:
    """Return a node with its arguments by the names of the schema, defaults filled in."""
    schema = node.target._schema
    args: dict[str, Any] = {}
    for place, argument in enumerate(schema.arguments):
        default = argument.default_value if argument.has_default_value() else None
        positional = place < len(node.args)
        value = node.args[place] if positional else node.kwargs.get(argument.name, default)
        args[argument.name] = fx.map_arg(value, lambda n: Ref(n.name))
    outputs = tuple(map(_spec, as_list(node.meta["val"])))
    tensors = frozenset(a.name for a in schema.arguments if "Tensor" in str(a.type))
    return NodeInfo(node.name, op_of(node), args, tensors, outputs, _used(node), line_of(node))


def as_list(value: object) -> Sequence[Any]:
    """Return the results of an op, also of one that has a single one."""
    return value if isinstance(value, list | tuple) else [value]


def _spec(tensor: object) -> TensorSpec | None:
    if not isinstance(tensor, Tensor):
        return None
    try:
        return spec_of_tensor(tensor)
    except UnknownType:
        return None


def _used(node: fx.Node) -> frozenset[int]:
    """Return the numbers of the results that something asks for."""
    if not isinstance(node.meta["val"], list | tuple):
        return frozenset({0})
    return frozenset(user.args[1] for user in node.users)


T = TypeVar("T")

_PLACES = re.compile(r"\[?(?:%\d+|-| )*\]?", re.ASCII)
_KINDS = (torch.dtype, torch.layout, torch.memory_format)
_WORDS = {str(value): value for value in vars(torch).values() if isinstance(value, _KINDS)}
"""The dtypes, layouts and memory formats by their text: `torch.float32`."""


def keep(node: AtenNode) -> list[Value]:
    """Append the op unchanged; NodeFault for an argument that params have no form for."""
    info = node.info
    require(bool(info.refs), "is kept only with a tensor as an argument")
    specs = [node.out(index) for index in range(len(info.outputs))]
    operands = [node.tensor(Ref(name), name).ssa for name in info.refs]
    kept = custom(TORCH, info.op, operands, params_of(info), *specs)
    return [Value(result, node.emitter) for result in node.emitter.add(kept)]


def params_of(info: NodeInfo) -> dict[str, CustomParam]:
    """Return the arguments of a node as params; None is left out."""
    places = iter(range(len(info.refs)))

    def param(name: str, value: Any) -> CustomParam:
        match value:
            case Ref():
                return f"%{next(places)}"
            case bool() | int() | float():
                return value
            case str() if "%" not in value:
                return value
            case _ if isinstance(value, _KINDS):
                return str(value)
            case list() | tuple() if name in info.tensors:
                words = ("-" if v is None else str(param(name, v)) for v in value)
                return f"[{' '.join(words)}]"
            case list() | tuple() if all(type(v) in (int, float) for v in value):
                return tuple(value)
            case _:
                raise NodeFault(f"argument '{name}' is {value}", "give the op a conversion")

    return {name: param(name, v) for name, v in info.args.items() if v is not None}


def arguments_of(params: Mapping[str, CustomParam], tensors: Sequence[T]) -> dict[str, Any]:
    """Return params as arguments again, with tensors in their places; ValueError for no place."""

    def place(text: str) -> T | None:
        number = int(text[1:]) if text != "-" else None
        if number is not None and number >= len(tensors):
            raise ValueError(f"names operand {text}, there are {len(tensors)}")
        return None if number is None else tensors[number]

    def argument(value: CustomParam) -> object:
        if isinstance(value, tuple):
            return list(value)
        if not isinstance(value, str):
            return value
        if "%" not in value or not _PLACES.fullmatch(value):
            return _WORDS.get(value, value)
        if value[0] == "[":
            return [place(word) for word in value.strip("[]").split()]
        return place(value)

    return {name: argument(value) for name, value in params.items()}


Execute = Callable[..., Tensor | Sequence[Tensor]]
"""Computes the results of an op from its arguments, which come by the names of its schema."""


@dataclass(frozen=True)
class TorchExecutor:
    """The function that runs one op: `custom.gate.default`, or `custom.gate` for all overloads."""

    op: str
    function: Execute


class TorchExecutors(Registrar[TorchExecutor]):
    """The executors of one module; the decorator is `TorchExecutors().executor`."""

    def executor(self, *ops: str) -> Callable[[Execute], Execute]:
        """Declare a function as the executor of ops: `custom.gate.default`, `custom.gate`."""
        return self._declaring(lambda function: [TorchExecutor(op, function) for op in ops])


def torch_library(
    executors: Iterable[TorchExecutors] = (), *, packages: Packages | None = None
) -> Library:
    """Return the library of a session that runs kept ops: `Session(module, library=...)`.

    An op runs by its executor, else by PyTorch's own function. `packages` are those in use, by
    default the installed ones.
    """
    return with_executors((packages or installed()).library, executors)


def with_executors(library: Library, executors: Iterable[TorchExecutors] = ()) -> Library:
    """Return a library that runs kept ops, too."""
    table = {row.op: row.function for rows in executors for row in rows}
    evaluate = _Evaluator(table, library.graph[CUSTOM])
    return replace(library, graph={**library.graph, CUSTOM: evaluate})


@dataclass(frozen=True)
class _Evaluator:
    """Evaluates `qti_aisw.Custom` of the package `torch`, and others as the packages do."""

    executors: Mapping[str, Execute]
    otherwise: Evaluator

    def __call__(self, op: GraphOp, inputs: Inputs) -> Sequence[Array]:
        if not isinstance(op, CustomOp) or op.package.data != TORCH:
            return self.otherwise(op, inputs)
        tensors = [tensor_of(array) for array in inputs if array is not None]
        arguments = arguments_of(op.given(), tensors)
        name = op.op_type.data
        execute = of_op(self.executors, name) or _own(name, arguments)
        try:
            with torch.no_grad():
                results = as_list(execute(**arguments))
            arrays = [array_of(result) for result in results if isinstance(result, Tensor)]
        except (RuntimeError, TypeError, UnknownType) as error:
            raise ValueError(f"{name}: {str(error).splitlines()[0]}") from error
        _check(op, arrays)
        return arrays


def _own(name: str, arguments: dict[str, Any]) -> Execute:
    """Return PyTorch's function of an op, and note None for optional arguments left out.

    HtpError where there is none that takes a tensor and gives tensors.
    """
    space, _, rest = name.partition(".")
    function: Any = torch.ops
    for part in (space, *rest.split(".")):
        function = getattr(function, part, None)
    where = f"op '{TORCH}.{name}'"
    if not isinstance(function, torch._ops.OpOverload):
        remedy = "import what registers it, or give it an executor: torch_library([EXECUTORS])"
        raise fail(where, "PyTorch has no such op", remedy)
    schema = function._schema
    takes, gives = ([str(a.type) for a in part] for part in (schema.arguments, schema.returns))
    if schema.is_mutable or not gives or not all("Tensor" in t for t in gives):
        raise fail(where, "is no function of tensors", "give it an executor")
    if not any("Tensor" in t for t in takes):
        raise fail(where, "takes no tensor", "give it an executor")
    for argument in schema.arguments:
        if not argument.has_default_value():
            arguments.setdefault(argument.name, None)
    execute: Execute = function
    return execute


def _check(op: CustomOp, arrays: Sequence[Array]) -> None:
    """Refuse results that are not what the IR says."""
    wanted = [(spec_of(value).shape, spec_of(value).dtype.storage) for value in op.results]
    actual = [(array.shape, array.dtype) for array in arrays]
    if actual != wanted:
        shown, stated = (
            ", ".join(f"{dtype}{list(shape)}" for shape, dtype in each) for each in (actual, wanted)
        )
        raise ValueError(f"{op.op_type.data} gives {shown}, the IR says {stated}")
