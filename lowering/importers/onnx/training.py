"""Steps of optimisers, domain ai.onnx.preview.training, and the loss of a classification.

Source: ONNX operator spec.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING

from ....dialects.qti_aisw.ops.losses import NO_TARGET, REDUCTIONS
from ..graph.value import Value, where
from ..support.registry import ImporterSet, NodeContext, require
from .tensors.steps import linear

if TYPE_CHECKING:
    from onnx import NodeProto, TypeProto

ONNX = ImporterSet(keeps_stored=False)

_DOMAIN = "ai.onnx.preview.training"


def _each(values: Sequence[Value], count: int, step: Callable[..., Sequence[Value]]) -> list[Value]:
    """Make the step of each weight, of which there are any number, with `count` values for each."""
    weights, rest = divmod(len(values), count)
    require(weights > 0 and not rest, f"{len(values)} inputs are not {count} per weight")
    after = [step(*values[first::weights]) for first in range(weights)]
    return [value for alike in zip(*after, strict=True) for value in alike]


def _number(value: Value, like: Value) -> Value:
    """Return the learning rate or the number of steps in the type of a weight."""
    return value.reshape().cast(like.dtype)


def _gradient(x: Value, gradient: Value, norm: float) -> Value:
    """Return the gradient with that of the norm of the weight."""
    return linear(x, norm, 0) + gradient if norm else gradient


@ONNX.importer("Adagrad", domain=_DOMAIN)
def adagrad(
    rate: Value,
    steps: Value,
    *values: Value,
    decay_factor: float = 0.0,
    epsilon: float = 1e-6,
    norm_coefficient: float = 0.0,
) -> list[Value]:
    """Adagrad: the weight and the sum of squared gradients."""

    def step(x: Value, g: Value, squares: Value) -> Sequence[Value]:
        slower = linear(_number(steps, x), decay_factor, 1)
        now = _number(rate, x) / slower
        g = _gradient(x, g, norm_coefficient)
        squares = squares + g * g
        return x - now * (g / linear(squares.sqrt(), 1, epsilon)), squares

    return _each(values, 3, step)


@ONNX.importer("Adam", domain=_DOMAIN)
def adam(
    rate: Value,
    steps: Value,
    *values: Value,
    alpha: float = 0.9,
    beta: float = 0.999,
    epsilon: float = 1e-6,
    norm_coefficient: float = 0.0,
    norm_coefficient_post: float = 0.0,
) -> list[Value]:
    """Adam: the weight, and the running means of gradients and of their squares."""

    def step(x: Value, *rest: Value) -> Sequence[Value]:
        x, mean, squares = x.ops(
            "Adam",
            *(*rest, _number(rate, x), _number(steps, x), None),
            beta1=alpha,
            beta2=beta,
            epsilon=epsilon,
            epsilon_hat=True,
            weight_decay=norm_coefficient,
        )
        return linear(x, 1 - norm_coefficient_post, 0), mean, squares

    return _each(values, 4, step)


@ONNX.importer("Momentum", domain=_DOMAIN)
def momentum(
    rate: Value,
    steps: Value,
    *values: Value,
    mode: str,
    alpha: float,
    beta: float,
    norm_coefficient: float,
) -> list[Value]:
    """Momentum, standard or Nesterov's: the weight and the way that it moves."""
    require(mode in ("standard", "nesterov"), f"attribute 'mode' is {mode}")

    def step(x: Value, g: Value, way: Value) -> Sequence[Value]:
        g = _gradient(x, g, norm_coefficient)
        share = where(_number(steps, x) > 0, x.like(beta), 1)
        way = linear(way, alpha, 0) + share * g
        ahead = g + linear(way, alpha, 0) if mode == "nesterov" else way
        return x - _number(rate, x) * ahead, way

    return _each(values, 3, step)


_SCORES, _TARGETS, _WEIGHTS = range(3)
_CLASSES = 1
"""The dim of the classes."""


def _has_weights(node: NodeProto, types: Mapping[str, TypeProto]) -> bool:
    """Leave a loss in which classes weigh more or less."""
    return any(node.input[_WEIGHTS:])


@ONNX.importer("SoftmaxCrossEntropyLoss", leaves=_has_weights)
def softmax_cross_entropy(
    ctx: NodeContext,
    scores: Value,
    targets: Value,
    *,
    ignore_index: int = NO_TARGET,
    reduction: str = "mean",
) -> list[Value]:
    """SoftmaxCrossEntropyLoss; what lies behind the classes is one dim where there is more."""
    rank = scores.rank
    require(rank > _CLASSES, f"scores of rank {rank} have no dim of the classes")
    batch, classes, *rest = scores.shape
    require(reduction in REDUCTIONS, f"attribute 'reduction' is {reduction}")
    places = (prod(rest),) if len(rest) > 1 else tuple(rest)
    loss = scores.reshape(batch, classes, *places).op(
        *("SoftmaxCrossEntropy", targets.reshape(batch, *places)),
        axis=_CLASSES,
        ignored=ignore_index,
        reduction=REDUCTIONS.index(reduction),
    )
    loss = loss.reshape(*targets.shape) if reduction == "none" else loss
    return [loss, scores.op("LogSoftmax", axis=_CLASSES)] if ctx.uses(1) else [loss]
