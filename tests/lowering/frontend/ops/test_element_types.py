"""Ops in the element types that ONNX gives them, against its evaluator; and what HTP takes."""

import dataclasses
import math

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.runtime import Session
from onnx import TensorProto, defs, helper
from onnx.reference import ReferenceEvaluator

from ..cases.case import (
    IMAGE,
    SQUARE,
    Case,
    case,
    i64,
)
from ..models import Array, floats, model_of

OPSET = defs.onnx_opset_version()
HALF = np.array(0.5, np.float32)
SIZES = (None, None, i64(2, 3, 5, 4))
MASK = SQUARE > 0
ELEMENTS = np.array([[0, 1, -7, 2, 5, 7], [-8, 3, 4, 6, -1, 1]])

REALS = [
    *(
        case(op, SQUARE)
        for op in ("Abs", "Neg", "Exp", "Tanh", "Sigmoid", "Floor", "Round", "Relu")
    ),
    *(case(op, SQUARE) for op in ("Elu", "Selu", "HardSigmoid", "LeakyRelu", "Softplus", "Mish")),
    *(case(op, SQUARE, floats(6)) for op in ("Add", "Sub", "Mul", "Div", "Max", "PRelu")),
    *(case(op, SQUARE, floats(6)) for op in ("Less", "Equal", "GreaterOrEqual")),
    *(case(op, SQUARE) for op in ("IsNaN", "ReduceSum", "ReduceMean", "ReduceMax", "ReduceL2")),
    *(case(op, SQUARE) for op in ("Softmax", "LogSoftmax", "ArgMax", "ReduceLogSumExp")),
    case("Clip", SQUARE, np.float32(-0.1), np.float32(0.7)),
    case("Where", MASK, SQUARE, floats(6), fixed=3),
    case("Pow", np.abs(SQUARE), HALF),
    case("Mod", SQUARE, floats(6), fmod=1),
    case("CumSum", SQUARE, np.array(1)),
    case("MatMul", SQUARE, floats(6, 3), fixed=2),
    case("Gemm", SQUARE, floats(6, 3), floats(3), alpha=0.3, beta=0.7),
    case("Einsum", SQUARE, floats(6, 3), fixed=2, equation="ij,jk->ki"),
    case("Conv", IMAGE, floats(4, 3, 3, 3), floats(4), pads=[1, 1, 1, 1]),
    case("ConvTranspose", IMAGE, floats(3, 4, 2, 2), strides=[2, 2]),
    *(case(op, IMAGE, kernel_shape=[3, 2]) for op in ("AveragePool", "MaxPool")),
    case("BatchNormalization", IMAGE, floats(3), floats(3, seed=1), floats(3), np.abs(floats(3))),
    case("InstanceNormalization", IMAGE, floats(3), floats(3, seed=1)),
    case("Resize", IMAGE, *SIZES, mode="linear"),
    case("Transpose", IMAGE, perm=[0, 3, 1, 2]),
    case("Concat", SQUARE, floats(2, 6), fixed=2, axis=0),
    case("Pad", SQUARE, i64(0, 1, 1, 2), np.float32(0.1)),
    case("Gather", SQUARE, i64(3, 0, -1), axis=0),
    case("ScatterElements", SQUARE, i64(0, 2, 1)[None], floats(1, 3), axis=1, reduction="add"),
    case("TopK", SQUARE, i64(3), outputs=2),
    case("Trilu", SQUARE),
]
"""Ops of floats."""

