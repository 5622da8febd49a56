"""Ops that move, choose or compare what is stored: every element type against the reference."""

from itertools import product

import numpy as np
import pytest
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import FLAT_DDR, FLAT_TCM, Place, TensorSpec
from htp_mlir.runtime.kernel.kernel import Cost
from htp_mlir.runtime.tensors.tensors import Tensor

from ..dtypes import is_concrete
from ..harness import (
    PLACES,
    Operand,
    dims,
    held,
    ints,
    outcomes,
    poisoned,
    scalar,
    selected,
)

RNG = np.random.default_rng(0)
FLATS = (FLAT_DDR, FLAT_TCM)
SHAPE = (2, 9, 7, 33)
QUANT = Quant((0.5,), (3,))
OTHER = Quant((0.25,), (7,))
WIDE = Quant((0.5,), (1 << 20,))
ELEMENTS: dict[DType, Quant | None] = {
    DType.Float32: None,
    DType.Float16: None,
    DType.Int32: None,
    DType.Int64: None,
    DType.QUInt8: QUANT,
    DType.QInt8: QUANT,
    DType.QUInt16: QUANT,
    DType.QInt16: QUANT,
    DType.QInt32: WIDE,
}
MOVES: dict[str, tuple[tuple[int, ...], tuple[int, ...], list[Operand]]] = {
    "Transpose": (SHAPE, (33, 2, 7, 9), [ints(3, 0, 2, 1)]),
    "StridedSlice": (
        SHAPE,
        (1, 3, 7, 11),
        [ints(1, 2, 1, 8, 1, -3, 0, 7, 1, 32, -1, -3, shape=(1, 1, 4, 3))],
    ),
    "Tile": (SHAPE, (4, 9, 21, 33), [ints(2, 1, 3, 1)]),
    "Gather": (SHAPE, (2, 9, 3, 33), [ints(6, -7, 2), ints(2)]),
    "Pad": (
        SHAPE,
        (2, 12, 7, 36),
        [ints(0, 0, 1, 2, 0, 0, 3, 0, shape=(1, 1, 4, 2)), scalar(1.5)],
    ),
    "ConvLayer.opt.im2col_stride2": (SHAPE, (2, 4, 3, 224), [dims(3, 2, 33, 8)]),
    "ConvLayer.opt.weights_for_im2col": ((3, 2, 33, 8), (1, 1, 224, 8), []),
}
"""Input, result and params."""


def stored(spec: TensorSpec) -> Tensor:
    """Random elements, in pairs of equal ones so that ties occur."""
    tensor = poisoned(spec)
    tensor.store_raw(RNG.integers(0, 50, spec.shape).astype(spec.dtype.storage))
    return tensor


def data(dtype: DType, shape: tuple[int, ...] = SHAPE, at: Place = FLAT_DDR) -> Tensor:
    return stored(TensorSpec(shape, dtype, ELEMENTS[dtype], at))


@pytest.mark.one_per("op")
@pytest.mark.parametrize("op", MOVES)
@pytest.mark.parametrize("dtype", ELEMENTS)
def test_moves(op: str, dtype: DType) -> None:
    shape, result, params = MOVES[op]
    for at, to in product(FLATS, FLATS):
        inp = data(dtype, shape, at)
        out = TensorSpec(result, dtype, ELEMENTS[dtype], to)
        kernel = selected(op, [out], [inp, *params])
        assert kernel.price([out], [inp.spec]) == Cost.FAST.value
        for outcome in outcomes(op, [out], [inp, *params]):
            outcome.check(0)


@pytest.mark.parametrize("dtype", [dtype for dtype in ELEMENTS if dtype is not DType.Int64])
def test_padding_in_every_layout(dtype: DType) -> None:
    shape, result, params = MOVES["Pad"]
    for at, to in product(PLACES, PLACES):
        inp = data(dtype, shape, at)
        out = TensorSpec(result, dtype, ELEMENTS[dtype], to)
        wanted = Cost.FAST if at.layout is to.layout else Cost.SNAIL
        specs = [inp.spec, *(p.spec for p in params if isinstance(p, Tensor))]
        assert selected("Pad", [out], [inp, *params]).price([out], specs) == wanted.value
        for outcome in outcomes("Pad", [out], [inp, *params]):
            outcome.check(0)


def test_weights_are_deepened_with_the_real_number_zero() -> None:
    inp = data(DType.QUInt8, (3, 3, 3, 5))
    out = TensorSpec((1, 1, 32, 5), DType.QUInt8, QUANT, FLAT_TCM)
    for outcome in outcomes("ConvLayer.opt.weights_for_im2col", [out], [inp]):
        outcome.check(0)
        assert (outcome.results[0][0, 0, 27:] == 0).all()


@pytest.mark.one_per("op")
@pytest.mark.parametrize("op", ["Less", "LessEqual", "Greater", "GreaterEqual", "Equal"])
@pytest.mark.parametrize("dtype", ELEMENTS)
def test_comparisons(op: str, dtype: DType) -> None:
    out = TensorSpec(SHAPE, DType.Bool8)
    others = [data(dtype, (1, 9, 1, 33))]
    if dtype.is_quantized:
        others.append(stored(TensorSpec(SHAPE, dtype, OTHER)))
    for other in others:
        operands = [data(dtype), other]
        assert selected(op, [out], operands).cost is Cost.FAST
        for outcome in outcomes(op, [out], operands):
            outcome.check(0)


