"""The dims of each graph op's tensors by letter, and the dims that merge into one.

The letters of the first operand are its dims, 0 and up; others are by the op's params.

Algorithm: greedy merging of neighbours. Dims that share a letter have one extent, or 1 where an
operand is stretched. A letter of extent 1 goes. Two letters merge where they are neighbours in
each tensor that has one of them, both stretched or both not, and a param speaks of neither, or of
both in one breath. The leftmost pair of a tensor of too high a rank merges first, so that last
dims stay unchanged. Cost: letters squared, times tensors. For a Transpose of 2x3x4x5x6 by
[0, 3, 4, 1, 2],

    in[a, b, c, d, e] -> out[a, d, e, b, c]

only b and c, and d and e, are neighbours in both: in[a, bc, de] -> out[a, de, bc]; rank 4 is
reached with in[a, bc, d, e] already.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from math import prod

from ....dialects.qti_aisw import GRAPH_OPS, GraphOp
from ....dialects.qti_aisw.ops.elementwise import Binary, Unary
from ....dialects.spec_of import spec_of
from ....dialects.value import Shape

Letters = tuple[int, ...]
Groups = tuple[Letters, ...]


@dataclass(frozen=True)
class Dims:
    """The letter and the extent of each dim of each operand, then of each result."""

    letters: tuple[Letters, ...]
    shapes: tuple[Shape, ...]
    named: Mapping[int, int]
    """The letters that a param speaks of; those of equal number may merge with each other."""

    def extent(self, tensor: int, letter: int) -> int:
        """Return the extent of a letter in one tensor."""
        return self.shapes[tensor][self.letters[tensor].index(letter)]

    def full(self, letter: int) -> int:
        """Return the extent of a letter where it is not stretched."""
        extents = {
            self.extent(tensor, letter)
            for tensor, letters in enumerate(self.letters)
            if letter in letters
        }
        return next((extent for extent in sorted(extents) if extent != 1), 1)

    def stretched(self, tensor: int) -> list[int]:
        """Return the letters along which an operand is stretched."""
        free = [letter for letter in self.letters[tensor] if letter not in self.named]
        return [letter for letter in free if self.extent(tensor, letter) != self.full(letter)]

    def with_full(self, tensor: int, letter: int) -> Dims:
        """Return the dims once an operand has the full extent of a letter."""
        shape = tuple(
            self.full(letter) if own == letter else extent
            for own, extent in zip(self.letters[tensor], self.shapes[tensor], strict=True)
        )
        shapes = (*self.shapes[:tensor], shape, *self.shapes[tensor + 1 :])
        return replace(self, shapes=shapes)

    def merged(self, rank: int) -> Merged:
        """Merge letters until no tensor has more dims than `rank`, or none can be merged."""
        needless = {a for own in self.letters for a in own if self.full(a) == 1} - {*self.named}
        tensors: list[Groups] = [
            tuple((a,) for a in own if a not in needless) for own in self.letters
        ]
        while (pair := self._pair(tensors, rank)) is not None:
            tensors = [_joined(groups, *pair) for groups in tensors]
        return Merged(self, tuple(tensors))

    def _pair(self, tensors: list[Groups], rank: int) -> tuple[Letters, Letters] | None:
        """Return two groups to merge next."""
        pairs = (pair for groups in tensors if len(groups) > rank for pair in pairwise(groups))
        return next((pair for pair in pairs if self._merge(tensors, *pair)), None)

    def _merge(self, tensors: list[Groups], one: Letters, other: Letters) -> bool:
        """Tell whether two groups move together in every tensor."""
        if self.named.get(one[0]) != self.named.get(other[0]):
            return False
        for tensor, groups in enumerate(tensors):
            if (one in groups) != (other in groups):
                return False
            if one in groups and groups.index(other) != groups.index(one) + 1:
                return False
            if one in groups and len(self._forms(tensor, one + other)) > 1:
                return False
        return True

    def _forms(self, tensor: int, group: Letters) -> set[bool]:
        """Return which letters of a group are stretched, but for those of extent 1 everywhere."""
        sizes = [(self.extent(tensor, letter), self.full(letter)) for letter in group]
        return {extent != full for extent, full in sizes if full != 1}


@dataclass(frozen=True)
class Merged:
    """The dims of an op's tensors as groups of letters."""

    dims: Dims
    tensors: tuple[Groups, ...]

    @property
    def rank(self) -> int:
        """The number of dims of the tensor that has most."""
        return max(map(len, self.tensors))

    def shape(self, tensor: int) -> Shape:
        """Return the shape of one tensor."""
        return tuple(
            prod(self.dims.extent(tensor, letter) for letter in group)
            for group in self.tensors[tensor]
        )

    def position(self, letter: int) -> int:
        """Return the place of the first operand's dim that a letter has become part of."""
        groups = self.tensors[0]
        return next(place for place, group in enumerate(groups) if letter in group)


