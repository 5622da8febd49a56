"""Every op whose layout or quantisation matters, for every dtype, at every place it may be."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.spec import FLAT_DDR, FLAT_TCM, Place, TensorSpec
from htp_mlir.runtime.functions.support.arrays import Array
from htp_mlir.runtime.kernels.f32.elementwise import BINARY
from htp_mlir.runtime.kernels.support.pointwise import UNARY

from .dtypes import REALS, Case, check, is_concrete
from .harness import PLACES, dims, ints, outcomes, scalar, selected

RNG = np.random.default_rng(0)
FLATS = (FLAT_DDR, FLAT_TCM)
SHAPES = ((1, 9, 7, 33), (2, 1, 5, 65), (1, 1, 1, 1))
POSITIVE = ("Log", "Sqrt", "Rsqrt", "Reciprocal")


def random(*shape: int) -> Array:
    return RNG.uniform(-2, 2, shape).astype(np.float32)


def positive(*shape: int) -> Array:
    return RNG.uniform(0.5, 2, shape).astype(np.float32)


def unary(op: str, shape: tuple[int, ...]) -> Case:
    values = positive(*shape) if op in POSITIVE else random(*shape)
    if op == "Asin":
        values = np.tanh(values)
    return Case(op, (values,), (shape,))


def binary(op: str) -> Case:
    return Case(op, (positive(*SHAPES[0]), positive(1, 9, 1, 33)), (SHAPES[0],))


STRIDE = dims(1, 2, 1, 1)
WINDOW = (random(2, 9, 11, 33), random(3, 3, 33, 35) / 8, random(1, 1, 1, 35))
SPREAD = (random(2, 5, 7, 33), random(2, 1, 33, 35) / 4, random(1, 1, 1, 35))
DEEP = (random(1, 12, 7, 33), random(3, 2, 1, 66), random(1, 1, 1, 66))
ROWS = (random(2, 3, 7, 33), random(1, 1, 65, 33) / 4, random(1, 1, 1, 65))
CONVOLUTIONS = {
    op: Case(op, (act,), (shape,), (weights,), (bias,), (STRIDE, *bounds), order)
    for name, (act, weights, bias), shape in (
        ("ConvLayer_valid", WINDOW, (2, 4, 9, 35)),
        ("DepthwiseConvLayer_valid", DEEP, (1, 5, 6, 66)),
    )
    for op, bounds, order in (
        (name, (), (0, 1, 3, 2)),
        (f"{name}.clamp", (scalar(-0.5), scalar(1.5)), (0, 1, 3, 2, 4, 5)),
    )
}
CONVOLUTIONS["TransposeConvLayer_valid"] = Case(
    "TransposeConvLayer_valid",
    SPREAD[:1],
    ((2, 10, 7, 35),),
    SPREAD[1:2],
    SPREAD[2:],
    (STRIDE,),
    (0, 1, 3, 2),
)
POOLS = {
    name: Case(name, (random(2, 9, 7, 33),), ((2, 4, 6, 33),), fixed=(dims(1, 3, 2, 1), STRIDE))
    for name in ("MaxPool_valid", "AvgPool_valid")
}
AXES = (ints(1, 3),)
NORMAL = (random(2, 3, 7, 33), positive(1, 1, 1, 33), random(1, 1, 1, 33))
REDUCED = (positive(2, 3, 2, 33),)
WHOLE = ((2, 3, 7, 33),)
LINEAR = {
    "FullyConnected": (),
    "FullyConnected.gelu": (),
    "FullyConnected.clamp": (scalar(-1), scalar(1)),
}
FLAT_CASES = {
    **{
        op: Case(op, ROWS[:1], ((2, 3, 7, 65),), ROWS[1:2], ROWS[2:], bounds)
        for op, bounds in LINEAR.items()
    },
    "MatMul": Case(
        "MatMul",
        (random(2, 3, 7, 33), random(1, 3, 9, 33)),
        ((2, 3, 7, 9),),
        fixed=(scalar(0, np.int32), scalar(1, np.int32)),
    ),
    **{
        op: Case(op, NORMAL[:1], WHOLE, fixed=(ints(axis), scalar(1.5)))
        for op, axis in (("Softmax", 3), ("LogSoftmax", 2))
    },
    **{
        op: Case(op, NORMAL[:1], WHOLE, (), NORMAL[1:], (ints(3), scalar(1e-3)))
        for op in ("LayerNorm", "RmsNorm")
    },
    "Batchnorm": Case("Batchnorm", NORMAL[:1], WHOLE, (), NORMAL[1:]),
    **{
        f"Reduce{kind}": Case(
            f"Reduce{kind}", (positive(2, 3, 2, 33),), ((2, 1, 2, 1),), fixed=AXES
        )
        for kind in ("Sum", "Mean", "Max", "Min")
    },
    "ReduceProd": Case("ReduceProd", REDUCED, ((2, 1, 2, 33),), fixed=(ints(1),)),
}


def concrete(case: Case, dtype: DType, at: Place, weights_at: Place = FLAT_DDR) -> None:
    assert is_concrete(check(case, dtype, at, weights_at))


@pytest.mark.one_per("op")
@pytest.mark.parametrize("op", UNARY)
@pytest.mark.parametrize("dtype", REALS)
def test_unary(op: str, dtype: DType) -> None:
    for at in PLACES:
        concrete(unary(op, SHAPES[0]), dtype, at)


@pytest.mark.one_per("dtype")
@pytest.mark.parametrize("dtype", REALS)
@pytest.mark.parametrize("shape", SHAPES)
def test_sizes(shape: tuple[int, ...], dtype: DType) -> None:
    for at in PLACES:
        concrete(unary("Tanh", shape), dtype, at)
        concrete(Case("Sub", (random(*shape), random(*shape)), (shape,)), dtype, at)


@pytest.mark.one_per("op")
@pytest.mark.parametrize("op", [op for op in BINARY if op != "Mod"])
@pytest.mark.parametrize("dtype", REALS)
def test_binary(op: str, dtype: DType) -> None:
    for at in PLACES:
        concrete(binary(op), dtype, at)


@pytest.mark.parametrize("dtype", REALS)
def test_bias_and_bounds(dtype: DType) -> None:
    shape = SHAPES[0]
    for at in PLACES:
        concrete(
            Case("BiasAdd", (random(*shape),), (shape,), (), (random(1, 1, 1, 33),)), dtype, at
        )
        clamp = Case("Clamp", (random(*shape),), (shape,), fixed=(scalar(-0.7), scalar(1.1)))
        concrete(clamp, dtype, at)


@pytest.mark.one_per("op")
@pytest.mark.parametrize("op", CONVOLUTIONS)
@pytest.mark.parametrize("dtype", REALS)
def test_convolutions(op: str, dtype: DType) -> None:
    for at in PLACES:
        concrete(CONVOLUTIONS[op], dtype, at)


@pytest.mark.one_per("op")
@pytest.mark.parametrize("op", POOLS)
@pytest.mark.parametrize("dtype", REALS)
def test_pools(op: str, dtype: DType) -> None:
    for at in PLACES:
        concrete(POOLS[op], dtype, at)


@pytest.mark.one_per("op")
@pytest.mark.parametrize("op", FLAT_CASES)
@pytest.mark.parametrize("dtype", REALS)
def test_rows(op: str, dtype: DType) -> None:
    for at, weights_at in product(FLATS, FLATS):
        concrete(FLAT_CASES[op], dtype, at, weights_at)


@pytest.mark.parametrize("dtype", REALS)
def test_activations_with_params(dtype: DType) -> None:
    shape = SHAPES[0]
    for at in PLACES:
        concrete(Case("Prelu", (random(*shape), positive(1, 1, 1, 33)), (shape,)), dtype, at)
        for op in ("Elu", "LeakyRelu", "Swish"):
            concrete(Case(op, (random(*shape),), (shape,), fixed=(scalar(0.3),)), dtype, at)


INTEGERS = {
    **{op: unary(op, SHAPES[0]) for op in UNARY},
    **{op: binary(op) for op in BINARY},
    **CONVOLUTIONS,
    **POOLS,
    **FLAT_CASES,
}


@pytest.mark.parametrize("op", INTEGERS)
def test_integers_as_the_reference_has_them(op: str) -> None:
    case = INTEGERS[op]
    for at in FLATS if op in FLAT_CASES else PLACES:
        whole = replace(case, data=integers(case.data), weights=integers(case.weights))
        operands = replace(whole, biases=integers(case.biases)).operands(DType.Int32, at, FLAT_TCM)
        out = TensorSpec(case.shapes[0], DType.Int32, None, at)
        assert is_concrete(selected(op, [out], operands))
        for outcome in outcomes(op, [out], operands):
            outcome.check(0)


def integers(arrays: tuple[Array, ...]) -> tuple[Array, ...]:
    return tuple(RNG.integers(-9, 9, values.shape).astype(np.int32) for values in arrays)
