"""Products of matrices: Gemm, MatMul, Einsum as MatMuls of two operands at a time, DFT and STFT.

In an Einsum, labels that only one of the two has and nobody else wants are summed there. Of the
rest, those that both have are batch dims if the result or a later operand wants them, else the sum
of a MatMul.

Cost: a MatMul for each operand but the first, in the order of the operands; no order is searched.
Example: `bhqd,bhkd->bhqk` is one MatMul of [b*h, q, d] and [b*h, d, k], with d summed.
"""

from collections.abc import Collection
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from ..graph.value import Value, joined, stored_constant
from ..support.registry import ImporterSet, Ints, NodeContext, require
from ..support.types import require_few
from .tensors.casts import real_of
from .tensors.steps import product

ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("Gemm")
def gemm(
    a: Value,
    b: Value,
    c: Value | None,
    *,
    alpha: float = 1.0,
    beta: float = 1.0,
    transA: bool = False,
    transB: bool = False,
) -> Value:
    """Gemm: FullyConnected where B is constant, else MatMul; alpha and beta go into constants.

    Of integers it is a MatMul, whose fractions by alpha and beta are cut off at the end.
    """
    stored = stored_constant(b.ssa) if alpha == 1.0 else None
    if (b.array is None and stored is None) or a.dtype.is_integer:
        product = a.op("MatMul", b, transpose_in0=transA, transpose_in1=transB)
        if not (alpha.is_integer() and beta.is_integer()):
            product = product.cast(real_of(a.dtype))
        return _plus(_scaled(product, alpha), c, beta).cast(a.dtype)
    rows = b if transB else b.transpose(1, 0)
    return _fully_connected(a.transpose(1, 0) if transA else a, rows, c, alpha, beta)


def _fully_connected(x: Value, weights: Value, c: Value | None, alpha: float, beta: float) -> Value:
    if weights.array is not None and alpha != 1.0:
        weights = weights.like(weights.array * alpha)
    bias, count = None if c is None else c.array, weights.shape[0]
    if bias is not None and bias.size in (1, count) and bias.shape[:-1] in ((), (1,)):
        vector = np.broadcast_to(bias.reshape(-1) * beta, (count,)).astype(bias.dtype)
        return x.op("FullyConnected", weights, x.const(vector))
    return _plus(x.op("FullyConnected", weights, None), c, beta)


def _scaled(value: Value, factor: float) -> Value:
    return value if factor == 1.0 else value * factor


def _plus(product: Value, c: Value | None, beta: float) -> Value:
    """product + beta * C, where there is a C."""
    if c is None or beta == 0.0:
        return product
    return product + _scaled(c.cast(product.dtype), beta)


@ONNX.importer("MatMul", folds=True)
def matmul(ctx: NodeContext, a: Value, b: Value) -> Value:
    """MatMul; an operand of rank 1 gets a dim, which the result loses again."""
    require(bool(a.rank and b.rank), "an operand has rank 0", "use Mul")
    a = a.reshape(1, *a.shape) if a.rank == 1 else a
    b = b.reshape(*b.shape, 1) if b.rank == 1 else b
    return (a @ b).reshape(*ctx.out().shape)


_ELLIPSIS = "0123456789"
"""Labels of the dims of an ellipsis, from last to first."""


@dataclass(frozen=True)
class _Term:
    """A value and the label of each of its dims; a label occurs once."""

    value: Value
    labels: str


@ONNX.importer("Einsum", folds=True)
def einsum(*inputs: Value, equation: str) -> Value:
    """Einsum; a label of extent 1 stretches only within an ellipsis."""
    texts, result = _labels(equation.replace(" ", ""), [value.rank for value in inputs])
    # Each operand with labels that occur once, and with the extents that all agree on.
    unknown = set(result).difference(*texts)
    require(not unknown, f"no operand has label '{min(unknown, default='')}' of the result")
    terms = [_diagonal(value, labels) for value, labels in zip(inputs, texts, strict=True)]
    terms = [_stretched(term, terms) for term in terms]
    # Two at a time; a label that a later operand has is kept until then.
    left, *rest = terms
    for index, right in enumerate(rest):
        wanted = {*result, *(label for term in rest[index + 1 :] for label in term.labels)}
        left = _product(left, right, wanted)
    return _ordered(_summed(left, result), result)


