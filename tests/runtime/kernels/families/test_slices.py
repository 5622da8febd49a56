"""Slices and Concat against the reference: all places and classes, aligned or not."""

import tracemalloc
from itertools import product

import numpy as np
import pytest
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import (
    CROUTON_DDR,
    CROUTON_TCM,
    FLAT_DDR,
    FLAT_TCM,
    Place,
    TensorSpec,
)
from htp_mlir.runtime.functions.support.arrays import Array
from htp_mlir.runtime.kernel.kernel import Cost
from htp_mlir.runtime.tensors.tensors import Tensor

from ..harness import (
    PLACES,
    dims,
    f32,
    held,
    ints,
    outcomes,
    poisoned,
    scalar,
    selected,
)

RNG = np.random.default_rng(0)
INPUT = (2, 19, 9, 70)
SLICES = [
    ((0, 0, 0, 0), (2, 19, 9, 70)),
    ((1, 8, 2, 32), (1, 8, 6, 32)),
    ((0, 8, 0, 0), (2, 11, 9, 70)),
    ((0, 3, 1, 5), (2, 16, 7, 65)),
    ((1, 1, 1, 1), (1, 1, 1, 1)),
    ((0, 7, 3, 31), (2, 9, 5, 33)),
    ((0, 18, 8, 69), (2, 1, 1, 1)),
]
PADS = [
    ((0, 1, 1, 0), (0, 0, 0, 0), (2, 21, 11, 70)),
    ((0, 2, 0, 0), (0, 0, 0, 0), (2, 23, 9, 70)),
    ((0, 0, 3, 7), (1, 5, 0, 0), (1, 10, 20, 80)),
    ((0, 8, 2, 32), (0, 0, 0, 0), (2, 40, 13, 128)),
    ((0, 0, 0, 0), (0, 3, 1, 0), (2, 7, 7, 33)),
    ((0, 5, 0, 0), (0, 0, 0, 0), (2, 5, 9, 70)),
]
MOVES = list(product(PLACES, PLACES))


def random(shape: tuple[int, ...]) -> Array:
    return RNG.normal(size=shape).astype(np.float32)


@pytest.mark.one_per("start", "size")
@pytest.mark.parametrize(("to", "at"), MOVES)
@pytest.mark.parametrize(("start", "size"), SLICES)
def test_slice(start: tuple[int, ...], size: tuple[int, ...], at: Place, to: Place) -> None:
    operands = [held(random(INPUT), at), dims(*start), dims(*size)]
    for outcome in outcomes("Slice_shape", [f32(size, to)], operands):
        outcome.check(0)


@pytest.mark.one_per("before", "start", "size")
@pytest.mark.parametrize(("to", "at"), MOVES)
@pytest.mark.parametrize(("before", "start", "size"), PADS)
def test_slice_pad(
    before: tuple[int, ...], start: tuple[int, ...], size: tuple[int, ...], at: Place, to: Place
) -> None:
    operands = [held(random(INPUT), at), dims(*before), dims(*start), dims(*size), scalar(-1.5)]
    for outcome in outcomes("SlicePad_shape", [f32(size, to)], operands):
        outcome.check(0)


@pytest.mark.parametrize("op", ["Slice_shape", "SlicePad_shape"])
def test_a_tile_of_a_large_flat_tensor_takes_no_copy_of_all_of_it(op: str) -> None:
    image, size = held(random((1, 256, 256, 3)), FLAT_DDR), (1, 8, 8, 3)
    out, padding = poisoned(f32(size, CROUTON_TCM)), op == "SlicePad_shape"
    before, value = ([dims(0, 0, 0, 0)], [scalar(0)]) if padding else ([], [])
    operands = [image, *before, dims(0, 16, 16, 0), dims(*size), *value]
    tracemalloc.start()
    call = selected(op, [out.spec], operands).bind([out], operands)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    call()
    np.testing.assert_array_equal(out.load(), image.load()[:, 16:24, 16:24])
    assert most < image.spec.nbytes / 4


def test_the_pad_value_is_read_on_every_run() -> None:
    value, out = scalar(1), poisoned(f32((1, 3, 3, 33), CROUTON_TCM))
    operands = [held(random((1, 1, 1, 33)), CROUTON_TCM), dims(0, 1, 1, 0), dims(0, 0, 0, 0)]
    operands += [dims(1, 3, 3, 33), value]
    call = selected("SlicePad_shape", [out.spec], operands).bind([out], operands)
    call()
    value.store(np.full((1, 1, 1, 1), 5, np.float32))
    call()
    assert (out.load()[:, 0] == 5).all()


