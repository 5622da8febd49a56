"""The trigonometric and hyperbolic functions that graph IR spells out in simpler ops.

Each keeps its digits near 0, where the textbook form would cancel: e to the power of x, less 1, is
Elu of a negative number, and log(1 + x) is the softplus of log x. None overflows before its result.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import SSAValue

from ..support.context import NodeContext
from ..support.registry import Importer, ImporterSet
from .activation import plus, times

ONNX = ImporterSet(keeps_stored=False)

Function = Callable[[NodeContext, SSAValue], SSAValue]


def _tan(ctx: NodeContext, x: SSAValue) -> SSAValue:
    """sin(x) / cos(x)."""
    return _ratio(ctx, ctx.emit("ElementWiseSin", x), ctx.emit("ElementWiseCos", x))


def _acos(ctx: NodeContext, x: SSAValue) -> SSAValue:
    """2 atan(sqrt((1 - x) / (1 + x)))."""
    one = ctx.scalar(1, x)
    square = _ratio(ctx, _minus(ctx, one, x), plus(ctx, one, x))
    return times(ctx, ctx.emit("ElementWiseAtan", _root(ctx, square)), ctx.scalar(2, x))


def _cosh(ctx: NodeContext, x: SSAValue) -> SSAValue:
    """(a a + b b) / 2, where a and b are e to the power of x / 2 and of -x / 2."""
    half = ctx.scalar(0.5, x)
    rising = ctx.emit("ElementWiseExp", times(ctx, x, half))
    falling = ctx.emit("ElementWiseExp", times(ctx, x, ctx.scalar(-0.5, x)))
    squares = [times(ctx, times(ctx, root, half), root) for root in (rising, falling)]
    return plus(ctx, *squares)


def _sinh(ctx: NodeContext, x: SSAValue) -> SSAValue:
    """(1 - e to the power of -2 x) / 2, times that of x / 2 twice."""
    root = ctx.emit("ElementWiseExp", times(ctx, x, ctx.scalar(0.5, x)))
    less = ctx.emit("Elu", times(ctx, x, ctx.scalar(-2, x)))
    return times(ctx, times(ctx, times(ctx, less, ctx.scalar(-0.5, x)), root), root)


def _acosh(ctx: NodeContext, x: SSAValue) -> SSAValue:
    """log(1 + d + sqrt(d) sqrt(d + 2)), where d is x - 1."""
    above = _minus(ctx, x, ctx.scalar(1, x))
    roots = _root(ctx, above), _root(ctx, plus(ctx, x, ctx.scalar(1, x)))
    return _log_one_plus(ctx, plus(ctx, above, times(ctx, *roots)))


def _asinh(ctx: NodeContext, x: SSAValue) -> SSAValue:
    """log(1 + x + x / (u + sqrt(u u + 1))), where u is 1 / x."""
    inverse = ctx.emit("ElementWiseReciprocal", x)
    square = plus(ctx, times(ctx, inverse, inverse), ctx.scalar(1, x))
    return _log_one_plus(ctx, plus(ctx, x, _ratio(ctx, x, plus(ctx, inverse, _root(ctx, square)))))


def _atanh(ctx: NodeContext, x: SSAValue) -> SSAValue:
    """log(1 + 2 x / (1 - x)) / 2."""
    rest = _minus(ctx, ctx.scalar(1, x), x)
    log = _log_one_plus(ctx, _ratio(ctx, times(ctx, x, ctx.scalar(2, x)), rest))
    return times(ctx, log, ctx.scalar(0.5, x))


def _log_one_plus(ctx: NodeContext, x: SSAValue) -> SSAValue:
    return ctx.emit("ElementWiseSoftplus", ctx.emit("ElementWiseLog", x))


def _ratio(ctx: NodeContext, a: SSAValue, b: SSAValue) -> SSAValue:
    return ctx.emit("ElementWiseDivide", a, b)


def _minus(ctx: NodeContext, a: SSAValue, b: SSAValue) -> SSAValue:
    return ctx.emit("ElementWiseSubtract", a, b)


def _root(ctx: NodeContext, x: SSAValue) -> SSAValue:
    return ctx.emit("ElementWiseSquareRoot", x)


def _plain(function: Function) -> Importer:
    return lambda ctx: [function(ctx, ctx.value(0))]


def _odd(function: Function) -> Importer:
    """An importer for f(-x) = -f(x), from the function of numbers >= 0."""

    def apply(ctx: NodeContext) -> list[SSAValue]:
        x = ctx.value(0)
        size = function(ctx, ctx.emit("ElementWiseAbs", x))
        return [times(ctx, size, ctx.emit("ElementWiseSign", x))]

    return apply


_PLAIN: dict[str, Function] = {"Tan": _tan, "Acos": _acos, "Cosh": _cosh, "Acosh": _acosh}

_ODD: dict[str, Function] = {"Sinh": _sinh, "Asinh": _asinh, "Atanh": _atanh}

for _family, _rows in ((_plain, _PLAIN), (_odd, _ODD)):
    for _op, _function in _rows.items():
        ONNX.importer(_op, folds=True)(_family(_function))
