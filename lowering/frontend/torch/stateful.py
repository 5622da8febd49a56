"""The base class of modules with state: where it lies, how it is saved, how it begins anew."""

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

import torch
from torch import Tensor, nn

RESET: ContextVar[Tensor | None] = ContextVar("reset", default=None)
"""The reset of the modules that are called without one."""


class Stateful(nn.Module):
    """A module that goes on from call to call where the last call ended.

    Its state is buffers of the module: `state_dict` saves it, `load_state_dict` puts it back, and
    `.to(device)` moves it. Gradients flow within a call, not from one call into those before.
    """

    def __init__(self, *states: str) -> None:
        super().__init__()
        self._states = states
        for name in states:
            self.register_buffer(name, torch.empty(0))

    def reset_state(self) -> None:
        """Forget the state: the next call is a first inference."""
        for name in self._states:
            setattr(self, name, torch.empty(0))

    def _is_fresh(self, reset: Tensor | bool | None) -> bool:
        """Tell whether the state begins anew: the first inference, or a true reset."""
        first = getattr(self, self._states[0]).numel() == 0
        return first or (reset is not None and bool(reset))

    def _keep(self, *values: Tensor) -> None:
        for name, value in zip(self._states, values, strict=True):
            setattr(self, name, value.detach())

    def _load_from_state_dict(
        self, state_dict: Mapping[str, Any], prefix: str, *others: Any
    ) -> None:
        # The batch of a saved state says how large the buffers are.
        for name in self._states:
            saved = state_dict.get(prefix + name)
            if saved is not None:
                setattr(self, name, torch.empty_like(saved))
        super()._load_from_state_dict(state_dict, prefix, *others)


def reset_states(module: nn.Module) -> None:
    """Forget the states of all modules within one."""
    for part in module.modules():
        if isinstance(part, Stateful):
            part.reset_state()