INTEGERS = [
    *(
        case(op, ELEMENTS)
        for op in ("Abs", "Sign", "ReduceSum", "ReduceMax", "ReduceL2", "ReduceL1")
    ),
    *(case(op, ELEMENTS, ELEMENTS[:1]) for op in ("Add", "Sub", "Mul", "Max", "PRelu", "Equal")),
    case("Div", ELEMENTS, np.array([1, 2, 3, 4, 5, 6])),
    case("Mod", ELEMENTS, np.array([1, 2, 3, 4, 5, 6])),
    case("Clip", ELEMENTS, np.array(1), np.array(4)),
    case("Where", MASK[:2], ELEMENTS, ELEMENTS[::-1], fixed=3),
    case("MatMul", ELEMENTS, ELEMENTS.T, fixed=2),
    case("Gemm", ELEMENTS, ELEMENTS.T, ELEMENTS[:, :2], alpha=2.0),
    case("Gemm", ELEMENTS, ELEMENTS.T, ELEMENTS[:, :2], fixed=3, alpha=0.3, beta=0.5),
    case("CumSum", ELEMENTS, np.array(1)),
    # Eight columns of six have weights that f64 holds, so that a half is one and rounds to even.
    case("Resize", ELEMENTS[None, None], None, None, i64(1, 1, 3, 8), mode="linear"),
    case("Resize", ELEMENTS[None, None], None, None, i64(1, 1, 3, 7), mode="cubic"),
    case("Concat", ELEMENTS, ELEMENTS, fixed=2, axis=1),
    case("Gather", ELEMENTS, i64(1, 0), axis=0),
    case("TopK", ELEMENTS, i64(3), outputs=2),
]
"""Ops of integers."""

MOVES = [
    case("Identity", ELEMENTS),
    case("Transpose", ELEMENTS, perm=[1, 0]),
    case("Reshape", ELEMENTS, i64(3, 4)),
    case("Flatten", ELEMENTS),
    case("Unsqueeze", ELEMENTS, i64(1)),
    case("Squeeze", ELEMENTS[:, None], i64(1)),
    case("Pad", ELEMENTS, i64(0, 1, 1, 2), np.array(1)),
]
"""Ops of every type, which move elements."""

ERRORS = {"float64": 1e-13, "bfloat16": 2**-7, "float16": 2**-9}
"""Errors by the scale of the result: roundings of a few ops, and to 8 and 11 bits on the way."""

WIDE = ("uint64", "int64", "uint32", "int32")
SMALL_TYPES = (
    *("float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float4_e2m1fn"),
    *("int4", "uint4", "int2", "uint2"),
)


def retyped(one: Case, dtype: str, like: str) -> Case:
    """The case with its numbers, which have the kind of `like`, in another type."""
    arrays = [
        a.astype(dtype) if a is not None and a.dtype.kind == like and not _is_param(one, i) else a
        for i, a in enumerate(one.inputs)
    ]
    return dataclasses.replace(one, inputs=arrays, opset=OPSET)


_PARAMS = {
    *("Reshape", "Squeeze", "Unsqueeze", "Gather", "TopK", "CumSum", "ScatterElements", "Pad"),
}
"""Ops whose second input says shapes, axes or places."""


def _is_param(one: Case, index: int) -> bool:
    """Such an input is i64, whatever the data is."""
    shapes = {
        "Reshape",
        "Squeeze",
        "Unsqueeze",
        "Gather",
        "TopK",
        "CumSum",
        "ScatterElements",
        "Pad",
    }
    return index > 0 if one.op == "Resize" else index == 1 and one.op in shapes


def outputs(one: Case) -> tuple[list[Array], list[Array]]:
    """What the imported node gives at the graph level, and what ONNX's evaluator does."""
    feeds, model = one.model()
    got = Session(import_model(model), check=True).run(feeds)
    return [got[f"y{i}"] for i in range(one.outputs)], ReferenceEvaluator(model).run(None, feeds)


@pytest.mark.one_per("one")
@pytest.mark.parametrize("dtype", ERRORS)
@pytest.mark.parametrize("one", REALS, ids=str)
def test_floats_are_computed_in_their_own_type(one: Case, dtype: str) -> None:
    """Small floats are judged by f64 of the same numbers: the evaluator rounds after each step."""
    small = retyped(one, dtype, "f")
    feeds, model = small.model()
    got = Session(import_model(model), check=True).run(feeds)
    wide = [a.astype(np.float64) if a is not None and a.dtype == dtype else a for a in small.inputs]
    feeds, model = dataclasses.replace(small, inputs=wide).model()
    for name, wanted in zip(got, ReferenceEvaluator(model).run(None, feeds), strict=True):
        array = got[name]
        assert array.dtype == (dtype if wanted.dtype.kind == "f" else wanted.dtype)
        real = np.asarray(wanted, np.float64)
        error = np.abs(array.astype(np.float64) - real).max()
        assert error <= (ERRORS[dtype] if wanted.dtype.kind == "f" else 0) * np.abs(real).max()


