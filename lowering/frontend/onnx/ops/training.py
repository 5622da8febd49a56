"""Steps of optimisers, domain ai.onnx.preview.training. Source: ONNX operator spec."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import SSAValue

from ..support.context import NodeContext
from ..support.registry import Importer, ImporterSet
from .activation import plus, times
from .images.taps import linear
from .tensors.casts import plain

ONNX = ImporterSet(keeps_stored=False)

Step = Callable[..., Sequence[SSAValue]]
"""A function of one weight, its gradient and its statistics that gives them after a step."""


def for_each(count: int, step: Step) -> Importer:
    """Return an importer of any number of weights, with `count` values for each."""

    def apply(ctx: NodeContext) -> list[SSAValue]:
        _, _, *values = ctx.values()
        weights, rest = divmod(len(values), count)
        ctx.require(weights > 0 and not rest, f"{len(values)} inputs are not {count} per weight")
        after = [step(ctx, *values[first::weights]) for first in range(weights)]
        return [value for alike in zip(*after, strict=True) for value in alike]

    return apply


def _number(ctx: NodeContext, index: int, like: SSAValue) -> SSAValue:
    """Return the learning rate or the number of steps in the type of a weight."""
    return plain(ctx, ctx.reshape(ctx.value(index), ()), ctx.dtype(like))


def _gradient(ctx: NodeContext, x: SSAValue, gradient: SSAValue) -> SSAValue:
    """Return the gradient with that of the norm of the weight."""
    norm = ctx.real("norm_coefficient", 0.0)
    return plus(ctx, linear(ctx, x, norm, 0), gradient) if norm else gradient


def _mixed(ctx: NodeContext, old: SSAValue, new: SSAValue, share: float) -> SSAValue:
    """Return share * old + (1 - share) * new."""
    return plus(ctx, linear(ctx, old, share, 0), linear(ctx, new, 1 - share, 0))


def _moved(ctx: NodeContext, x: SSAValue, rate: SSAValue, way: SSAValue) -> SSAValue:
    """Return x - rate * way."""
    return ctx.emit("ElementWiseSubtract", x, times(ctx, rate, way))


def adagrad(ctx: NodeContext, x: SSAValue, g: SSAValue, squares: SSAValue) -> Sequence[SSAValue]:
    """Adagrad: the weight and the sum of squared gradients."""
    slower = linear(ctx, _number(ctx, 1, x), ctx.real("decay_factor", 0.0), 1)
    rate = ctx.emit("ElementWiseDivide", _number(ctx, 0, x), slower)
    g = _gradient(ctx, x, g)
    squares = plus(ctx, squares, times(ctx, g, g))
    root = linear(ctx, ctx.emit("ElementWiseSquareRoot", squares), 1, ctx.real("epsilon", 1e-6))
    return _moved(ctx, x, rate, ctx.emit("ElementWiseDivide", g, root)), squares


def adam(
    ctx: NodeContext, x: SSAValue, g: SSAValue, mean: SSAValue, squares: SSAValue
) -> Sequence[SSAValue]:
    """Adam: the weight, and the running means of gradients and of their squares."""
    x, mean, squares = ctx.emit_all(
        "Adam",
        *(x, g, mean, squares, _number(ctx, 0, x), _number(ctx, 1, x), None),
        beta1=ctx.real("alpha", 0.9),
        beta2=ctx.real("beta", 0.999),
        epsilon=ctx.real("epsilon", 1e-6),
        epsilon_hat=True,
        weight_decay=ctx.real("norm_coefficient", 0.0),
    )
    post = ctx.real("norm_coefficient_post", 0.0)
    return linear(ctx, x, 1 - post, 0) if post else x, mean, squares


def momentum(ctx: NodeContext, x: SSAValue, g: SSAValue, way: SSAValue) -> Sequence[SSAValue]:
    """Momentum, standard or Nesterov's: the weight and the way that it moves."""
    mode = ctx.text("mode", "standard")
    ctx.require(mode in ("standard", "nesterov"), f"attribute 'mode' is {mode}")
    alpha, g = ctx.real("alpha", 0.0), _gradient(ctx, x, g)
    one, beta = ctx.scalar(1, x), ctx.scalar(ctx.real("beta", 0.0), x)
    steps = _number(ctx, 1, x)
    started = ctx.emit("ElementWiseGreater", steps, ctx.scalar(0, steps))
    share = ctx.emit("ElementWiseSelect", started, beta, one)
    way = plus(ctx, linear(ctx, way, alpha, 0), times(ctx, share, g))
    ahead = plus(ctx, g, linear(ctx, way, alpha, 0)) if mode == "nesterov" else way
    return _moved(ctx, x, _number(ctx, 0, x), ahead), way


for _op, _count, _step in (("Adagrad", 3, adagrad), ("Adam", 4, adam), ("Momentum", 3, momentum)):
    ONNX.importer(_op, domain="ai.onnx.preview.training")(for_each(_count, _step))
