"""Nodes of an exported program as values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, fx

from .....dialects.value.spec import TensorSpec
from ...aten.info import NodeInfo, Ref
from ...graph.arrays import UnknownType
from .sizes import Sizes
from .source import line_of
from .tensors import spec_of_tensor


def op_of(node: fx.Node) -> str:
    """Return the name of a node's overload: `aten.add.Tensor`."""
    return f"{node.target.namespace}.{node.target.__name__}"


def is_random(node: fx.Node) -> bool:
    """Tell whether a node draws random numbers."""
    return torch.Tag.nondeterministic_seeded in node.target.tags


def info_of(node: fx.Node, sizes: Sizes, numbers: Mapping[str, Any]) -> NodeInfo:
    """Return a node with its arguments by the names of the schema, defaults filled in.

    `numbers` are the nodes that are numbers, by name.
    """
    schema = node.target._schema
    args: dict[str, Any] = {}
    for place, argument in enumerate(schema.arguments):
        default = argument.default_value if argument.has_default_value() else None
        positional = place < len(node.args)
        value = node.args[place] if positional else node.kwargs.get(argument.name, default)
        args[argument.name] = fx.map_arg(value, lambda n: numbers.get(n.name, Ref(n.name)))
    outputs = tuple(_spec(each, sizes) for each in as_list(node.meta["val"]))
    tensors = frozenset(a.name for a in schema.arguments if "Tensor" in str(a.type))
    return NodeInfo(node.name, op_of(node), args, tensors, outputs, _used(node), line_of(node))


def result_names(node: fx.Node) -> list[str]:
    """Name the results of a node: by its name, and where it has several, with their number."""
    values = node.meta["val"]
    if not isinstance(values, list | tuple):
        return [node.name]
    return [f"{node.name}#{index}" for index in range(len(values))]


def as_list(value: object) -> Sequence[Any]:
    """Return the results of an op, also of one that has a single one."""
    return value if isinstance(value, list | tuple) else [value]


def _spec(tensor: object, sizes: Sizes) -> TensorSpec | None:
    if not isinstance(tensor, Tensor):
        return None
    try:
        return spec_of_tensor(tensor, sizes)
    except UnknownType:
        return None


def _used(node: fx.Node) -> frozenset[int]:
    """Return the numbers of the results that something asks for."""
    if not isinstance(node.meta["val"], list | tuple):
        return frozenset({0})
    return frozenset(user.args[1] for user in node.users)