def _labels(equation: str, ranks: list[int]) -> tuple[list[str], str]:
    """Return the labels of each operand and of the result, an ellipsis spelt out."""
    left, arrow, right = equation.partition("->")
    texts = left.split(",")
    require(len(texts) == len(ranks), f"'{equation}' has {len(texts)} operands")
    spelt = []
    for text, rank in zip(texts, ranks, strict=True):
        more = rank - len(text.replace("...", ""))
        fits = more >= 0 if "..." in text else more == 0
        require(fits and more <= len(_ELLIPSIS), f"'{text}' does not name {rank} dims")
        spelt.append(text.replace("...", _ELLIPSIS[:more][::-1]))
    dots = "".join(sorted({label for text in spelt for label in text if label.isdigit()}))[::-1]
    if arrow:
        return spelt, right.replace("...", dots)
    once = sorted(label for label in {*left} if label.isalpha() and left.count(label) == 1)
    return spelt, dots + "".join(once)


def _diagonal(value: Value, labels: str) -> _Term:
    """Return the elements at which equal labels agree, picked from the flat dims of the two."""
    for label in labels:
        first, second = labels.index(label), labels.rindex(label)
        if first == second:
            continue
        order = [first, second, *(d for d in range(len(labels)) if d not in (first, second))]
        n, m, *others = (value.shape[dim] for dim in order)
        require(n == m, f"label '{label}' stands for {n} and for {m}")
        flat = value.transpose(*order).reshape(n * n, *others)
        labels = label + "".join(labels[dim] for dim in order[2:])
        return _diagonal(flat.gather(np.arange(n, dtype=np.int32) * (n + 1)), labels)
    return _Term(value, labels)


def _stretched(term: _Term, terms: Collection[_Term]) -> _Term:
    """Return the term with dims of an ellipsis at the extent that the operands share."""
    extents: dict[str, int] = {}
    for other in terms:
        for label, size in zip(other.labels, other.value.shape, strict=True):
            known = extents.get(label, size)
            fits = size == known or (label.isdigit() and 1 in (size, known))
            require(fits, f"label '{label}' stands for {known} and for {size}")
            extents[label] = size if known == 1 else known
    sizes = zip(term.labels, term.value.shape, strict=True)
    times = [1 if extents[label] == size else extents[label] for label, size in sizes]
    if set(times) <= {1}:
        return term
    return _Term(term.value.op("Tile", multiples=times), term.labels)


def _summed(term: _Term, wanted: Collection[str]) -> _Term:
    """Return the term summed over the labels that nobody wants."""
    axes = [dim for dim, label in enumerate(term.labels) if label not in wanted]
    if not axes:
        return term
    labels = "".join(label for label in term.labels if label in wanted)
    return _Term(term.value.reduce("Sum", axes, keep=False), labels)


def _ordered(term: _Term, labels: str) -> Value:
    return term.value.transpose(*(term.labels.index(label) for label in labels))


def _product(left: _Term, right: _Term, wanted: Collection[str]) -> _Term:
    """Return the product of two terms, summed over the labels that nobody wants."""
    # Labels that one operand alone has and nobody wants.
    left = _summed(left, {*wanted, *right.labels})
    right = _summed(right, {*wanted, *left.labels})
    # The labels by their part in the MatMul: batch, rows, the sum, columns.
    shared = [label for label in left.labels if label in right.labels]
    batch = "".join(label for label in shared if label in wanted)
    common = "".join(label for label in shared if label not in wanted)
    rows, columns = (
        "".join(label for label in term.labels if label not in shared) for term in (left, right)
    )
    # Both as matrices [batch, rows, sum] and [batch, sum, columns].
    dims = (*left.value.shape, *right.value.shape)
    extents = dict(zip(left.labels + right.labels, dims, strict=True))
    b, r, j, c = (prod(extents[x] for x in labels) for labels in (batch, rows, common, columns))
    one = _ordered(left, batch + rows + common).reshape(b, r, j)
    other = _ordered(right, batch + common + columns).reshape(b, j, c)
    labels = batch + rows + columns
    product = one @ other if common else one * other
    return _Term(product.reshape(*(extents[label] for label in labels)), labels)