@pytest.mark.one_per("one")
@pytest.mark.parametrize("dtype", WIDE)
@pytest.mark.parametrize("one", INTEGERS, ids=str)
def test_integers_are_computed_in_their_own_type(one: Case, dtype: str) -> None:
    positive = dtype.startswith("u")
    arrays = [
        np.abs(a) if positive and a is not None and a.dtype.kind == "i" else a for a in one.inputs
    ]
    for got, wanted in zip(
        *outputs(retyped(dataclasses.replace(one, inputs=arrays), dtype, "i")), strict=True
    ):
        np.testing.assert_array_equal(got, wanted)
        assert got.dtype.kind == "b" or got.dtype in (dtype, np.int64)


@pytest.mark.one_per("dtype")
@pytest.mark.parametrize("dtype", SMALL_TYPES)
@pytest.mark.parametrize("one", MOVES, ids=str)
def test_every_type_is_moved(one: Case, dtype: str) -> None:
    low, high = {"int2": (-2, 1), "uint2": (0, 3), "uint4": (0, 15)}.get(dtype, (-8, 7))
    arrays = [
        np.clip(a, low, high) if a is not None and not _is_param(one, i) else a
        for i, a in enumerate(one.inputs)
    ]
    for got, wanted in zip(
        *outputs(retyped(dataclasses.replace(one, inputs=arrays), dtype, "i")), strict=True
    ):
        assert got.dtype == dtype
        np.testing.assert_array_equal(got.astype(np.float32), wanted.astype(np.float32))


@pytest.mark.parametrize("op", ["Erf", "Gelu"])
def test_the_error_function_has_the_digits_of_f64(op: str) -> None:
    """ONNX's evaluator has those of f32; Python's own is the judge."""
    x = SQUARE.astype(np.float64)
    erf = np.vectorize(math.erf)
    wanted = erf(x) if op == "Erf" else x / 2 * (1 + erf(x / math.sqrt(2)))
    feeds, model = case(op, x).model()
    got = Session(import_model(model)).run(feeds)["y0"]
    np.testing.assert_allclose(got, wanted, rtol=1e-14, atol=1e-15)


GRID = np.tanh(floats(2, 4, 2, 2)) * np.float32(0.9)
REGIONS = np.array([[0, 0, 5.1, 6.3], [1.7, 2, 6, 8]], np.float32)
SAMPLED = {
    "GridSample": case("GridSample", IMAGE, GRID, fixed=2),
    "RoiAlign": case("RoiAlign", IMAGE, REGIONS, i64(0, 1), fixed=2, sampling_ratio=2, mode="max"),
}


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
@pytest.mark.parametrize("op", SAMPLED)
def test_places_between_pixels_keep_the_digits_of_f32(op: str, dtype: str) -> None:
    """The numbers are rounded as they come in, and the result once."""
    small = retyped(SAMPLED[op], dtype, "f")
    wide = [a.astype(np.float32) if a.dtype == dtype else a for a in small.inputs]
    results = []
    for one in (small, dataclasses.replace(small, inputs=wide)):
        feeds, model = one.model()
        results.append(Session(import_model(model)).run(feeds)["y0"])
    np.testing.assert_array_equal(results[0], results[1].astype(dtype))


def test_the_grid_may_have_another_type_than_the_data() -> None:
    feeds, model = case("GridSample", IMAGE.astype(np.float64), GRID, fixed=2, opset=OPSET).model()
    got = Session(import_model(model)).run(feeds)["y0"]
    both = case("GridSample", IMAGE.astype(np.float64), GRID.astype(np.float64), fixed=2)
    feeds, model = both.model()
    np.testing.assert_array_equal(got, Session(import_model(model)).run(feeds)["y0"])


def test_nearest_elements_keep_every_digit() -> None:
    image = np.array([2**53 + 1, -(2**60) - 7, 3, 5], np.int64).reshape(1, 1, 2, 2)
    grid = np.array([[-0.5, -0.5], [0.5, -0.5], [9, 9]], np.float32).reshape(1, 1, 3, 2)
    feeds, model = case("GridSample", image, grid, fixed=2, mode="nearest", opset=OPSET).model()
    got = Session(import_model(model)).run(feeds)["y0"]
    assert got.reshape(-1).tolist() == [2**53 + 1, -(2**60) - 7, 0]


