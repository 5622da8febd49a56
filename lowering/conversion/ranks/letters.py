"""The dims of each graph op by letter: what its params name, and how its tensors are aligned.

The letters of the first operand are its dims, 0 and up.
"""

from collections.abc import Callable, Mapping

from ....dialects.qti_aisw import GRAPH_OPS, GraphOp
from ....dialects.qti_aisw.ops.elementwise import Binary, Unary
from ....dialects.spec_of import spec_of
from ....dialects.value import Shape
from .dims import Dims, Letters

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
