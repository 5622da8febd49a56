"""The reference semantics of an op, in one form for graph ops and native ops alike.

A `Semantics` takes the operands' values and the params and gives the results' values. `evaluate`
puts decoding before it and encoding after it, so that a function over floats serves quantised
tensors, and a result takes whatever dtype its spec names.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

import numpy as np

from ....dialects.diagnostics import fail
from ....dialects.qti_aisw.base import ParamValue
from ...functions.support.arrays import Array, Pair
from ...tensors.tensors import Tensor
from ..support.calls import summed

Value = ParamValue | tuple[float, ...]
E = TypeVar("E", bound=Enum)


class Params:
    """The params of one op; a native scalar is a tuple of one, an enum member may be its number."""

    def __init__(self, values: Mapping[str, Value]) -> None:
        self._values = values

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def reals(self, name: str) -> tuple[float, ...]:
        """Read the numbers of a param, one or more."""
        value = self._values[name]
        if isinstance(value, str):
            raise TypeError(f"param '{name}' is the name {value}, not a number")
        return value if isinstance(value, tuple) else (value,)

    def ints(self, name: str) -> tuple[int, ...]:
        """Read the integers of a param."""
        return tuple(int(value) for value in self.reals(name))

    def real(self, name: str) -> float:
        """Read the one number of a param."""
        (value,) = self.reals(name)
        return float(value)

    def integer(self, name: str) -> int:
        """Read the one integer of a param."""
        return int(self.real(name))

    def flag(self, name: str) -> bool:
        """Read a truth value."""
        return bool(self.integer(name))

    def bound(self, name: str) -> float | None:
        """Read a bound; 0 means no bound."""
        return self.real(name) or None

    def pair(self, name: str) -> Pair:
        """Read height and width, also from a shape 1xHxWx1."""
        numbers = self.ints(name)
        height, width = numbers if len(numbers) == 2 else numbers[1:3]
        return height, width

    def pairs(self, name: str) -> tuple[Pair, ...]:
        """Read (before, after) of each dim from a flat list."""
        numbers = self.ints(name)
        return tuple(zip(numbers[::2], numbers[1::2], strict=True))

    def triples(self, name: str) -> tuple[tuple[int, int, int], ...]:
        """Read (begin, end, stride) of each dim from a flat list."""
        numbers = self.ints(name)
        return tuple(zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True))

    def choice(self, name: str, kind: type[E]) -> E:
        """Read an enum member: by name or value in a graph op, by number in a native one."""
        value = self._values[name]
        members = list(kind)
        if isinstance(value, str):
            return next(member for member in members if value in (member.value, member.name))
        return members[self.integer(name)]


Inputs = Sequence[Array | None]
Function = Callable[[Inputs, Params], Sequence[Array]]


@dataclass(frozen=True)
class Semantics:
    """A function of values; an absent optional operand is None.

    `moves`: it copies elements and computes nothing, so stored values of numpy's own dtypes pass
    through it where quantised operands and results share one encoding. `factors`: the number of
    first operands in each of which the one result is linear; the last of them may have an encoding
    along its axis `channel`, and an operand after them is a bias along the depth. `finish` is
    applied to the sum.
    """

    function: Function
    moves: bool = False
    factors: int = 0
    channel: int | None = None
    finish: Function | None = None


def evaluate(
    name: str,
    semantics: Semantics,
    inputs: Sequence[Tensor | None],
    params: Params,
    outputs: Sequence[Tensor],
) -> None:
    """Compute the outputs; a value that the op refuses raises HtpError that names op and value."""
    try:
        _evaluate(semantics, inputs, params, outputs)
    except (ValueError, IndexError) as error:
        raise fail(name, str(error), "no output and no state was changed") from error


def _evaluate(
    semantics: Semantics,
    inputs: Sequence[Tensor | None],
    params: Params,
    outputs: Sequence[Tensor],
) -> None:
    present = [tensor for tensor in inputs if tensor is not None]
    if semantics.moves and _one_encoding([*outputs, *present]):
        stored = [None if tensor is None else tensor.stored() for tensor in inputs]
        for output, array in zip(outputs, semantics.function(stored, params), strict=True):
            # The same dtype, but for an op that reads the bits of one as another.
            output.store_raw(_of_rank(array, output).view(output.spec.dtype.storage))
        return
    values = _integer_exact(semantics, inputs, params, outputs)
    if values is None:
        loaded = [None if tensor is None else tensor.load() for tensor in inputs]
        values = semantics.function(loaded, params)
    if semantics.finish is not None:
        values = semantics.finish(values, params)
    for output, array in zip(outputs, values, strict=True):
        output.store(_of_rank(array, output))


def _integer_exact(
    semantics: Semantics,
    inputs: Sequence[Tensor | None],
    params: Params,
    outputs: Sequence[Tensor],
) -> Sequence[Array] | None:
    """The result summed over integers, with its bias; None unless all factors are quantised."""
    factors = [tensor for tensor in inputs[: semantics.factors] if tensor is not None]
    if not factors:
        return None
    rest = inputs[semantics.factors :]
    total = summed(
        lambda integers: semantics.function([*integers, *[None] * len(rest)], params)[0],
        factors,
        semantics.channel,
        (1, *outputs[0].shape)[-1],
    )
    if total is None:
        return None
    bias = rest[0] if rest else None
    return [total if bias is None else np.add(total, bias.load())]


def _one_encoding(tensors: Sequence[Tensor]) -> bool:
    """Tell whether all quantised tensors have the encoding of the first one, of numpy's dtypes."""
    first = tensors[0].spec
    return first.dtype.storage.isbuiltin == 1 and all(
        tensor.spec.same_encoding(first) for tensor in tensors if tensor.spec.dtype.is_quantized
    )


def _of_rank(array: Array, output: Tensor) -> Array:
    """The array with dims of 1 in front, up to the output's rank."""
    return array.reshape((1,) * (output.spec.rank - array.ndim) + array.shape)