@ONNX.importer("DFT")
def dft(
    x: Value,
    stated_length: Ints | None,
    stated_axis: Ints | None,
    *,
    inverse: bool = False,
    onesided: bool = False,
) -> Value:
    """DFT; the last dim holds the real and the imaginary part, or the real one alone."""
    last = x.rank - 1
    (axis,) = stated_axis or (-2,)
    require(-last - 1 <= axis <= last and axis % (last + 1) != last, f"axis is {axis}")
    axis %= last + 1
    size, count = x.shape[axis], x.shape[last]
    wanted = (1 + inverse,) if onesided else (1, 2)
    require(count in wanted, f"the last dim has {count} elements", f"give it {wanted[-1]}")
    (length,) = stated_length or (2 * (size - 1) if inverse and onesided else size,)
    require(length >= 1, f"the length is {length}", "use a number >= 1")
    return _transformed(x, axis, _Transform(size, length, inverse, onesided))


@ONNX.importer("STFT")
def stft(
    x: Value, steps: Ints, window: Value | None, stated: Ints | None, *, onesided: bool = True
) -> Value:
    """STFT: the DFT of frames [batch, frame, length, parts], each times the window."""
    (step,) = steps
    require(x.rank in (2, 3), f"input 0 has rank {x.rank}")
    batch, size, count = (*x.shape, 1)[:3]
    whole = size if window is None else window.shape[0]
    (length,) = stated or (whole,)
    require(step >= 1, f"the step is {step}", "use a number >= 1")
    require(1 <= length <= size, f"frames of {length} do not fit into {size} elements")
    require(window is None or length == whole, f"the window has {whole} of {length} elements")
    require(count == 1 or not onesided, "attribute 'onesided' is 1, the signal is complex")
    read = ((size - length) // step + 1) * length
    require_few(read, f"reads {read} elements of frames")
    starts = np.arange(0, size - length + 1, step)
    places = x.const((starts[:, None] + np.arange(length)).astype(np.int32))
    frames = x.reshape(batch, size, count).gather(places, axis=1)
    frames = frames if window is None else frames * window.reshape(length, 1)
    return _transformed(frames, 2, _Transform(length, length, False, onesided))


@dataclass(frozen=True)
class _Transform:
    """A DFT of a number of elements, cut or filled up with zeros to a length."""

    size: int
    length: int
    inverse: bool
    one_sided: bool

    def matrices(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the real and the imaginary factors [after, before]."""
        inverse, length, half = self.inverse, self.length, self.length // 2 + 1
        after = np.arange(half if self.one_sided and not inverse else length)
        before = np.arange(self.size)
        most = half if self.one_sided and inverse else length
        weight = (before < most) / (length if inverse else 1)
        if self.one_sided and inverse:
            # What one side leaves out is the conjugate of what it holds, but for both ends.
            ends = (before == 0) | (2 * before == length)
            weight = np.where(ends, weight, 2 * weight)
        angles = np.outer(after, before) % length * (2 * np.pi / length)
        return np.cos(angles) * weight, np.sin(angles) * (weight if inverse else -weight)


def _transformed(x: Value, axis: int, one: _Transform) -> Value:
    """Return the transform along an axis; the last dim is the real and the imaginary part."""
    last = x.rank - 1
    words = one.length * max(one.size, one.length) * x.dtype.itemsize // 4
    require_few(words, f"the length {one.length} gives a matrix of {words} words")
    cosines, sines = one.matrices()
    first, *second = x.ops("Split", axis=last, split_index=(1,)) if x.shape[last] == 2 else [x]
    real, imaginary = product(first, axis, cosines), product(first, axis, sines)
    for part in second:
        real = real - product(part, axis, sines)
        imaginary = imaginary + product(part, axis, cosines)
    return real if one.inverse and one.one_sided else joined([real, imaginary], axis=last)
