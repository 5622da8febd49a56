"""Element-wise ops against ONNX Runtime; special values, integers and erf by hand."""

import math

import numpy as np
import pytest
from htp_mlir.runtime.functions.elementwise import (
    BINARY,
    UNARY,
    clamp,
    elu,
    erf,
    erfc,
    leaky_relu,
    prelu,
    select,
)

CLOSE = {"rtol": 2e-6, "atol": 1e-6}
POSITIVE = {"Log", "Sqrt", "Rsqrt"}
ONNX_BINARY = {
    "Add": "Add",
    "Sub": "Sub",
    "Mul": "Mul",
    "Div": "Div",
    "Pow": "Pow",
    "Maximum": "Max",
    "Minimum": "Min",
    "Less": "Less",
    "LessEqual": "LessOrEqual",
    "Greater": "Greater",
    "GreaterEqual": "GreaterOrEqual",
    "Equal": "Equal",
}
LOGIC = ("And", "Or", "Xor")
FLOATS = (np.float16, np.float32, np.float64)
SPECIAL = (0.0, -0.0, 1.0, -1.0, 1e4, -1e4, math.inf, -math.inf, math.nan)


def random(*shape, seed=0, scale=3.0):
    return (np.random.default_rng(seed).standard_normal(shape) * scale).astype(np.float32)


@pytest.mark.one_per("name")
@pytest.mark.parametrize("size", [1, 7, 33])
@pytest.mark.parametrize("name", sorted(set(UNARY) - {"Rsqrt", "Not", "GeluTanh"}))
def test_unary(onnx_op, name, size):
    x = random(2, size)
    x = np.abs(x) if name in POSITIVE else x
    want = onnx_op(name, [x])[0]
    got = UNARY[name](x)
    assert got.dtype == np.float32
    np.testing.assert_allclose(got, want, **CLOSE)


def test_rsqrt_and_not():
    np.testing.assert_allclose(UNARY["Rsqrt"](np.array([4, 0.25], np.float32)), [0.5, 2])
    np.testing.assert_array_equal(UNARY["Not"](np.array([True, False])), [False, True])


def test_round_is_half_to_even():
    x = np.array([0.5, 1.5, 2.5, -0.5, -1.5], np.float32)
    np.testing.assert_array_equal(UNARY["Round"](x), [0, 2, 2, 0, -2])


@pytest.mark.one_per("name")
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", sorted(set(UNARY) - {"Not"}))
def test_unary_special_values_do_not_warn(name, dtype):
    x = np.array(SPECIAL, dtype)
    got = UNARY[name](x)
    assert got.dtype == dtype
    assert math.isnan(got[-1])
    assert UNARY[name](x[2].reshape(())).shape == ()


@pytest.mark.parametrize(
    ("name", "x", "want"),
    [
        ("Log", 0, -math.inf),
        ("Reciprocal", 0, math.inf),
        ("Exp", 1000, math.inf),
        ("Sigmoid", -1000, 0),
        ("Sigmoid", 1000, 1),
        ("Softplus", 1000, 1000),
        ("Gelu", -math.inf, 0),
        ("Gelu", math.inf, math.inf),
        ("Relu", -math.inf, 0),
    ],
)
def test_limits(name, x, want):
    assert UNARY[name](np.array([x], np.float32))[0] == want


@pytest.mark.parametrize("name", ["Abs", "Neg", "Sign", "Relu", "Floor", "Ceil", "Round"])
def test_unary_integers_keep_their_dtype(name):
    x = np.array([-3, 0, 5], np.int8)
    want = {"Abs": [3, 0, 5], "Neg": [3, 0, -5], "Sign": [-1, 0, 1], "Relu": [0, 0, 5]}
    got = UNARY[name](x)
    assert got.dtype == np.int8
    assert not np.shares_memory(got, x)
    np.testing.assert_array_equal(got, want.get(name, x))


def test_half_precision_is_rounded_once():
    x = random(1000).astype(np.float16)
    for name in ("Exp", "Sigmoid", "Tanh", "Gelu", "Softplus", "HardSwish"):
        want = UNARY[name](x.astype(np.float32)).astype(np.float16)
        np.testing.assert_array_equal(UNARY[name](x), want)


def test_erf_in_float64():
    x = np.concatenate([np.linspace(-8, 8, 40001), np.logspace(-300, 0, 500)])
    np.testing.assert_allclose(erf(x), [math.erf(v) for v in x], rtol=1e-15, atol=0)
    np.testing.assert_allclose(erfc(x), [math.erfc(v) for v in x], rtol=2e-15, atol=0)


def test_erf_at_its_limits():
    np.testing.assert_array_equal(erf(np.array([math.inf, -math.inf, 0.0])), [1, -1, 0])
    np.testing.assert_array_equal(erfc(np.array([math.inf, -math.inf])), [0, 2])
    assert math.isnan(erf(np.array([math.nan]))[0])


def test_gelu_keeps_its_digits_in_the_tail():
    x = np.linspace(-12, 6, 4001).astype(np.float32)
    want = [0.5 * v * math.erfc(-v * math.sqrt(0.5)) for v in x.astype(float)]
    np.testing.assert_allclose(UNARY["Gelu"](x), want, rtol=2e-7, atol=0)


