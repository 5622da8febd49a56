"""A node of an exported program as a value: its op, its arguments by name, its line of Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ....dialects.value.spec import TensorSpec


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
