"""GRU and LSTM of PyTorch in a module, and the layers of block ops in their places."""

from __future__ import annotations

from torch import nn
from torch.nn.utils.rnn import PackedSequence

from ..layers import from_torch
from .report import Left, Replaced
from .run import ModuleCall

_LAYERS: dict[type[nn.Module], str] = {nn.GRU: "StatefulGru", nn.LSTM: "StatefulLstm"}
_OTHERS: dict[type[nn.Module], str] = {
    nn.RNN: "there is no block op for it",
    nn.GRUCell: "it is one step; call a GRU with a sequence of one",
    nn.LSTMCell: "it is one step; call an LSTM with a sequence of one",
}


def with_state(
    part: nn.Module, path: str, calls: list[ModuleCall], stateful: bool
) -> tuple[nn.Module, list[Replaced | Left]]:
    """Return the layers for a recurrent layer, or the module itself and the reason, if any."""
    kind = type(part).__name__
    reason = _reason(part, calls, stateful)
    if reason is not None:
        return part, [Left(path, kind, reason)]
    if not isinstance(part, nn.GRU | nn.LSTM):
        return part, []
    return from_torch(part, stateful=stateful), [Replaced(path, kind, _LAYERS[type(part)])]


def _reason(part: nn.Module, calls: list[ModuleCall], stateful: bool) -> str | None:
    """Say why a recurrent module cannot be replaced; None where it can, and for all others."""
    if not isinstance(part, nn.RNNBase | nn.RNNCellBase):
        return None
    if type(part) in _OTHERS:
        return _OTHERS[type(part)]
    if type(part) not in _LAYERS:
        return "it is a class of its own"
    if getattr(part, "proj_size", 0):
        return f"proj_size is {part.proj_size}, the block op has no projection"
    passed = [value for call in calls for value in (*call.args, *call.kwargs.values())]
    if any(isinstance(value, PackedSequence) for value in passed):
        return "it is given a PackedSequence; give it a padded tensor and lengths="
    if stateful and len(calls) > 1:
        return f"it is called {len(calls)} times, and its state would go from call to call"
    return None
