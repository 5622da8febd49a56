"""Quantised tensors at their ends: saturation, NaN, encodings along an axis, conversions."""

from itertools import product

import numpy as np
import pytest
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import CROUTON_TCM, FLAT_DDR, FLAT_TCM, Place, TensorSpec
from htp_mlir.runtime.functions.support.arrays import Array
from htp_mlir.runtime.kernel.kernel import Cost

from ..dtypes import (
    FLOATS,
    QUANTIZED,
    REALS,
    encoding,
    is_concrete,
    tensor,
    within,
)
from ..harness import (
    PLACES,
    dims,
    f32,
    held,
    ints,
    outcomes,
    poisoned,
    run,
    scalar,
    selected,
)

RNG = np.random.default_rng(0)
SHAPE = (2, 9, 7, 33)
LIMITS = {dtype: np.iinfo(dtype.storage) for dtype in QUANTIZED}


def random(*shape: int) -> Array:
    return RNG.normal(size=shape).astype(np.float32)


@pytest.mark.one_per("dtype")
@pytest.mark.parametrize("at", PLACES)
@pytest.mark.parametrize("dtype", QUANTIZED)
def test_results_saturate_at_both_ends(dtype: DType, at: Place) -> None:
    """A result's encoding covers less than what an op makes."""
    a = held(random(*SHAPE) * 10, at, TensorSpec(SHAPE, dtype, encoding(dtype, -40, 40)))
    total = poisoned(TensorSpec(SHAPE, dtype, encoding(dtype, -1, 1), at))
    call = selected("Add", [total.spec], [a, a]).bind([total], [a, a])
    with np.errstate(all="ignore"):
        call()
    assert total.stored().min() == LIMITS[dtype].min
    assert total.stored().max() == LIMITS[dtype].max
    inside = np.abs(a.load() * 2) < 0.9
    within(total.load()[inside], a.load()[inside] * 2, total.spec)


@pytest.mark.parametrize("dtype", QUANTIZED)
def test_a_narrower_storage_range_binds(dtype: DType) -> None:
    quant = Quant((0.1,), (0 if LIMITS[dtype].min < 0 else 20,), None, 3, 60)
    x = held(random(*SHAPE) * 9, CROUTON_TCM)
    out = TensorSpec(SHAPE, dtype, quant, CROUTON_TCM)
    codes = poisoned(out)
    selected("Quantize", [out], [x]).bind([codes], [x])()
    assert (codes.stored().min(), codes.stored().max()) == (3, 60)
    for outcome in outcomes("Quantize", [out], [x]):
        outcome.check(0)


@pytest.mark.parametrize("dtype", QUANTIZED)
def test_halves_go_to_even_and_nan_to_zero(dtype: DType) -> None:
    values = np.array([0.5, 1.5, 2.5, np.nan, np.inf, -np.inf], np.float32)
    x = held(values.reshape(1, 1, 1, -1))
    codes = poisoned(TensorSpec(x.shape, dtype, Quant((1.0,), (7,))))
    call = selected("Quantize", [codes.spec], [x]).bind([codes], [x])
    with np.errstate(all="ignore"):
        call()
    ends = LIMITS[dtype]
    assert codes.stored().reshape(-1).tolist() == [7, 9, 9, 7, ends.max, ends.min]


CONVERSIONS = [
    *(("Quantize", source, target) for source, target in product(REALS, QUANTIZED)),
    *(("Dequantize", source, target) for source, target in product(QUANTIZED, FLOATS)),
    *(("Cast", source, target) for source, target in product(FLOATS, FLOATS)),
]


@pytest.mark.one_per("op", "source")
@pytest.mark.parametrize(("op", "source", "target"), CONVERSIONS)
def test_conversions(op: str, source: DType, target: DType) -> None:
    values = random(*SHAPE)
    for at, to in product(PLACES, PLACES):
        x = tensor(values, source, at)
        out = TensorSpec(SHAPE, target, encoding(target, -2, 3), to)
        kernel = selected(op, [out], [x])
        assert is_concrete(kernel)
        wanted = Cost.FAST if at.layout is to.layout else Cost.SNAIL
        assert kernel.price([out], [x.spec]) == wanted.value
        for outcome in outcomes(op, [out], [x]):
            outcome.check(0)


