"""What an op computes, in one form for graph ops and native ops alike.

A `Meaning` takes the operands' values and the params and gives the results' values. `evaluate`
puts decoding before it and encoding after it, so that a function over floats serves quantised
tensors, and a result takes whatever dtype its spec names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ....dialects.diagnostics import fail
from ...functions.arrays import Array
from ...tensors.tensors import Tensor
from ..support.exact import summed
from ..support.params import Params

Inputs = Sequence[Array | None]
Function = Callable[[Inputs, Params], Sequence[Array]]


@dataclass(frozen=True)
class Meaning:
    """A function of values; an absent optional operand is None.

    `moves`: it copies elements and computes nothing, so stored values pass through it where
    quantised operands and results share one encoding. `factors`: the one result is linear in each
    of so many first operands, of which the last may have an encoding along its axis `channel`;
    an operand after them is a bias along the depth. `finish` is what is done to the sum.
    """

    function: Function
    moves: bool = False
    factors: int = 0
    channel: int | None = None
    finish: Callable[[Array, Params], Array] | None = None


def evaluate(
    meaning: Meaning, inputs: Sequence[Tensor | None], params: Params, outputs: Sequence[Tensor]
) -> None:
    """Compute the outputs from the inputs."""
    tensors = [*outputs, *(tensor for tensor in inputs if tensor is not None)]
    if meaning.moves and _one_encoding(tensors):
        moved = meaning.function(
            [None if tensor is None else tensor.stored() for tensor in inputs], params
        )
        for output, array in zip(outputs, moved, strict=True):
            output.store_raw(_filled(array, output))
        return
    values = _summed(meaning, inputs, params, outputs) or meaning.function(
        [None if tensor is None else tensor.load() for tensor in inputs], params
    )
    for output, array in zip(outputs, values, strict=True):
        finished = array if meaning.finish is None else meaning.finish(array, params)
        output.store(_filled(finished, output))


def _summed(
    meaning: Meaning, inputs: Sequence[Tensor | None], params: Params, outputs: Sequence[Tensor]
) -> Sequence[Array] | None:
    """The result from whole numbers, where all factors are quantised."""
    factors = [tensor for tensor in inputs[: meaning.factors] if tensor is not None]
    if not factors:
        return None
    rest = inputs[meaning.factors :]
    found = summed(
        lambda held: meaning.function([*held, *[None] * len(rest)], params)[0],
        factors,
        meaning.channel,
        (1, *outputs[0].shape)[-1],
    )
    if found is None:
        return None
    bias = rest[0] if rest else None
    return [found if bias is None else np.add(found, bias.load())]


def evaluate_named(
    name: str,
    meaning: Meaning,
    inputs: Sequence[Tensor | None],
    params: Params,
    outputs: Sequence[Tensor],
) -> None:
    """As `evaluate`; a value that the op does not take raises HtpError that names op and value."""
    try:
        evaluate(meaning, inputs, params, outputs)
    except (ValueError, IndexError) as error:
        raise fail(name, str(error), "no output and no state was changed") from error


def _one_encoding(tensors: Sequence[Tensor]) -> bool:
    """Whether all quantised tensors have the encoding of the first one."""
    first = tensors[0].spec
    return all(
        tensor.spec.same_encoding(first) for tensor in tensors if tensor.spec.dtype.is_quantized
    )


def _filled(array: Array, output: Tensor) -> Array:
    """The array with dims of 1 in front, up to the output's rank."""
    return array.reshape((1,) * (output.spec.rank - array.ndim) + array.shape)
