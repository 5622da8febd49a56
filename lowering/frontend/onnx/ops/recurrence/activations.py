"""Activations of recurrent layers, by name and with two numbers. Source: ONNX operator spec RNN."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ....graph.value import Value, where
from ...support.binding import Reals, Texts
from ...support.faults import require
from ..activation import hard_sigmoid, softsign


@dataclass(frozen=True)
class Activation:
    """A function of one value, with its name in small letters and its numbers."""

    name: str
    alpha: float
    beta: float

    def build(self, x: Value) -> Value:
        """Return the function of a value."""
        return _KINDS[self.name].build(x, self.alpha, self.beta)


@dataclass(frozen=True)
class _Kind:
    """An activation, and the defaults of the numbers that it reads: alpha, then beta."""

    build: Callable[[Value, float, float], Value]
    numbers: tuple[float, ...] = ()


def read_activations(
    stated: Texts, alphas: Reals, betas: Reals, default: Sequence[str], directions: int
) -> tuple[Activation, ...]:
    """Return the activations of a node, which names as many for each direction as it has gates.

    Each takes the next of the attributes' numbers that it reads.
    """
    names = [name.lower() for name in stated] or [*default] * directions
    unknown = next((name for name in names if name not in _KINDS), None)
    problem, known = f"attribute 'activations' is {', '.join(stated)}", ", ".join(_KINDS)
    require(unknown is None, problem, f"known are {known}")
    count = len(default) * directions
    problem = f"attribute 'activations' has {len(names)} names"
    require(len(names) == count, problem, f"give it {count}")
    numbers = [[*alphas], [*betas]]
    functions = tuple(_read(name, numbers) for name in names)
    for name, rest in zip(("alpha", "beta"), numbers, strict=True):
        problem = f"attribute 'activation_{name}' has {len(rest)} numbers that nothing reads"
        require(not rest, problem, "leave them out")
    return functions


def _read(name: str, numbers: Sequence[list[float]]) -> Activation:
    defaults = _KINDS[name].numbers
    pairs = zip(defaults, numbers, strict=False)
    taken = [left.pop(0) if left else default for default, left in pairs]
    return Activation(name, *taken, *(0.0,) * (2 - len(taken)))


_KINDS = {
    "tanh": _Kind(lambda x, *_: x.tanh()),
    "sigmoid": _Kind(lambda x, *_: x.sigmoid()),
    "relu": _Kind(lambda x, *_: x.op("Relu")),
    "softplus": _Kind(lambda x, *_: x.softplus()),
    "softsign": _Kind(lambda x, *_: softsign(x)),
    "affine": _Kind(lambda x, alpha, beta: x * alpha + beta, (1.0, 0.0)),
    "leakyrelu": _Kind(lambda x, alpha, _: x.op("LeakyRelu", alpha=alpha), (0.01,)),
    "elu": _Kind(lambda x, alpha, _: x.op("Elu", alpha=alpha), (1.0,)),
    "thresholdedrelu": _Kind(lambda x, alpha, _: where(x > alpha, x, 0), (1.0,)),
    "scaledtanh": _Kind(lambda x, alpha, beta: (x * beta).tanh() * alpha, (1.0, 1.0)),
    "hardsigmoid": _Kind(
        lambda x, alpha, beta: hard_sigmoid(x, alpha=alpha, beta=beta), (0.2, 0.5)
    ),
}
