"""A case of an op: the overload, and its arguments; tensors are inputs of the graph."""

from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils import _pytree as pytree


@dataclass(frozen=True, eq=False)
class Case:
    """An overload with arguments; of a `constant` case only the first tensor is an input."""

    op: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)
    constant: bool = False

    @property
    def function(self) -> Any:
        """The overload as PyTorch has it."""
        name, _, overload = self.op.partition(".")
        return getattr(getattr(torch.ops.aten, name), overload or "default")

    def inputs(self) -> list[Tensor]:
        """The tensors that are inputs, in their order."""
        leaves = pytree.tree_leaves((self.args, self.kwargs))
        tensors = [leaf for leaf in leaves if isinstance(leaf, Tensor)]
        return tensors[:1] if self.constant else tensors

    def results(self) -> list[Tensor]:
        """What PyTorch computes, without results that no evaluation has."""
        results = self.function(*self.args, **self.kwargs)
        return pytree.tree_leaves(results)


def layer(op: str, *args: Any, **kwargs: Any) -> Case:
    """A case whose first tensor is an input, and the others weights."""
    return Case(op, args, kwargs, constant=True)


def case(op: str, *args: Any, **kwargs: Any) -> Case:
    """A case whose tensors are inputs."""
    return Case(op, args, kwargs)


class Calls(nn.Module):
    """A module that makes the calls of cases, with their inputs as its own."""

    def __init__(self, cases: list[Case]) -> None:
        super().__init__()
        self.cases = cases
        for number, each in enumerate(cases):
            for place, leaf in enumerate(pytree.tree_leaves((each.args, each.kwargs))):
                if isinstance(leaf, Tensor) and not any(leaf is own for own in each.inputs()):
                    self.register_buffer(f"weight_{number}_{place}", leaf)

    def forward(self, *inputs: Tensor) -> list[Any]:
        rest, results = iter(inputs), []
        for number, each in enumerate(self.cases):
            leaves, spec = pytree.tree_flatten((each.args, each.kwargs))
            weights = [getattr(self, f"weight_{number}_{n}", None) for n in range(len(leaves))]
            put = [
                next(rest)
                if isinstance(leaf, Tensor) and weight is None
                else (leaf if weight is None else weight)
                for leaf, weight in zip(leaves, weights, strict=True)
            ]
            args, kwargs = pytree.tree_unflatten(put, spec)
            results.append(each.function(*args, **kwargs))
        return results