def _joined(groups: Groups, one: Letters, other: Letters) -> Groups:
    if one not in groups:
        return groups
    place = groups.index(one)
    return (*groups[:place], one + other, *groups[place + 2 :])


ALONG = -1
"""The number of the letters that reductions and normalisations take together."""

NEUTRAL: dict[str, Callable[[int], tuple[int, ...]]] = {
    "ranges": lambda extent: (0, extent, 1),
    "multiples": lambda extent: (1,),
    "pad_amount": lambda extent: (0, 0),
}
"""The values for a dim that a param with values for each dim leaves unchanged, by its extent."""


def per_dim(op: GraphOp, name: str) -> list[tuple[int, ...]]:
    """Return the values of a param for each dim of the first operand."""
    shape, values = spec_of(op.operands[0]).shape, op.ints_param(name)
    count = len(values) // len(shape)
    return [values[dim * count : (dim + 1) * count] for dim in range(len(shape))]


def named_dims(op: GraphOp) -> dict[int, int]:
    """Return the dims of the first operand that the op's params name, as `Dims.named` has them."""
    shape, params = spec_of(op.operands[0]).shape, op.params()
    named: dict[int, int] = {}
    if "axis" in params:
        axis = op.int_param("axis") % len(shape)
        named[axis] = axis
    if "axes" in params:
        named |= dict.fromkeys((axis % len(shape) for axis in op.ints_param("axes")), ALONG)
    for name in NEUTRAL.keys() & params.keys():
        rows = enumerate(zip(per_dim(op, name), shape, strict=True))
        named |= {dim: dim for dim, (row, size) in rows if row != NEUTRAL[name](size)}
    return named


def _shapes(op: GraphOp) -> list[Shape]:
    return [spec_of(value).shape for value in (*op.operands, *op.results)]


def _right(rank: int, shapes: list[Shape]) -> tuple[tuple[Letters, ...], tuple[Shape, ...]]:
    """Return letters and shapes with dims of extent 1 in front, so that all have one rank."""
    filled = tuple((1,) * (rank - len(shape)) + shape for shape in shapes)
    return (tuple(range(rank)),) * len(shapes), filled


def _aligned(op: GraphOp) -> Dims:
    """Every tensor has the same dims, counted from the last."""
    shapes = _shapes(op)
    return Dims(*_right(max(map(len, shapes)), shapes), named_dims(op))


def _transposed(op: GraphOp) -> Dims:
    perm = op.ints_param("perm")
    return Dims((tuple(range(len(perm))), perm), tuple(_shapes(op)), {})


def _reduced(op: GraphOp) -> Dims:
    """The result with its dims kept."""
    shape, named = spec_of(op.operands[0]).shape, named_dims(op)
    kept = tuple(1 if dim in named else extent for dim, extent in enumerate(shape))
    letters = tuple(range(len(shape)))
    return Dims((letters, letters), (shape, kept), named)


def _normalised(op: GraphOp) -> Dims:
    """Scales and offsets have the dims that are normalised over."""
    shapes, named = _shapes(op), named_dims(op)
    letters, along = tuple(range(len(shapes[0]))), tuple(sorted(named))
    return Dims((letters, *(along,) * (len(shapes) - 2), letters), tuple(shapes), named)


