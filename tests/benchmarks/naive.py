"""What an op-by-op plan moves: each op alone, from main memory and back, in its best tile.

An op moves its operands and its results once. A convolution or matrix product that is larger than
the TCM runs in loops over tiles, whose extents divide the dims: rows, output channels and input
channels. A tensor's tile is loaded again whenever a loop turns that is not outside of every loop
that the tensor depends on; partial sums are written and read back. The tiles of all three tensors
are in TCM at once. The best order of the loops and the best tile count; rows overlap by the halo.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import prod

import numpy as np
from htp_mlir.dialects.htp.base import NativeOp
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.lowering.passes.traffic import Transfer, traffic
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

Sizes = NDArray[np.float64]


@dataclass(frozen=True)
class Tensor:
    """The loops that a tensor depends on, and its bytes for tile extents of all loops."""

    loops: frozenset[int]
    bytes: Callable[[Sequence[Sizes]], Sizes]


@dataclass(frozen=True)
class Nest:
    """Loop extents, what is read in them, what is written, and how often all of it runs."""

    extents: tuple[int, ...]
    reads: tuple[Tensor, ...]
    written: Tensor
    repeats: int = 1

    def least(self, capacity: int) -> float:
        """The fewest bytes moved with all tiles in TCM at once."""
        tiles = np.meshgrid(*map(_divisors, self.extents), indexing="ij")
        turns = [extent / tile for extent, tile in zip(self.extents, tiles, strict=True)]
        occupied = sum(tensor.bytes(tiles) for tensor in (*self.reads, self.written))
        orders = permutations(range(len(self.extents)))
        moved = np.min([self._moved(order, tiles, turns) for order in orders], axis=0)
        return self.repeats * float(np.where(occupied <= capacity, moved, np.inf).min())

    def _moved(self, order: Sequence[int], tiles: Sequence[Sizes], turns: Sequence[Sizes]) -> Sizes:
        read = sum(t.bytes(tiles) * _loads(t, order, turns) for t in self.reads)
        stores = _loads(self.written, order, turns)
        again = stores - np.prod([turns[loop] for loop in self.written.loops], axis=0)
        return read + self.written.bytes(tiles) * (stores + again)


def _loads(tensor: Tensor, order: Sequence[int], turns: Sequence[Sizes]) -> Sizes:
    """How often a tensor's tile changes: the turns of its innermost loop and of all around it."""
    innermost = max(order.index(loop) for loop in tensor.loops)
    return np.prod([turns[loop] for loop in order[: innermost + 1]], axis=0)


def _divisors(extent: int) -> Sizes:
    return np.array([n for n in range(1, extent + 1) if extent % n == 0], np.float64)


def naive_bytes(fused: ModuleOp, capacity: int) -> float:
    """The bytes an op-by-op plan moves for a module of the native level, fused and not tiled."""
    return sum(_moved(transfer, capacity) for transfer in traffic(fused).transfers)


def _moved(transfer: Transfer, capacity: int) -> float:
    op = transfer.op
    if isinstance(op, NativeOp) and op.mnemonic().partition(".")[0] in ("Lstm", "Gru"):
        return transfer.bytes - _kept(op, capacity)
    nest = _nest(op) if isinstance(op, NativeOp) else None
    if nest is None or transfer.bytes <= capacity:
        return transfer.bytes
    small = transfer.bytes - nest.least(float("inf"))
    return max(small, 0) + nest.least(capacity)


def _kept(op: NativeOp, capacity: int) -> int:
    """The recurrent weights stay in TCM from step to step where they fit beside one step's data."""
    source, result = op.spec("X"), spec_of(op.results[0])
    steps, weights = source.shape[1], op.spec("R").nbytes
    beside = (source.nbytes + result.nbytes) // steps
    return (steps - 1) * weights if weights + beside <= capacity else 0


def _nest(op: NativeOp) -> Nest | None:
    kind = op.mnemonic().partition(".")[0]
    return _NESTS[kind](op) if kind in _NESTS else None


def _dense(op: NativeOp) -> Nest:
    """Rows of the input, outputs and inputs of the layer."""
    weights, size = op.spec("weights"), spec_of(op.results[0]).dtype.itemsize
    outputs, inputs = weights.shape[2:]
    rows = spec_of(op.results[0]).elements // outputs
    return contraction((rows, outputs, inputs), size)


def _matmul(op: NativeOp) -> Nest:
    """Rows, columns and the summed dim, batch by batch."""
    left, out = spec_of(op.operands[0]), spec_of(op.results[0])
    rows, columns = out.shape[2:]
    summed = left.elements // (prod(left.shape[:2]) * rows)
    return contraction((rows, columns, summed), out.dtype.itemsize, prod(out.shape[:2]))


def _convolution(op: NativeOp) -> Nest:
    """Rows of the result, output channels and input channels; windows of rows overlap."""
    act, filters, out = spec_of(op.operands[0]), spec_of(op.operands[1]), spec_of(op.results[0])
    height, _, depth, channels = filters.shape
    stride = max(round(act.shape[1] / out.shape[1]), 1)

    def rows(tile: Sizes) -> Sizes:
        return np.minimum((tile - 1) * stride + height, act.shape[1])

    size, taps = act.dtype.itemsize, prod(filters.shape[:2])
    across = act.shape[2] * act.shape[0]
    return Nest(
        (out.shape[1], channels, depth),
        (
            Tensor(frozenset({0, 2}), lambda t: rows(t[0]) * t[2] * across * size),
            Tensor(frozenset({1, 2}), lambda t: t[1] * t[2] * taps * size),
        ),
        Tensor(frozenset({0, 1}), lambda t: t[0] * t[1] * out.shape[2] * out.shape[0] * size),
    )


def contraction(extents: tuple[int, int, int], size: int, repeats: int = 1) -> Nest:
    """The loops of a product [rows, summed] x [summed, columns], `size` bytes an element."""
    return Nest(
        extents,
        (
            Tensor(frozenset({0, 2}), lambda t: t[0] * t[2] * size),
            Tensor(frozenset({1, 2}), lambda t: t[1] * t[2] * size),
        ),
        Tensor(frozenset({0, 1}), lambda t: t[0] * t[1] * size),
        repeats,
    )


_NESTS: dict[str, Callable[[NativeOp], Nest]] = {
    "ConvLayer_valid": _convolution,
    "Conv2d_valid": _convolution,
    "FullyConnected": _dense,
    "MatMul": _matmul,
}
