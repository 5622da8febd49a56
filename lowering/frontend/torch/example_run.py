"""A run of a module on an example, and a report of the parts that block ops then replace.

The run keeps which parts were called, with what, and what came out.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.overrides import TorchFunctionMode

SOFTMAXES = (functional.softmax, torch.softmax, Tensor.softmax)
"""Softmax as a function, and as a method."""
ATTENTIONS = (functional.scaled_dot_product_attention, functional.multi_head_attention_forward)
"""Functions with a softmax inside that a graph of modules does not show."""


@dataclass(frozen=True)
class ModuleCall:
    """The arguments of one call of a module."""

    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]


@dataclass
class ModelRun:
    """The outcome of a run: the calls of each module, and which modules call a function.

    By path: the arguments of each padding, and of the first call of a module its kind, its first
    argument and its result.
    """

    result: Any = None
    calls: dict[nn.Module, list[ModuleCall]] = field(default_factory=dict)
    callers: dict[str, set[nn.Module]] = field(default_factory=dict)
    pads: dict[str, list[Sequence[Any]]] = field(default_factory=dict)
    outputs: dict[str, tuple[str, Any, Any]] = field(default_factory=dict)


def observed(module: nn.Module, args: Sequence[Any]) -> ModelRun:
    """Run a module on an example, in evaluation mode and without gradients."""
    run, stack = ModelRun(), list[nn.Module]()
    paths = {part: path for path, part in module.named_modules()}

    def enters(part: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        stack.append(part)
        run.calls.setdefault(part, []).append(ModuleCall(args, kwargs))

    def leaves(part: nn.Module, args: tuple[Any, ...], result: object) -> None:
        stack.pop()
        first = args[0] if args else None
        run.outputs.setdefault(paths[part], (type(part).__name__, first, result))

    def watches(name: str, args: Sequence[Any]) -> None:
        if name == "pad" and stack:
            run.pads.setdefault(paths[stack[-1]], []).append(args)
        # A Softmax module is a part of the forward that calls it.
        callers = [part for part in stack if not isinstance(part, nn.Softmax)]
        run.callers.setdefault(name, set()).update(callers[-1:])

    with ExitStack() as hooks, torch.no_grad(), evaluating(module):
        for part in module.modules():
            before = part.register_forward_pre_hook(enters, with_kwargs=True)
            hooks.callback(before.remove)
            hooks.callback(part.register_forward_hook(leaves).remove)
        hooks.enter_context(_Watch(watches))
        run.result = module(*args)
    return run


@contextmanager
def evaluating(module: nn.Module) -> Iterator[None]:
    """Put a module in evaluation mode, and each part back into its own mode afterwards."""
    modes = {part: part.training for part in module.modules()}
    module.eval()
    try:
        yield
    finally:
        for part, mode in modes.items():
            part.training = mode


class _Watch(TorchFunctionMode):
    """Tells of each softmax, attention and padding that is called."""

    def __init__(self, watches: Callable[[str, Sequence[Any]], None]) -> None:
        super().__init__()
        self._watches = watches

    def __torch_function__(
        self,
        func: Any,
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        if func in SOFTMAXES:
            self._watches("softmax", args)
        elif func in ATTENTIONS:
            self._watches(func.__name__, args)
        elif func is functional.pad:
            self._watches("pad", (*args, *(kwargs or {}).values()))
        return func(*args, **(kwargs or {}))


@dataclass(frozen=True)
class Replaced:
    """A part of a module that a block op represents: the part's path, its kind, the op."""

    path: str
    kind: str
    op: str

    def __str__(self) -> str:
        return f"{self.path}: {self.kind} is {self.op}"


@dataclass(frozen=True)
class Left:
    """A part that no block op could represent, and the reason."""

    path: str
    kind: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path}: {self.kind} stays: {self.reason}"


@dataclass(frozen=True)
class ReplaceReport:
    """All parts that came into question; `error` is the largest difference on the example."""

    replaced: tuple[Replaced, ...]
    left: tuple[Left, ...]
    error: float

    def __str__(self) -> str:
        count = f"{len(self.replaced)} replaced, {len(self.left)} left, error {self.error:.1e}"
        return "\n".join([count, *(f"  {part}" for part in (*self.replaced, *self.left))])