def parts_of(axis: int, extents: tuple[int, ...]) -> list[Array]:
    shapes = ([*INPUT[:axis], extent, *INPUT[axis + 1 :]] for extent in extents)
    return [random(tuple(shape)) for shape in shapes]


@pytest.mark.one_per("axis", "extents")
@pytest.mark.parametrize("to", PLACES)
@pytest.mark.parametrize("extents", [(32, 64), (1, 7, 33), (8, 16, 3), (65,)])
@pytest.mark.parametrize("axis", range(4))
def test_concat(axis: int, extents: tuple[int, ...], to: Place) -> None:
    parts = parts_of(axis, extents)
    shape = np.concatenate(parts, axis).shape
    for at in (FLAT_DDR, FLAT_TCM, CROUTON_DDR, CROUTON_TCM):
        operands = [ints(axis), *(held(part, at) for part in parts)]
        for outcome in outcomes("Concat", [f32(shape, to)], operands):
            outcome.check(0)


def test_concat_of_parts_from_everywhere() -> None:
    parts = parts_of(3, (5, 32, 33, 1))
    operands = [ints(3), *(held(part, at) for part, at in zip(parts, PLACES, strict=True))]
    for outcome in outcomes("Concat", [f32((*INPUT[:3], 71), CROUTON_TCM)], operands):
        outcome.check(0)


STORED = [
    (DType.Int32, None),
    (DType.Bool8, None),
    (DType.Int8, None),
    (DType.Float16, None),
    (DType.QUInt8, Quant((0.5,), (3,))),
    (DType.QInt8, Quant((0.5,), (-3,))),
    (DType.QUInt16, Quant((0.25,), (100,))),
    (DType.QInt32, Quant((1.0,), (0,))),
]


def stored(spec: TensorSpec) -> Tensor:
    """Random stored values."""
    tensor = poisoned(spec)
    tensor.store_raw(
        RNG.integers(0, 2 if spec.dtype is DType.Bool8 else 100, spec.shape).astype(
            spec.dtype.storage
        )
    )
    return tensor


def places(dtype: DType) -> tuple[Place, ...]:
    """Where a tensor of this dtype can lie and be written."""
    return (FLAT_DDR,) if dtype in (DType.Bool8, DType.Int8) else PLACES


@pytest.mark.one_per
@pytest.mark.parametrize(("dtype", "quant"), STORED)
def test_other_classes(dtype: DType, quant: Quant | None) -> None:
    for to, at in product(places(dtype), places(dtype)):
        data = stored(TensorSpec(INPUT, dtype, quant, at))
        for start, size in SLICES:
            spec = TensorSpec(size, dtype, quant, to)
            for outcome in outcomes("Slice_shape", [spec], [data, dims(*start), dims(*size)]):
                outcome.check(0)


@pytest.mark.one_per
@pytest.mark.parametrize(("dtype", "quant"), STORED)
def test_padding_and_joining_other_classes(dtype: DType, quant: Quant | None) -> None:
    for at in places(dtype):
        data = stored(TensorSpec(INPUT, dtype, quant, at))
        for before, start, size in PADS:
            spec = TensorSpec(size, dtype, quant, at)
            operands = [data, dims(*before), dims(*start), dims(*size), scalar(1)]
            for outcome in outcomes("SlicePad_shape", [spec], operands):
                outcome.check(0)
        joined = TensorSpec((2, 38, 9, 70), dtype, quant, at)
        for outcome in outcomes("Concat", [joined], [ints(1), data, data]):
            outcome.check(0)


def test_padding_of_a_tensor_quantised_along_an_axis() -> None:
    quant = Quant((0.5, 0.25, 1.0), (3, 0, 7), 3)
    for at in PLACES:
        data = stored(TensorSpec((1, 5, 5, 3), DType.QUInt8, quant, at))
        operands = [data, dims(0, 1, 1, 0), dims(0, 0, 0, 0), dims(1, 7, 7, 3), scalar(2)]
        for outcome in outcomes("SlicePad_shape", [data.spec.with_shape((1, 7, 7, 3))], operands):
            outcome.check(0)


def test_one_layout_is_fast_and_a_conversion_is_not() -> None:
    data, size = held(random(INPUT), CROUTON_TCM), INPUT
    operands = [data, dims(0, 0, 0, 0), dims(*size)]
    for place, cost in ((CROUTON_DDR, Cost.FAST), (FLAT_TCM, Cost.SNAIL)):
        kernel = selected("Slice_shape", [f32(size, place)], operands)
        assert kernel.price([f32(size, place)], [data.spec, *operands[1:]]) == cost.value
