"""Access maps are true: a NaN in an operand reaches exactly the results that read it."""

import numpy as np
import pytest
from htp_mlir.dialects.htp import NATIVE_OPS
from htp_mlir.dialects.htp.access import RESULT, Access, Index
from htp_mlir.dialects.htp.access import access as parsed
from htp_mlir.dialects.htp.base import NativeOp
from htp_mlir.runtime.functions.support.arrays import Array
from htp_mlir.runtime.tensors.tensors import ShapeParam

from .harness import Operand, held, reference
from .reference_cases import CASES, GAMMA, Case, X, tensors

PRODUCTS = {"Resize_places"}
"""Ops that are a product with a matrix of weights and zeros: a NaN goes through the zeros too."""
BLOCKS = {"DepthToSpace_shape", "SpaceToDepth_shape"}
SELECTIVE = {"Prelu", "Argmax", "Argmin", "Gather", *BLOCKS, *PRODUCTS}
"""Ops that ignore some of the elements that they read; of the depth, the moves of blocks do."""
BROADCAST: list[Case] = [("Add", [X, GAMMA], X + GAMMA), ("Mul", [GAMMA, X], X * GAMMA)]
MAPPED = [
    (op, NATIVE_OPS[op].ACCESS, operands, expected)
    for op, operands, expected in [*CASES, *BROADCAST]
    if NATIVE_OPS[op].ACCESS and op not in ("Concat", "Reshape")
]


class Reader:
    """The operands of a case, as access maps read them."""

    def __init__(self, op: type[NativeOp], operands: list[Operand]) -> None:
        self.PARAMS, self.SHAPES = op.PARAMS, op.SHAPES
        self.operands = dict(zip(op.OPERANDS, operands, strict=True))

    def dims(self, name: str) -> tuple[int, ...]:
        operand = self.operands[name]
        return operand.dims if isinstance(operand, ShapeParam) else operand.spec.shape

    def ints(self, name: str) -> tuple[int, ...]:
        operand = self.operands[name]
        assert not isinstance(operand, ShapeParam)
        return tuple(int(n) for n in operand.load().flat)


def reads(reader: Reader, access: Access, index: Index, extent: int, whole: int) -> Array:
    """For positions of the index's dim by positions along the operand: true where one is read."""
    at, there = np.arange(whole)[:, None], np.arange(extent)[None, :]
    if index.sign == "~" and index.by:
        _, step, first, unit, reach = reader.ints(index.by.operand)
        return abs(there - (at * step + first) / unit) <= reach
    by = index.by.of(reader) if index.by else max(1, whole // extent)
    start, before = (n.of(reader) if n else 0 for n in (index.start, index.before))
    spacing = index.spacing.of(reader) if index.spacing else 1
    if index.tap:
        taps = spacing * np.arange(access.extent(index.tap).of(reader))
        return ((at * by - before)[..., None] + taps == there[..., None]).any(-1)
    if index.broadcast and extent == 1:
        return np.ones((whole, 1), bool)
    return {"/": at // by == there, "%": at % by == there}.get(
        index.sign, at + start - before == there
    )


def readers(
    reader: Reader, access: Access, name: str, position: tuple[int, ...], shape: tuple[int, ...]
) -> Array:
    """The elements of the result that read one of an operand's."""
    mask = np.ones(shape, bool)
    turned = [operand for operand, flag in access.turned.items() if any(reader.ints(flag))]
    axes = reader.ints(access.along or access.over) if access.along or access.over else ()
    for dim, index in enumerate(access.indices(name, name in turned)):
        extent = reader.dims(name)[dim]
        if index.sign == "@" and index.dim not in RESULT:
            # The blocks of the depth: each result reads its own.
            blocks = index.by.of(reader) if index.by else 1
            own = np.arange(shape[3]) // (shape[3] // blocks)
            mask &= own == position[dim] // (extent // blocks)
        elif index.dim in tuple(RESULT) and RESULT.index(index.dim) not in axes:
            along = RESULT.index(index.dim)
            read = reads(reader, access, index, extent, shape[along])[:, position[dim]]
            mask &= read.reshape([-1 if axis == along else 1 for axis in range(4)])
    return mask


@pytest.mark.parametrize(("op", "access", "operands", "expected"), MAPPED)
def test_a_nan_goes_where_the_map_says(
    op: str, access: Access, operands: list[Array | Operand], expected: Array
) -> None:
    rng = np.random.default_rng(3)
    inputs = tensors(operands)
    reader = Reader(NATIVE_OPS[op], inputs)
    out = held(expected).spec
    (clean,) = reference(op, [out], inputs)
    for at, name in enumerate(NATIVE_OPS[op].OPERANDS):
        operand = operands[at]
        if name not in access.operands or not isinstance(operand, np.ndarray):
            continue
        for _ in range(8):
            position = tuple(int(rng.integers(n)) for n in operand.shape)
            poisoned = operand.copy()
            poison = 1e6 if op in PRODUCTS else np.nan
            # Codes have no NaN: another number is in its place.
            codes = operand.dtype == np.uint8
            poisoned[position] = ~operand[position] if codes else poison
            (result,) = reference(op, [out], [*inputs[:at], held(poisoned), *inputs[at + 1 :]])
            mask = readers(reader, access, name, position, expected.shape)
            changed = result != clean
            assert not (changed & ~mask).any(), (name, position)
            assert op in SELECTIVE or changed[mask].all(), (name, position)


@pytest.mark.parametrize("wrong", ["act[b, h, w, c]", "act[b, h*stride.2+i, w*stride.1+j, c]"])
def test_a_wrong_map_is_noticed(wrong: str) -> None:
    false_map = parsed(f"{wrong} * weights[i, j, c, d] + bias[0, 0, 0, d]")
    op, _, operands, expected = next(case for case in MAPPED if case[0] == "ConvLayer_valid")
    with pytest.raises(AssertionError):
        test_a_nan_goes_where_the_map_says(op, false_map, operands, expected)