@pytest.mark.one_per("op")
@pytest.mark.parametrize("op", ["And", "Or", "Xor", "ElementWiseXor", "Not", "ElementWiseNot"])
@pytest.mark.parametrize("dtype", [DType.Bool8, DType.UInt8, DType.Int16, DType.Int64])
def test_logic(op: str, dtype: DType) -> None:
    """Of integers each bit."""
    out = TensorSpec(SHAPE, dtype)
    count = 1 if op.endswith("Not") else 2
    most = 2 if dtype is DType.Bool8 else 100
    operands = [held(RNG.integers(0, most, SHAPE).astype(dtype.storage)) for _ in range(count)]
    assert selected(op, [out], operands).cost is Cost.FAST
    for outcome in outcomes(op, [out], operands):
        outcome.check(0)


@pytest.mark.parametrize("dtype", ELEMENTS)
def test_select(dtype: DType) -> None:
    cond = held(RNG.integers(0, 2, (2, 1, 7, 33)).astype(np.bool_))
    for quant in {ELEMENTS[dtype], ELEMENTS[dtype] and OTHER}:
        operands = [cond, data(dtype), stored(TensorSpec((1, 9, 7, 1), dtype, quant))]
        out = TensorSpec(SHAPE, dtype, ELEMENTS[dtype])
        assert selected("Select", [out], operands).cost is Cost.FAST
        for outcome in outcomes("Select", [out], operands):
            outcome.check(0)


@pytest.mark.one_per("op")
@pytest.mark.parametrize("op", ["Argmax", "Argmin"])
@pytest.mark.parametrize("dtype", ELEMENTS)
def test_positions(op: str, dtype: DType) -> None:
    for axis, at in product(range(4), FLATS):
        shape = tuple(1 if i == axis else n for i, n in enumerate(SHAPE))
        out = TensorSpec(shape, DType.Int32, None, at)
        operands = [data(dtype, SHAPE, at), ints(axis)]
        assert is_concrete(selected(op, [out], operands))
        for outcome in outcomes(op, [out], operands):
            outcome.check(0)


def test_positions_along_an_axis_with_encodings() -> None:
    """The largest stored number need not stand for the largest real one."""
    quant = Quant((0.1, 1.0, 0.01), (0, 0, 0), 3)
    inp = stored(TensorSpec((1, 2, 2, 3), DType.QUInt8, quant))
    inp.store_raw(np.tile(np.array([9, 2, 250], np.uint8), (1, 2, 2, 1)))
    out = TensorSpec((1, 2, 2, 1), DType.Int32)
    for outcome in outcomes("Argmax", [out], [inp, ints(3)]):
        assert (outcome.results[0] == 2).all()
    inp.store_raw(np.tile(np.array([9, 3, 250], np.uint8), (1, 2, 2, 1)))
    for outcome in outcomes("Argmax", [out], [inp, ints(3)]):
        assert (outcome.results[0] == 1).all()


EXTREMES: dict[str, tuple[tuple[int, ...], list[Operand], tuple[Place, ...]]] = {
    "MaxPool_valid": ((2, 4, 6, 33), [dims(1, 3, 2, 1), dims(1, 2, 1, 1)], PLACES),
    "ReduceMax": ((2, 1, 7, 1), [ints(1, 3)], FLATS),
    "ReduceMin": ((2, 1, 7, 1), [ints(1, 3)], FLATS),
}


@pytest.mark.one_per("op")
@pytest.mark.parametrize("op", EXTREMES)
@pytest.mark.parametrize("dtype", [DType.Int32, *(d for d in ELEMENTS if d.is_quantized)])
def test_extremes(op: str, dtype: DType) -> None:
    """With the input's encoding and with another one."""
    shape, params, places = EXTREMES[op]
    for at, quant in product(places, {ELEMENTS[dtype], ELEMENTS[dtype] and OTHER}):
        out = TensorSpec(shape, dtype, quant, at)
        operands = [data(dtype, SHAPE, at), *params]
        assert selected(op, [out], operands).name.startswith("stored.")
        for outcome in outcomes(op, [out], operands):
            outcome.check(0)


@pytest.mark.parametrize("scale", [1.0, 2.0**-20])
def test_extremes_of_32_bits_keep_all_digits(scale: float) -> None:
    spec = TensorSpec((1, 1, 1, 4), DType.QInt32, Quant((scale,), (0,)))
    inp = poisoned(spec)
    inp.store_raw(np.array([[[[2**30 + 1, 2**30 + 3, -5, 2**30 + 2]]]], np.int32))
    out = poisoned(spec.with_shape((1, 1, 1, 1)))
    operands: list[Operand] = [inp, ints(3)]
    selected("ReduceMax", [out.spec], operands).bind([out], operands)()
    assert out.stored().item() == 2**30 + 3
