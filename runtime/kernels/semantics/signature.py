"""The reference semantics of an op from a plain function, bound by the function's annotations.

    semantics(conv.conv2d, "stride pad_amount dilation group", factors=2, channel=-1)

Parameters that are annotated as arrays take the op's operands in order; `| None` marks one that
may be absent, `Sequence[Array]` takes all of them. The others take the op's params named in the
text, in order, and are read as their annotations say; one that the op lacks keeps its default.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial
from inspect import unwrap
from typing import get_type_hints

import numpy as np
from numpy.typing import NDArray

from ....dialects.value.codes import Bytes
from ...functions.support.arrays import Array, Bools, Pair
from ...functions.support.windows import Pads
from .params import Params
from .semantics import Function, Inputs, Semantics

Integers = NDArray[np.integer]
Operand = Callable[[Array], Array]
Param = Callable[[Params, str], object]


def _same(array: Array) -> Array:
    return array


def _integers(array: Array) -> Array:
    """Wide enough for all integer dtypes."""
    return array.astype(np.int64, copy=False)


_OPERANDS: dict[object, Operand] = {
    Array: _same,
    Array | None: _same,
    Bools: lambda array: array.astype(bool),
    Integers: _integers,
    Integers | None: _integers,
    Bytes: lambda array: array.astype(np.uint8, copy=False),
}
_PARAMS: dict[object, Param] = {
    int: Params.integer,
    float: Params.real,
    bool: Params.flag,
    float | None: Params.bound,
    Pair: Params.pair,
    Pads: Params.pairs,
    Sequence[Pair]: Params.pairs,
    Sequence[int]: Params.ints,
    tuple[int, ...]: Params.ints,
    Sequence[tuple[int, int, int]]: Params.triples,
}


def semantics(
    function: Callable[..., Array | Sequence[Array]],
    params: str = "",
    *,
    moves: bool = False,
    factors: int = 0,
    channel: int | None = None,
) -> Semantics:
    """Make the semantics; `params` names the op's params in the order of the function's own."""
    return Semantics(bound(function, params), moves, factors, channel)


def bound(function: Callable[..., Array | Sequence[Array]], params: str = "") -> Function:
    """Read the function's annotations once, and its arguments from operands and params per call."""
    hints = get_type_hints(unwrap(function))
    del hints["return"]
    variadic = Sequence[Array] in hints.values()
    operands = [_OPERANDS[hint] for hint in hints.values() if hint in _OPERANDS]
    rest = [name for name, hint in hints.items() if hint not in (*_OPERANDS, Sequence[Array])]
    readers = [
        (name, named, _reader(hints[name]))
        for name, named in zip(rest, params.split(), strict=False)
    ]

    def run(inputs: Inputs, values: Params) -> Sequence[Array]:
        arrays = [
            None if array is None else convert(array)
            for array, convert in zip(inputs, operands, strict=False)
        ]
        arrays += [None] * (len(operands) - len(arrays))
        arguments = {name: read(values, named) for name, named, read in readers if named in values}
        result = function(*([inputs] if variadic else arrays), **arguments)
        return [result] if isinstance(result, np.ndarray) else result

    return run


def _reader(hint: object) -> Param:
    if isinstance(hint, type) and issubclass(hint, Enum):
        return partial(_choice, hint)
    return _PARAMS[hint]


def _choice(kind: type[Enum], params: Params, name: str) -> Enum:
    return params.choice(name, kind)
