"""The result of a Buffer that blocks: nothing downstream of it runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor


class Blocked(Tensor):
    """A tensor that is not there yet: every function of it, and of other tensors, is blocked too.

    So a model runs through while a BLOCKING Buffer fills: layers, functions and methods pass it on,
    and modules with state that are given it keep their state. To ask for its numbers is an error.
    """

    @classmethod
    def __torch_function__(
        cls,
        func: object,
        types: Sequence[type],
        args: Sequence[object] = (),
        kwargs: Mapping[str, object] | None = None,
    ) -> Tensor:
        return BLOCKED

    def __repr__(self, *, tensor_contents: object = None) -> str:
        return "BLOCKED"


BLOCKED = torch.empty(0).as_subclass(Blocked)
"""The result of a Buffer in the mode BLOCKING until it is full."""


def is_blocked(*values: object) -> bool:
    """Tell whether one of the values is not there yet."""
    return any(isinstance(value, Blocked) for value in values)
