"""A case of an op: the overload, and its arguments; tensors are inputs of the graph."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils import _pytree as pytree


@dataclass(frozen=True, eq=False)
class Case:
    """An overload of ATen with arguments; `constant` names the tensors that are no inputs."""

    op: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)
    constant: bool = False

    @property
    def function(self) -> Any:
        """The overload as PyTorch has it."""
        name, overload = (self.op.split(".") + ["default"])[:2]
        return getattr(getattr(torch.ops.aten, name), overload)

    def tensors(self) -> list[Tensor]:
        """The tensors among the arguments, in their order."""
        leaves = pytree.tree_leaves((self.args, self.kwargs))
        return [leaf for leaf in leaves if isinstance(leaf, Tensor)]

    def results(self) -> list[Tensor]:
        """What PyTorch computes, without results that no evaluation has."""
        results = self.function(*self.args, **self.kwargs)
        return pytree.tree_leaves(results)


def case(op: str, *args: Any, **kwargs: Any) -> Case:
    """A case whose tensors are inputs."""
    return Case(op, args, kwargs)


class Calls(nn.Module):
    """A module that makes the calls of cases, with their tensors as its inputs."""

    def __init__(self, cases: list[Case]) -> None:
        super().__init__()
        self.cases = cases

    def forward(self, *inputs: Tensor) -> list[Any]:
        rest = iter(inputs)
        results = []
        for each in self.cases:
            leaves, spec = pytree.tree_flatten((each.args, each.kwargs))
            put = [next(rest) if isinstance(leaf, Tensor) else leaf for leaf in leaves]
            args, kwargs = pytree.tree_unflatten(put, spec)
            results.append(each.function(*args, **kwargs))
        return results
