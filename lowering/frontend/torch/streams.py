"""A module on a stream: one reset for all its block ops, paddings that keep frames, borders.

A stream gives a module its frames chunk by chunk. It answers as on the whole where each part that
reads frames before its chunk keeps them; `on_chunks` names the parts that do not.
"""

import inspect
import math
from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import wraps
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.overrides import TorchFunctionMode

from ....dialects.diagnostics import fail
from .buffer import Buffer
from .example_run import Left, ModelRun, Replaced, observed
from .stateful import RESET, reset_states

CHUNKS = 3
"""The chunks that a stream is tried on."""
_CLOSE = 1e-3
"""The largest difference of a part on chunks, relative to the largest number of its output."""


def with_reset(module: nn.Module, name: str) -> nn.Module:
    """Give a module one more argument behind its own: a truth value that resets all its states."""
    own = type(module)
    signature = inspect.signature(own.forward)
    if name in signature.parameters:
        raise fail(f"argument '{name}'", "is there already", "name the reset otherwise")
    added = inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    wide = signature.replace(parameters=[*signature.parameters.values(), added])

    def forward(self: nn.Module, *args: Any, **kwargs: Any) -> Any:
        bound = wide.bind(self, *args, **kwargs)
        token = RESET.set(bound.arguments.pop(name))
        try:
            return own.forward(*bound.args, **bound.kwargs)
        finally:
            RESET.reset(token)

    vars(forward)["__signature__"] = wide
    module.__class__ = type(own.__name__, (own,), {"forward": forward})
    return module