@pytest.mark.one_per("source")
@pytest.mark.parametrize("target", [DType.Int32, DType.Int64, *FLOATS])
@pytest.mark.parametrize("source", [DType.Int32, DType.Int64, *FLOATS])
def test_casts(source: DType, target: DType) -> None:
    values = np.array([0, -1.7, 1.7, 3e4, -3e4, np.nan, np.inf, -np.inf, 3e9, -3e9])
    if source.is_integer:
        values = np.array([0, 1, -1, 2**24 + 1, -(2**31), 2**31 - 1])
    with np.errstate(all="ignore"):
        x = held(values.astype(source.storage).reshape(1, 1, 1, -1))
    out = TensorSpec(x.shape, target)
    assert is_concrete(selected("Cast", [out], [x]))
    for outcome in outcomes("Cast", [out], [x]):
        outcome.check(0)


def per_channel(shape: tuple[int, ...], axis: int) -> TensorSpec:
    scales = tuple(float(np.float32(0.01 + 0.003 * i)) for i in range(shape[axis]))
    return TensorSpec(shape, DType.QInt8, Quant(scales, (0,) * shape[axis], axis))


@pytest.mark.parametrize("dtype", [DType.QUInt8, DType.QInt16])
def test_weights_quantised_by_channel(dtype: DType) -> None:
    weights = held(random(3, 3, 33, 35) / 8, FLAT_TCM, per_channel((3, 3, 33, 35), 3))
    bias = tensor(random(1, 1, 1, 35), DType.QInt32)
    for at in PLACES:
        x = tensor(random(2, 9, 11, 33), dtype, at)
        operands = [x, weights, dims(1, 2, 1, 1), bias]
        out = TensorSpec((2, 4, 9, 35), dtype, encoding(dtype, -6, 6), at)
        assert is_concrete(selected("ConvLayer_valid", [out], operands))
        for outcome in outcomes("ConvLayer_valid", [out], operands):
            np.testing.assert_allclose(
                outcome.results[0],
                outcome.expected[0],
                atol=1.001 * (out.quant or Quant((), ())).scale,
            )


@pytest.mark.parametrize("op", ["Tanh", "Clamp", "Add"])
def test_data_quantised_by_channel(op: str) -> None:
    spec = per_channel((1, 9, 7, 33), 3)
    params = [scalar(-0.1), scalar(0.1)] if op == "Clamp" else []
    for at in PLACES:
        x = held(random(*spec.shape), at, spec)
        operands = [x, x] if op == "Add" else [x, *params]
        out = per_channel(spec.shape, 3).with_place(at)
        for outcome in outcomes(op, [out], operands):
            outcome.check(0)


@pytest.mark.parametrize("op", ["Lstm", "Gru"])
@pytest.mark.parametrize("dtype", [DType.Float16, DType.QInt16, DType.QUInt8])
def test_recurrent_layers(op: str, dtype: DType) -> None:
    gates, states = {"Lstm": (4, 2), "Gru": (3, 1)}[op]
    seq, batch, inputs, hidden = 5, 2, 7, 9
    x = tensor(random(1, seq, batch, inputs), dtype, FLAT_TCM)
    rows = gates * hidden
    w, r = (tensor(random(1, 2, rows, n) / 3, dtype, FLAT_TCM) for n in (inputs, hidden))
    b = tensor(random(1, 1, 2, 2 * rows), dtype)
    initial = [tensor(random(1, 2, batch, hidden) / 3, dtype) for _ in range(states)]
    p = [tensor(random(1, 1, 2, 3 * hidden) / 3, dtype)] if op == "Lstm" else []
    params = [scalar(2, np.int32), scalar(0.0), scalar(0, np.int32)]
    operands = [x, w, r, b, ints(5, 3), *initial, *p, *params]
    state = TensorSpec((1, 2, batch, hidden), dtype, encoding(dtype, -5, 5))
    y = TensorSpec((seq, 2, batch, hidden), dtype, encoding(dtype, -1, 1), FLAT_TCM)
    outputs = [y, *[state] * states]
    kernel = selected(op, outputs, operands)
    assert is_concrete(kernel)
    results = run(kernel, [poisoned(spec) for spec in outputs], operands)
    plain = [held(o.load()) if o.spec.dtype is not DType.Int32 else o for o in operands]
    bare = [f32(spec.shape) for spec in outputs]
    expected = run(selected(op, bare, plain), [poisoned(spec) for spec in bare], plain)
    for result, wanted, spec in zip(results, expected, outputs, strict=True):
        within(result, wanted, spec)


