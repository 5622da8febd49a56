"""Ops that nothing converts, kept in the IR as ops of the package `torch`.

A param holds a number, text, or the place of a tensor among the operands: `%0`, a list `[%0 - %1]`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import torch

from .....dialects.qti_aisw.ops.custom import TORCH, CustomParam, custom
from ....importers.aten.node import AtenNode, NodeInfo, Ref
from ....importers.graph.value import Value
from ....importers.support.faults import NodeFault, require

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