class CausalPad(nn.Module):
    """Puts the last frames of the calls before in front of its input, zeros at first."""

    def __init__(self, frames: int, chunk: int, dim: int) -> None:
        super().__init__()
        self.length, self.dim = frames + chunk, dim
        size = -(-self.length // chunk) * chunk
        self.window = Buffer(size, dim, mode="NON_BLOCKING_RIGHT", stride=chunk)

    def forward(self, frames: Tensor) -> Tensor:
        """Return the frames kept, then those of the input."""
        content = self.window(frames)
        return content.narrow(self.dim, self.window.buffer_size - self.length, self.length)


class _Pads(TorchFunctionMode):
    """Calls the modules in place of paddings by their numbers, in the order of the calls."""

    def __init__(self, pads: Mapping[str, nn.Module]) -> None:
        super().__init__()
        self._pads, self._count = pads, 0

    def __torch_function__(
        self, func: Any, types: Any, args: Sequence[Any] = (), kwargs: Any = None
    ) -> Any:
        if func is functional.pad:
            self._count += 1
            if (pad := self._pads.get(str(self._count - 1))) is not None:
                return pad(args[0])
        return func(*args, **(kwargs or {}))


def as_stream(
    module: nn.Module, result: nn.Module, args: Sequence[Any], reset: str, time_dim: int | None
) -> tuple[nn.Module, int | None, list[Replaced]]:
    """Return a module whose paddings keep frames, and whose states one argument resets.

    Also the dim of time, if it is known, and the paddings.
    """
    module = deepcopy(module)
    dim, paddings = time_of(module, args) if time_dim is None else time_dim, list[Replaced]()
    if dim is not None:
        one = observed(module, args)
        whole = observed(module, [torch.cat(chunks_of(args, dim), dim), *args[1:]])
        for path, part in list(result.named_modules()):
            paddings += _causal_pads(part, path, one, whole)
    return (with_reset(result, reset) if reset else result), dim, paddings


def _causal_pads(part: nn.Module, path: str, one: ModelRun, whole: ModelRun) -> list[Replaced]:
    """Let paddings in a module's forward keep frames: those with zeros in front along time."""
    pads: dict[str, nn.Module] = {}
    calls = zip(one.pads.get(path, []), whole.pads.get(path, []), strict=False)
    for number, ((data, *numbers), (longer, *_)) in enumerate(calls):
        grown = [d for d in range(data.dim()) if longer.shape[d] == CHUNKS * data.shape[d]]
        before, after = numbers[0][::2], numbers[0][1::2]
        padded = [data.dim() - 1 - i for i, n in enumerate(before) if n]
        is_zero = numbers[1:] in ([], ["constant"], ["constant", None], ["constant", 0])
        if is_zero and not any(after) and len(padded) == 1 and padded[0] in grown:
            (dim,) = padded
            pads[str(number)] = CausalPad(before[data.dim() - 1 - dim], data.shape[dim], dim)
    if pads:
        own = type(part)

        @wraps(own.forward)
        def forward(self: nn.Module, *args: Any, **kwargs: Any) -> Any:
            with _Pads(dict(self.causal_pads.named_children())):
                return own.forward(self, *args, **kwargs)

        part.causal_pads = nn.ModuleDict(pads)
        part.__class__ = type(own.__name__, (own,), {"forward": forward})
    return [Replaced(path or type(part).__name__, "padding", "Buffer") for _ in pads]


def chunks_of(args: Sequence[Any], dim: int) -> list[Tensor]:
    """Return an example's first argument, and others like it, as the chunks of a stream."""
    first, generator = args[0], torch.Generator().manual_seed(0)
    others = [
        torch.randn(first.shape, generator=generator).to(first)
        if first.is_floating_point()
        else first.roll(shift, dim)
        for shift in range(1, CHUNKS)
    ]
    return [first, *others]


def time_of(module: nn.Module, args: Sequence[Any]) -> int | None:
    """Find the dim of the first argument along which a recurrent layer or a padding has steps."""
    one = observed(module, args)
    for dim in range(args[0].dim() if isinstance(args[0], Tensor) else 0):
        try:
            longer = observed(module, [torch.cat(chunks_of(args, dim), dim), *args[1:]])
        except (RuntimeError, ValueError, IndexError):
            continue
        if any(_steps(longer)) and _steps(longer) == [CHUNKS * steps for steps in _steps(one)]:
            return dim
    return None


def _steps(run: ModelRun) -> list[int]:
    """Return the steps of recurrent layers; without any, the padded extents of paddings."""
    layers = [
        call.args[0].shape[int(part.batch_first and call.args[0].dim() == 3)]
        for part, calls in run.calls.items()
        if isinstance(part, nn.RNNBase)
        for call in calls
        if call.args and isinstance(call.args[0], Tensor)
    ]
    pads = [
        data.shape[data.dim() - 1 - next(i // 2 for i, n in enumerate(numbers) if n)]
        for calls in run.pads.values()
        for data, numbers, *_ in calls
        if any(numbers)
    ]
    return layers or pads


def on_chunks(
    module: nn.Module, stream: nn.Module, args: Sequence[Any], dim: int, more: Sequence[Any]
) -> tuple[float, list[Left]]:
    """Return how far a stream is off the whole, and the parts that answer otherwise on chunks.

    Of these what they read is the same. `more` are arguments that only the stream takes.
    """
    chunks, module = chunks_of(args, dim), deepcopy(module)
    whole = observed(module, [torch.cat(chunks, dim), *args[1:]])
    reset_states(stream)
    runs = [observed(stream, (chunk, *args[1:], *more)) for chunk in chunks]
    reset_states(stream)
    left = []
    for path, (kind, first, result) in whole.outputs.items():
        parts = [run.outputs[path] for run in runs if path in run.outputs]
        part = module.get_submodule(path)
        if len(parts) < CHUNKS or any(part.children()):
            continue
        # The chunks of a padding that keeps frames overlap.
        if not hasattr(stream.get_submodule(path), "causal_pads"):
            reads, gives = off(first, [each[1] for each in parts]), [each[2] for each in parts]
            if reads <= _CLOSE < off(result, gives):
                left.append(Left(path or kind, kind, _remedy(part)))
    return off(whole.result, [run.result for run in runs]), left


def off(whole: object, parts: Sequence[Any]) -> float:
    """Return the largest difference of a value from that of the chunks joined, or of the last.

    It is relative to the largest number of the value, and infinite where the shapes differ, or one
    side alone has no number. Example: one chunk is another value of the same shape.
    """
    if isinstance(whole, dict):
        whole, parts = [*whole.values()], [[*part.values()] for part in parts]
    if isinstance(whole, tuple | list):
        columns = zip(*parts, strict=True)
        pairs = zip(whole, columns, strict=True)
        return max((off(each, column) for each, column in pairs), default=0.0)
    if not isinstance(whole, Tensor) or not whole.is_floating_point() or not whole.numel():
        return 0.0
    shape = parts[0].shape
    grown = [d for d in range(whole.dim()) if whole.shape[d] == CHUNKS * shape[d]]
    joined = torch.cat([*parts], grown[0]) if grown else parts[-1]
    if joined.shape != whole.shape:
        return math.inf
    same = (joined == whole) | (joined.isnan() & whole.isnan())
    gaps = (joined - whole).abs().nan_to_num(math.inf, math.inf).masked_fill(same, 0)
    scale = whole.nan_to_num(0, 0, 0).abs().max().clamp(min=torch.finfo(whole.dtype).tiny)
    return float(gaps.max() / scale)


def _remedy(part: nn.Module) -> str:
    if isinstance(part, nn.RNNBase) and part.bidirectional:
        return "it reads from the end of a chunk, which is no end of the stream; use one direction"
    if getattr(part, "padding", 0):
        return "it pads the ends of each chunk; pad in front alone, with padding=0 behind it"
    return "it reads frames of other chunks; keep them by a Buffer, or give it all in one chunk"