PADDED_POOLS = [
    ((1, 9, 11, 33), (3, 3), (2, 2), (1, 1, 1, 1)),
    ((2, 7, 7, 5), (2, 3), (1, 2), (0, 1, 2, 0)),
    ((1, 1, 1, 65), (1, 1), (1, 1), (0, 0, 0, 0)),
]


@pytest.mark.one_per("dtype")
@pytest.mark.parametrize("dtype", REALS)
@pytest.mark.parametrize(("ceil", "count"), list(product((0, 1), repeat=2)))
def test_padded_average_pools(ceil: int, count: int, dtype: DType) -> None:
    for (shape, size, stride, pad), at in product(PADDED_POOLS, (FLAT_DDR, FLAT_TCM)):
        x = tensor(random(*shape), dtype, at)
        params = [ints(*size), ints(*stride), ints(*pad, shape=(1, 1, 2, 2))]
        flags = [scalar(ceil, np.int32), scalar(count, np.int32)]
        steps = [
            -(-(n + a + b - k) // s) if ceil else (n + a + b - k) // s
            for n, k, s, a, b in zip(shape[1:], size, stride, pad[::2], pad[1::2], strict=False)
        ]
        result = (shape[0], *(n + 1 for n in steps), shape[3])
        out = TensorSpec(result, dtype, encoding(dtype, -3, 3), at)
        operands = [x, *params, *flags]
        assert is_concrete(selected("PoolAvg2d", [out], operands))
        for outcome in outcomes("PoolAvg2d", [out], operands):
            within(outcome.results[0], outcome.expected[0], out)


@pytest.mark.parametrize("op", ["AvgPool_valid", "ReduceMean", "ConvLayer_valid"])
@pytest.mark.parametrize("dtype", [DType.QUInt8, DType.QInt8])
def test_sums_are_exact_so_halves_are_rounded_alike(op: str, dtype: DType) -> None:
    """With scales of powers of two a quarter of all results lies between two steps."""
    quant = Quant((0.1,), (3,))
    for at in (FLAT_TCM, FLAT_DDR):
        shape = (1, 8, 8, 64)
        x = poisoned(TensorSpec(shape, dtype, quant, at))
        x.store_raw(RNG.integers(0, 100, shape).astype(dtype.storage))
        weights = poisoned(TensorSpec((2, 2, 64, 5), dtype, Quant((0.0625,), (1,))))
        weights.store_raw(RNG.integers(0, 3, weights.shape).astype(dtype.storage))
        bias = held(np.zeros((1, 1, 1, 5), np.float32))
        operands, result = {
            "AvgPool_valid": ([x, dims(1, 2, 2, 1), dims(1, 2, 2, 1)], (1, 4, 4, 64)),
            "ReduceMean": ([x, ints(1, 2)], (1, 1, 1, 64)),
            "ConvLayer_valid": ([x, weights, dims(1, 1, 1, 1), bias], (1, 7, 7, 5)),
        }[op]
        out = TensorSpec(result, dtype, quant, at)
        for outcome in outcomes(op, [out], operands):
            outcome.check(0)
