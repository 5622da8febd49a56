"""Ops that are fewer nodes together than one by one: a shuffled dim, a norm of groups."""

from collections.abc import Callable

import numpy as np
from xdsl.ir import SSAValue

from ....dialects.qti_aisw import ConstOp, GraphOp
from ....dialects.qti_aisw.ops.movement import ReshapeOp
from ....dialects.spec_of import Array, spec_of
from ....dialects.value import DType
from ...importers.graph.moves import inverse
from ...importers.graph.shuffles import shuffle_of
from ...quantization.params import mnemonic
from .call import PrintedOp
from .draft import Ordered, order

Values = Callable[[SSAValue], Ordered]
Idiom = tuple[Ordered, Callable[[PrintedOp], Ordered]]
"""The operand of the first of several ops, and a function that writes them all."""


def idiom_of(op: GraphOp, opset: int, value: Values) -> Idiom | None:
    """Find the ops that an op is the last of; `value` writes what they read."""
    return _shuffled(op, value) or (_normalised(op, value) if opset >= 21 else None)


def _shuffled(op: GraphOp, value: Values) -> Idiom | None:
    """Shuffle a dim where the model has it: no Transpose stands around the shuffle."""
    shuffle = shuffle_of(op)
    if shuffle is None:
        return None
    inner = value(shuffle.source)
    spec = inner.tensor.spec
    if spec is None or inner.order == order(len(inner.order)):
        return None
    shape, (parts, perm) = spec.shape, shuffle.inside(spec.shape, inner.order[shuffle.dim])

    def write(call: PrintedOp) -> Ordered:
        turned = call.node("Transpose", call.reshaped(inner.tensor, parts), perm=perm)
        return Ordered(call.reshaped(turned, shape), inner.order)

    return inner, write


_MEAN = ["Tile", "ReduceMean", "ReduceMean"]
_NORM = ["ElementWiseSubtract", "ElementWiseRsqrt", "ElementWiseAdd", *_MEAN]
_NORM += ["ElementWiseSquaredDifference"]
"""The ops of (x - mean) times the root of variance and epsilon, each the first operand's maker."""
_FACTORS = {"ElementWiseMultiply": 1, "ElementWiseAdd": 0}
"""The ops that may be behind it by channel, each with the number that is idle in it."""
_FLOATS = (DType.Float32, DType.Float16)


def _normalised(op: GraphOp, value: Values) -> Idiom | None:
    """GroupNormalization of opset 21, with a factor and a summand for each channel, or without."""
    factors, last = dict[str, Array](), op
    for name, idle in reversed(_FACTORS.items()):
        own = last.operands[1].owner if mnemonic(last) == name else None
        # The import drops what changes nothing.
        if isinstance(own, ConstOp) and np.any(own.array != idle):
            factors[name], inner = own.array, last.operands[0].owner
            last = inner if isinstance(inner, GraphOp) else last
    if mnemonic(last) != "ElementWiseMultiply":
        return None
    parts = [*_chain(last.operands[0], 1), *_chain(last.operands[1], len(_NORM) - 1)]
    if [*map(mnemonic, parts)] != _NORM or spec_of(last.results[0]).dtype not in _FLOATS:
        return None
    (data, mean), epsilon, squares = parts[0].operands, parts[2].operands[1].owner, parts[6]
    groups, shape = spec_of(parts[4].operands[0]).shape[:2], spec_of(data).shape
    means, axes = _chain(mean, len(_MEAN)), parts[5].ints_param("axes")
    dims = [dim for dim in range(1, len(shape)) if dim not in axes]
    wide = tuple(n if dim in (0, *dims) else 1 for dim, n in enumerate(shape))
    is_norm = [*map(_key, means)] == [*map(_key, parts[3:6])] and means[2].operands[0] is data
    is_norm &= len(dims) == 1 and [*squares.operands] == [data, mean] and groups[0] == shape[0]
    is_norm &= spec_of(mean).shape == spec_of(last.operands[1]).shape == wide
    is_norm &= all(array.shape == wide[1:] for array in factors.values())
    if not is_norm or not isinstance(epsilon, ConstOp) or epsilon.array.size != 1:
        return None
    first, number = (0, *dims, *axes), epsilon.array.item()

    def write(call: PrintedOp) -> Ordered:
        arrays = (factors.get(n, np.full(wide, idle)[0]) for n, idle in _FACTORS.items())
        inputs = call.real(0, first), *(call.like(array.reshape(-1)) for array in arrays)
        norm = call.node("GroupNormalization", *inputs, num_groups=groups[1], epsilon=number)
        return Ordered(norm, inverse(first))

    return value(data), write


def _key(op: GraphOp) -> tuple[object, ...]:
    """Return what two ops that compute alike have in common."""
    return op.name, op.properties, spec_of(op.operands[0]).shape


def _chain(value: SSAValue, count: int) -> list[GraphOp]:
    """Return the ops before a value, each the first operand of the next, Reshapes aside."""
    ops = list[GraphOp]()
    while isinstance(maker := value.owner, GraphOp) and maker.operands and len(ops) < count:
        ops += () if isinstance(maker, ReshapeOp) else (maker,)
        value = maker.operands[0]
    return ops
