"""Nodes and tensors of an exported program as values, and the overloads of ops by name."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, fx

from .....dialects.dense import Array
from .....dialects.value import DType, TensorSpec
from ....importers.aten.node import NodeInfo, Ref
from ....importers.graph.value import UnknownType
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