def _gathered(op: GraphOp) -> Dims:
    shapes, named = _shapes(op), named_dims(op)
    rank, (axis,) = len(shapes[0]), named
    letters, indices = tuple(range(rank)), tuple(range(rank, rank + len(shapes[1])))
    result = (*letters[:axis], *indices, *letters[axis + 1 :])
    return Dims((letters, indices, result), tuple(shapes), named)


def _scattered(op: GraphOp) -> Dims:
    """Tuples name the first dims; what lies behind them is a row."""
    shapes = _shapes(op)
    rank, front, width = len(shapes[0]), len(shapes[1]) - 1, shapes[1][-1]
    data, last = tuple(range(rank)), rank + front
    counts = tuple(range(rank, last))
    letters = (data, (*counts, last), (*counts, *data[width:]), data)
    return Dims(letters, tuple(shapes), {dim: dim for dim in (*range(width), last)})


def _best(op: GraphOp) -> Dims:
    """The results have another extent along the last dim."""
    shapes = _shapes(op)
    letters, n = tuple(range(len(shapes[0]))), len(shapes[0])
    chosen = (*letters[:-1], n)
    return Dims((letters, chosen, chosen), tuple(shapes), {n: n, n - 1: n - 1})


def _channels(op: GraphOp) -> Dims:
    """Every further operand has the last dim alone."""
    shapes = _shapes(op)
    letters, last = tuple(range(len(shapes[0]))), len(shapes[0]) - 1
    return Dims((letters, *((last,),) * (len(shapes) - 2), letters), tuple(shapes), {last: last})


def _dense(op: GraphOp) -> Dims:
    shapes = _shapes(op)
    letters, n = tuple(range(len(shapes[0]))), len(shapes[0])
    bias = ((n,),) * (len(shapes) - 3)
    tensors = (letters, (n, n - 1), *bias, (*letters[:-1], n))
    return Dims(tensors, tuple(shapes), {n: n, n - 1: n - 1})


def _matrices(op: GraphOp) -> Dims:
    shapes, params = _shapes(op), op.params()
    batch, stretched = _right(max(map(len, shapes)) - 2, [shape[:-2] for shape in shapes])
    m = len(batch[0])
    k, n = m + 1, m + 2
    left = (k, m) if params["transpose_in0"] else (m, k)
    right = (n, k) if params["transpose_in1"] else (k, n)
    tails = (left, right, (m, n))
    letters = tuple((*own, *tail) for own, tail in zip(batch, tails, strict=True))
    whole = tuple((*own, *shape[-2:]) for own, shape in zip(stretched, shapes, strict=True))
    return Dims(letters, whole, {letter: letter for letter in (m, k, n)})


_REDUCTIONS = ("Sum", "Mean", "Max", "Min", "Prod")
_ALIGNED = (
    *("ElementWiseSelect", "Prelu", "Cast", "BitCast", "Quantize", "Dequantize"),
    *("Concat", "Split"),
)
_MOVES = ("StridedSlice", "Pad", "Tile")

LETTERS: Mapping[str, Callable[[GraphOp], Dims]] = {
    **{op.name: _aligned for op in GRAPH_OPS.values() if issubclass(op, (Unary, Binary))},
    **{f"qti_aisw.{name}": _aligned for name in (*_ALIGNED, *_MOVES)},
    **{f"qti_aisw.Reduce{name}": _reduced for name in _REDUCTIONS},
    **{f"qti_aisw.{name}": _reduced for name in ("Argmax", "Argmin")},
    **{f"qti_aisw.{name}": _normalised for name in ("LayerNorm", "RmsNorm")},
    "qti_aisw.Transpose": _transposed,
    "qti_aisw.Gather": _gathered,
    "qti_aisw.ScatterNd": _scattered,
    "qti_aisw.TopK": _best,
    "qti_aisw.Batchnorm": _channels,
    "qti_aisw.FullyConnected": _dense,
    "qti_aisw.MatMul": _matrices,
}
"""The dims of the tensors of each op whose dims may merge, by name."""