LONG = {
    "int32": 2**24 + 1,
    "int64": -(2**60) - 1,
    "uint64": 2**64 - 1,
    "float64": 0.1,
}
"""Numbers that a param, which is f32, does not hold."""


@pytest.mark.parametrize("dtype", LONG)
@pytest.mark.parametrize("op", ["Pad", "Clip"])
def test_numbers_beside_the_data_keep_every_digit(op: str, dtype: str) -> None:
    """At every level, where HTP has the type."""
    number = np.array(LONG[dtype], dtype)
    x = np.array([[1, 2], [4, 100]]).astype(dtype)
    others = (i64(1, 0, 0, 2),) if op == "Pad" else (None,)
    feeds, model = case(op, x, *others, number).model()
    module = import_model(model)
    wanted = ReferenceEvaluator(model).run(None, feeds)[0]
    np.testing.assert_array_equal(Session(module, check=True).run(feeds)["y0"], wanted)
    if dtype.startswith("int"):
        got = Session(lower(module), check=True).run(feeds)["y0"]
        np.testing.assert_array_equal(got, wanted)


STASHED = {TensorProto.FLOAT: "float32", TensorProto.BFLOAT16: "bfloat16"}


@pytest.mark.parametrize("stash", STASHED, ids=STASHED.get)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float64"])
def test_statistics_have_the_type_that_is_stated(dtype: str, stash: int) -> None:
    x, scale = SQUARE.astype(dtype), floats(6).astype(dtype)
    one = case("LayerNormalization", x, scale, outputs=3, opset=OPSET, stash_type=stash)
    feeds, model = one.model()
    got = Session(import_model(model), check=True).run(feeds)
    assert [str(got[f"y{i}"].dtype) for i in range(3)] == [dtype, *[STASHED[stash]] * 2]
    real = x.astype(np.float64)
    mean, deviation = real.mean(1, keepdims=True), np.sqrt(real.var(1, keepdims=True) + 1e-5)
    error = 2**-8 if STASHED[stash] == "bfloat16" else 1e-6
    for name, wanted in (("y1", mean), ("y2", 1 / deviation)):
        np.testing.assert_allclose(got[name].astype(np.float64), wanted, rtol=error, atol=1e-7)


def test_statistics_are_floats() -> None:
    node = helper.make_node("LayerNormalization", ["x0", "x1"], ["y0"], stash_type=6)
    model = model_of([node], {"x0": SQUARE}, ["y0"], {"x1": floats(6)}, OPSET)
    with pytest.raises(HtpError, match="attribute 'stash_type' is Int32"):
        import_model(model)


def test_a_scale_that_is_a_power_of_two_divides_in_the_type_of_the_data() -> None:
    scale, zero = np.array(2, "float8_e8m0fnu"), np.array(3, np.uint8)
    feeds, model = case("QuantizeLinear", SQUARE * 9, scale, zero, fixed=3, opset=OPSET).model()
    got = Session(import_model(model)).run(feeds)["y0"]
    np.testing.assert_array_equal(got, ReferenceEvaluator(model).run(None, feeds)[0])


TWICE = (None, None, i64(2, 3, 18, 14))
LOWERED = [
    case("MatMul", np.abs(ELEMENTS).astype(np.uint32), np.abs(ELEMENTS.T).astype(np.uint32)),
    case("PRelu", ELEMENTS.astype(np.int32), ELEMENTS[:1].astype(np.int32)),
    case("Relu", ELEMENTS.astype(np.int8)),
    *(
        case("Resize", np.abs(IMAGE * 60).astype(np.uint8), *TWICE, mode=mode)
        for mode in ("linear", "cubic")
    ),
    case("Gemm", *(a.astype(np.int32) for a in (ELEMENTS, ELEMENTS.T, ELEMENTS[:, :2])), beta=3.0),
]


@pytest.mark.parametrize("one", LOWERED, ids=str)
def test_integers_that_htp_holds_are_lowered(one: Case) -> None:
    feeds, model = one.model()
    module = import_model(model)
    wanted = ReferenceEvaluator(model).run(None, feeds)[0]
    for session in (Session(module, check=True), Session(lower(module), check=True)):
        np.testing.assert_array_equal(session.run(feeds)["y0"], wanted)
