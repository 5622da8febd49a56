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
from ....dialects.faults.op_faults import described
from .buffer import Buffer
from .example_run import Left, ModelRun, Replaced, observed
from .stateful import RESET, reset_states

CHUNKS = 3
"""The chunks that a stream is tried on."""
_WINDOWS = (nn.Conv1d, nn.ConvTranspose1d, nn.AvgPool1d, nn.MaxPool1d)
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
    """Puts the last frames of the calls before in front of its input, zeros at first.

    `others` are the zeros around other dims, as `functional.pad` takes them.
    """

    def __init__(self, frames: int, chunk: int, dim: int, others: Sequence[int]) -> None:
        super().__init__()
        self.length, self.dim, self.others = frames + chunk, dim, [*others]
        size = -(-self.length // chunk) * chunk
        self.window = Buffer(size, dim, mode="NON_BLOCKING_RIGHT", stride=chunk)

    def forward(self, frames: Tensor) -> Tensor:
        """Return the frames kept, then those of the input."""
        content = self.window(frames)
        kept = content.narrow(self.dim, self.window.buffer_size - self.length, self.length)
        return functional.pad(kept, self.others) if any(self.others) else kept


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
        whole = _whole(module, args, dim)
        for path, part in list(result.named_modules()):
            # Of several calls each would need frames of its own.
            if path in one.pads and len(one.calls[module.get_submodule(path)]) == 1:
                paddings += _causal_pads(part, path, one, whole)
    return (with_reset(result, reset) if reset else result), dim, paddings


def _causal_pads(part: nn.Module, path: str, one: ModelRun, whole: ModelRun) -> list[Replaced]:
    """Let paddings in a module's forward keep frames: those with zeros in front along time."""
    pads: dict[str, nn.Module] = {}
    calls = zip(one.pads.get(path, []), whole.pads.get(path, []), strict=False)
    for number, ((data, *numbers), (longer, *_)) in enumerate(calls):
        grown = [d for d in range(data.dim()) if longer.shape[d] == CHUNKS * data.shape[d]]
        is_zero = numbers[1:] in ([], ["constant"], ["constant", None], ["constant", 0])
        for dim in _padded(data, numbers[0], in_front=True):
            if is_zero and dim in grown:
                others, place = [*numbers[0]], 2 * (data.dim() - 1 - dim)
                frames, others[place] = others[place], 0
                pads[str(number)] = CausalPad(frames, data.shape[dim], dim, others)
    if pads:
        own = type(part)

        @wraps(own.forward)
        def forward(self: nn.Module, *args: Any, **kwargs: Any) -> Any:
            with _Pads(dict(self.causal_pads.named_children())):
                return own.forward(self, *args, **kwargs)

        part.causal_pads = nn.ModuleDict(pads)
        part.__class__ = type(own.__name__, (own,), {"forward": forward})
    return [Replaced(path or type(part).__name__, "padding", "Buffer") for _ in pads]


def _padded(data: Tensor, amounts: Sequence[int], *, in_front: bool) -> list[int]:
    """Return the dims that a padding pads, or those that it pads in front alone."""
    pairs = enumerate(zip(amounts[::2], amounts[1::2], strict=True))
    chosen = [
        i for i, (before, after) in pairs if (before and not after if in_front else before or after)
    ]
    return [data.dim() - 1 - i for i in chosen]


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


def _whole(module: nn.Module, args: Sequence[Any], dim: int) -> ModelRun:
    """Run a module on all chunks at once; HtpError where it does not take them."""
    try:
        return observed(module, [torch.cat(chunks_of(args, dim), dim), *args[1:]])
    except Exception as error:
        problem = f"does not take {CHUNKS} chunks along time_dim {dim} at once: {described(error)}"
        remedy = "take sizes from its input, or give another time_dim"
        raise fail(type(module).__name__, problem, remedy) from error


def time_of(module: nn.Module, args: Sequence[Any]) -> int | None:
    """Find the dim of the first argument along which the layers that tell of time have steps."""
    one = observed(module, args)
    for dim in range(args[0].dim() if isinstance(args[0], Tensor) else 0):
        try:
            longer = observed(module, [torch.cat(chunks_of(args, dim), dim), *args[1:]])
        except Exception:  # The module is the user's, and may raise any for a wrong dim.
            continue
        pairs = [*zip(_steps(one), _steps(longer), strict=False)]
        if pairs and all(steps < more for steps, more in pairs):
            return dim
    return None


def _steps(run: ModelRun) -> list[int]:
    """Return the steps of recurrent layers, else what is padded, in front alone if anything is.

    Without any, the extents that windows of one dim move along.
    """
    reads = [
        (part, call.args[0])
        for part, calls in run.calls.items()
        for call in calls
        if call.args and isinstance(call.args[0], Tensor)
    ]
    layers = [
        data.shape[int(part.batch_first and data.dim() == 3)]
        for part, data in reads
        if isinstance(part, nn.RNNBase)
    ]
    pads = [(data, amounts) for calls in run.pads.values() for data, amounts, *_ in calls]
    causal, padded = (
        [data.shape[dim] for data, amounts in pads for dim in _padded(data, amounts, in_front=only)]
        for only in (True, False)
    )
    windows = [data.shape[-1] for part, data in reads if isinstance(part, _WINDOWS)]
    return layers or causal or padded or windows


def on_chunks(
    module: nn.Module, stream: nn.Module, args: Sequence[Any], dim: int | None, more: Sequence[Any]
) -> tuple[float, list[Left]]:
    """Return how far a stream is off the whole, and the parts that answer otherwise on chunks.

    Such a part reads the same numbers both times and contains no other such part. `more` are
    arguments that only the stream takes.
    """
    if dim is None:
        kind = type(module).__name__
        return 0.0, [Left(kind, kind, "no layer tells which dim is time; give time_dim")]
    chunks, module = chunks_of(args, dim), deepcopy(module)
    whole = _whole(module, args, dim)
    reset_states(stream)
    runs = [observed(stream, (chunk, *args[1:], *more)) for chunk in chunks]
    reset_states(stream)
    error, left = off(whole.result, [run.result for run in runs]), dict[str, Left]()
    for path, (kind, first, result) in whole.outputs.items():
        parts = [run.outputs[path] for run in runs if path in run.outputs]
        part = module.get_submodule(path)
        is_known = any(part.children()) and (
            error <= _CLOSE or any(f"{inner}.".startswith(path and f"{path}.") for inner in left)
        )
        # The chunks of a padding that keeps frames overlap.
        overlaps = path and hasattr(stream.get_submodule(path), "causal_pads")
        if len(parts) == CHUNKS and not is_known and not overlaps:
            reads, gives = off(first, [each[1] for each in parts]), [each[2] for each in parts]
            if reads <= _CLOSE < off(result, gives):
                calls = len(whole.calls[part]) if path in whole.pads else 1
                odd = (
                    _odd_stride(part, args[0].shape[dim]) if off(result, gives) == math.inf else ""
                )
                left[path] = Left(path or kind, kind, odd or _remedy(part, calls))
    return error, [*left.values()]


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


def _odd_stride(part: nn.Module, frames: int) -> str:
    """Say that a stride inside a part does not divide the frames of a chunk; empty where all do."""
    for inner in part.modules():
        stride = getattr(inner, "stride", 1)
        for step in stride if isinstance(stride, tuple) else (stride,):
            if isinstance(step, int) and step > 1 and frames % step:
                problem = f"a stride of {step} does not divide the {frames} frames of a chunk"
                return f"{problem}; give {step} or a multiple of it"
    return ""


def _remedy(part: nn.Module, calls: int) -> str:
    pads = 0 if getattr(part, "transposed", False) else getattr(part, "padding", 0)
    if isinstance(part, nn.RNNBase) and part.bidirectional:
        return "it reads from the end of a chunk, which is no end of the stream; use one direction"
    if calls > 1:
        return f"it pads {calls} times; give each call a padding of its own"
    if any(pads) if isinstance(pads, tuple) else pads not in (0, "valid"):
        return "it pads the ends of each chunk; pad in front alone, with padding=0 behind it"
    return "it reads frames of other chunks; keep them by a Buffer, or give it all in one chunk"
