"""Activations of recurrent layers, by name and with two numbers. Source: ONNX operator spec RNN."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from ...support.context import NodeContext
from ..activation import hard_sigmoid_of, plus, softsign_of, times

_Build = Callable[[NodeContext, SSAValue, float, float], SSAValue]


@dataclass(frozen=True)
class Activation:
    """A function of one value, with its name in small letters and its numbers."""

    name: str
    alpha: float
    beta: float

    def build(self, ctx: NodeContext, x: SSAValue) -> SSAValue:
        """Return the function of a value."""
        return _KINDS[self.name].build(ctx, x, self.alpha, self.beta)


@dataclass(frozen=True)
class _Kind:
    """An activation, and the defaults of the numbers that it reads: alpha, then beta."""

    build: _Build
    numbers: tuple[float, ...] = ()


def read_activations(
    ctx: NodeContext, default: Sequence[str], directions: int
) -> tuple[Activation, ...]:
    """Return the activations of a node, which names as many for each direction as it has gates.

    Each takes the next of the attributes' numbers that it reads.
    """
    names = [name.lower() for name in ctx.texts("activations")] or [*default] * directions
    unknown = next((name for name in names if name not in _KINDS), None)
    stated, known = ", ".join(ctx.texts("activations")), ", ".join(_KINDS)
    ctx.require(unknown is None, f"attribute 'activations' is {stated}", f"known are {known}")
    count = len(default) * directions
    problem = f"attribute 'activations' has {len(names)} names"
    ctx.require(len(names) == count, problem, f"give it {count}")
    numbers = [list(ctx.reals(f"activation_{name}")) for name in ("alpha", "beta")]
    functions = tuple(_read(name, numbers) for name in names)
    for name, rest in zip(("alpha", "beta"), numbers, strict=True):
        problem = f"attribute 'activation_{name}' has {len(rest)} numbers that nothing reads"
        ctx.require(not rest, problem, "leave them out")
    return functions


def _read(name: str, numbers: Sequence[list[float]]) -> Activation:
    defaults = _KINDS[name].numbers
    pairs = zip(defaults, numbers, strict=False)
    taken = [left.pop(0) if left else default for default, left in pairs]
    return Activation(name, *taken, *(0.0,) * (2 - len(taken)))


def _plain(op: str) -> _Kind:
    return _Kind(lambda ctx, x, _alpha, _beta: ctx.emit(op, x))


def _affine(ctx: NodeContext, x: SSAValue, alpha: float, beta: float) -> SSAValue:
    return plus(ctx, times(ctx, x, ctx.scalar(alpha, x)), ctx.scalar(beta, x))


def _scaled_tanh(ctx: NodeContext, x: SSAValue, alpha: float, beta: float) -> SSAValue:
    bent = ctx.emit("Tanh", times(ctx, x, ctx.scalar(beta, x)))
    return times(ctx, bent, ctx.scalar(alpha, x))


def _thresholded(ctx: NodeContext, x: SSAValue, alpha: float, _beta: float) -> SSAValue:
    above = ctx.emit("ElementWiseGreater", x, ctx.scalar(alpha, x))
    return ctx.emit("ElementWiseSelect", above, x, ctx.scalar(0, x))


_KINDS = {
    "tanh": _plain("Tanh"),
    "sigmoid": _plain("Sigmoid"),
    "relu": _plain("Relu"),
    "softplus": _plain("ElementWiseSoftplus"),
    "softsign": _Kind(lambda ctx, x, _alpha, _beta: softsign_of(ctx, x)),
    "affine": _Kind(_affine, (1.0, 0.0)),
    "leakyrelu": _Kind(lambda ctx, x, alpha, _: ctx.emit("LeakyRelu", x, alpha=alpha), (0.01,)),
    "elu": _Kind(lambda ctx, x, alpha, _: ctx.emit("Elu", x, alpha=alpha), (1.0,)),
    "thresholdedrelu": _Kind(_thresholded, (1.0,)),
    "scaledtanh": _Kind(_scaled_tanh, (1.0, 1.0)),
    "hardsigmoid": _Kind(hard_sigmoid_of, (0.2, 0.5)),
}
