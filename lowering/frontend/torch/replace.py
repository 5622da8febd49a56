"""Block ops in place of what a module has: one call, no training, the same numbers."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import torch
from torch import nn
from torch.nn.utils.rnn import PackedSequence

from ....dialects.diagnostics import fail
from .example_run import ATTENTIONS, Left, ModelRun, ModuleCall, Replaced, observed
from .example_run import ReplaceReport as ReplaceReport
from .layers import from_torch
from .masked import KIND, with_masked_softmax
from .stateful import reset_states
from .streams import as_stream, off, on_chunks

_LAYERS: dict[type[nn.Module], str] = {nn.GRU: "StatefulGru", nn.LSTM: "StatefulLstm"}
_OTHERS: dict[type[nn.Module], str] = {
    nn.RNN: "there is no block op for it",
    nn.GRUCell: "it is one step; call a GRU with a sequence of one",
    nn.LSTMCell: "it is one step; call an LSTM with a sequence of one",
}


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


TOLERANCE = 1e-3
"""The largest difference on the example, relative to the largest number of an output."""


def use_block_ops(
    module: nn.Module,
    example_args: Sequence[Any],
    *,
    stateful: bool = False,
    reset: str = "",
    time_dim: int | None = None,
) -> tuple[nn.Module, ReplaceReport]:
    """Return a copy of a module with block ops in it, and a report of what they represent.

    GRU and LSTM layers become StatefulGru and StatefulLstm with the same weights; with `stateful`
    they go on from call to call. A softmax behind `x + mask`, `masked_fill` or `where` becomes
    MaskedSoftmax; what the example holds tells a mask, numbers of 0 and -10000 or less, from other
    numbers, so it should mask something. What stays unchanged has its reason in the report.

    With `stateful` zeros in front along time become a Buffer, and `reset` names one more argument,
    the last one, which resets all states. The example is a chunk of a stream then, along `time_dim`
    of its first argument, by default the dim that layers, paddings and windows follow. The report
    also tries several chunks against the whole, and names each part that reads across their border.

    Both modules run on the example in evaluation mode; HtpError where they do not agree.
    """
    before, result = observed(deepcopy(module), example_args), deepcopy(module)
    # The copy is run, too, so that what was called is known by its own parts.
    run = observed(result, example_args)
    result, parts = _replaced(result, run, stateful)
    dim, more = None, (torch.tensor(False),) if stateful and reset else ()
    if stateful:
        result, dim, paddings = as_stream(module, result, example_args, reset, time_dim)
        parts += paddings
    reset_states(result)
    after = observed(result, (*example_args, *more))
    reset_states(result)
    error = _agreed(module, before, after)
    if stateful:
        of_chunks, crossing = on_chunks(module, result, example_args, dim, more)
        error, parts = max(error, of_chunks), [*parts, *crossing]
    replaced = tuple(part for part in parts if isinstance(part, Replaced))
    left = tuple(part for part in parts if isinstance(part, Left))
    return result, ReplaceReport(replaced, left, error)


def _replaced(
    module: nn.Module, run: ModelRun, stateful: bool
) -> tuple[nn.Module, list[Replaced | Left]]:
    """Replace all parts of a module, inner ones first."""
    parts: list[list[Replaced | Left]] = []
    places = list(module.named_modules(remove_duplicate=False))
    stand_ins: dict[nn.Module, nn.Module] = {}
    for path, part in reversed(places):
        if part not in stand_ins:
            stand_ins[part], outcomes = _stand_in(part, path or type(part).__name__, run, stateful)
            parts.append(outcomes)
        if path:
            parent, _, name = path.rpartition(".")
            setattr(module.get_submodule(parent), name, stand_ins[part])
    return stand_ins[module], [part for outcomes in reversed(parts) for part in outcomes]


def _stand_in(
    part: nn.Module, path: str, run: ModelRun, stateful: bool
) -> tuple[nn.Module, list[Replaced | Left]]:
    """Return what stands in place of one part, whose own parts are replaced already."""
    calls = run.calls.get(part, [])
    outcomes: list[Replaced | Left] = [
        Left(path, attention.__name__, "its softmax is inside; write softmax(scores + mask)")
        for attention in ATTENTIONS
        if part in run.callers.get(attention.__name__, ())
    ]
    if part in run.callers.get(KIND, ()):
        part, softmaxes = with_masked_softmax(part, path, calls)
        outcomes += softmaxes
    kind, reason = type(part).__name__, _reason(part, calls, stateful)
    if reason is not None:
        outcomes.append(Left(path, kind, reason))
    elif isinstance(part, nn.GRU | nn.LSTM):
        outcomes.append(Replaced(path, kind, _LAYERS[type(part)]))
        part = from_torch(part, stateful=stateful)
    return part, outcomes


def _agreed(module: nn.Module, before: ModelRun, after: ModelRun) -> float:
    """Return the largest difference between two runs; HtpError where they do not agree."""
    error = off(before.result, [after.result])
    if not error <= TOLERANCE:
        problem = f"with block ops its outputs differ by {error:.1e}"
        raise fail(type(module).__name__, problem, "replace its parts one by one")
    return error