def test_gelu_of_tanh_is_onnx_gelu(onnx_op):
    x = random(2, 33)
    want = onnx_op("Gelu", [x], approximate="tanh")[0]
    np.testing.assert_allclose(UNARY["GeluTanh"](x), want, **CLOSE)


@pytest.mark.one_per("name")
@pytest.mark.parametrize("shapes", [((2, 7), (2, 7)), ((33, 1, 3), (7, 1)), ((), (7,))])
@pytest.mark.parametrize("name", sorted(ONNX_BINARY))
def test_binary(onnx_op, name, shapes):
    a, b = random(*shapes[0], seed=1), random(*shapes[1], seed=2)
    a, b = (np.round(a), np.round(b)) if name.endswith("Equal") else (a, b)
    a, b = np.asarray(np.abs(a) if name == "Pow" else a), np.asarray(b)
    want = onnx_op(ONNX_BINARY[name], [a, b])[0]
    got = BINARY[name](a, b)
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got, want, **CLOSE)


@pytest.mark.parametrize("name", LOGIC)
def test_logic(onnx_op, name):
    a, b = np.array([False, False, True, True]), np.array([False, True, False, True])
    np.testing.assert_array_equal(BINARY[name](a, b), onnx_op(name, [a, b])[0])


def test_not_equal_and_squared_difference():
    a, b = np.array([1, 2, 3], np.float32), np.array([1, 5, -1], np.float32)
    np.testing.assert_array_equal(BINARY["NotEqual"](a, b), [False, True, True])
    np.testing.assert_array_equal(BINARY["SquaredDifference"](a, b), [0, 9, 16])


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64])
def test_integer_division_truncates_and_gives_zero_by_zero(dtype):
    low = np.iinfo(dtype).min
    a, b = np.array([7, -7, 7, -7, 5, low], dtype), np.array([2, 2, -2, -2, 0, -1], dtype)
    got = BINARY["Div"](a, b)
    assert got.dtype == dtype
    np.testing.assert_array_equal(got, [3, -3, -3, 3, 0, low])


def test_division_by_zero_of_floats():
    a = np.array([1, -1, 0], np.float32)
    got = BINARY["Div"](a, np.zeros(3, np.float32))
    np.testing.assert_array_equal(got, [math.inf, -math.inf, math.nan])


def test_mod_has_the_sign_of_the_divisor(onnx_op):
    a, b = np.array([7, -7, 7, -7], np.int32), np.array([3, 3, -3, -3], np.int32)
    np.testing.assert_array_equal(BINARY["Mod"](a, b), onnx_op("Mod", [a, b])[0])
    np.testing.assert_array_equal(BINARY["Mod"](a, b * 0), [0, 0, 0, 0])


def test_integer_powers():
    a, b = np.array([2, -2, -1, -1, 2, 0], np.int32), np.array([5, 3, -3, -2, -1, -1], np.int32)
    np.testing.assert_array_equal(BINARY["Pow"](a, b), [32, -8, -1, 1, 0, 0])


def test_integer_base_with_a_real_power(onnx_op):
    a, b = np.array([4, 9, 2], np.int32), np.array([0.5, 0.5, 3], np.float32)
    np.testing.assert_array_equal(BINARY["Pow"](a, b), onnx_op("Pow", [a, b])[0])


def test_maximum_passes_nan_on():
    a, b = np.array([math.nan, 1], np.float32), np.array([1, math.nan], np.float32)
    assert np.isnan(BINARY["Maximum"](a, b)).all()
    assert np.isnan(BINARY["Minimum"](a, b)).all()


@pytest.mark.parametrize("size", [1, 7, 33])
def test_activations_with_a_parameter(onnx_op, size):
    x, slope = random(3, size), random(1, size, seed=4)
    np.testing.assert_allclose(elu(x, 0.7), onnx_op("Elu", [x], alpha=0.7)[0], **CLOSE)
    want = onnx_op("LeakyRelu", [x], alpha=0.2)[0]
    np.testing.assert_allclose(leaky_relu(x, 0.2), want, **CLOSE)
    np.testing.assert_allclose(prelu(x, slope), onnx_op("PRelu", [x, slope])[0], **CLOSE)


def test_select_broadcasts(onnx_op):
    c = np.array([[True], [False]])
    a, b = random(1, 7), random(2, 1, seed=1)
    np.testing.assert_array_equal(select(c, a, b), onnx_op("Where", [c, a, b])[0])


@pytest.mark.parametrize(
    ("dtype", "low", "high", "want"),
    [
        (np.float32, -0.5, 6.0, [-0.5, 0, 6]),
        (np.float16, -1e9, math.inf, [-100, 0, 100]),
        (np.int8, -0.5, 6.5, [0, 0, 6]),
        (np.int8, -math.inf, 1e9, [-100, 0, 100]),
        (np.int64, -math.inf, math.inf, [-100, 0, 100]),
    ],
)
def test_clamp(dtype, low, high, want):
    got = clamp(np.array([-100, 0, 100], dtype), low, high)
    assert got.dtype == dtype
    np.testing.assert_array_equal(got, np.array(want, dtype))
