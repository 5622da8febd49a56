"""Cast and CastLike to and from every element type, against ONNX's evaluator and its tables."""

import math

import numpy as np
import pytest
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.lowering.importers.support.types import DTYPES
from htp_mlir.runtime import Session
from onnx import TensorProto, defs, helper
from onnx.reference import ReferenceEvaluator

from ..models import Array, Arrays, model_of

OPSET = defs.onnx_opset_version()
NUMBERS = np.array([0, 1, 0.3, 1.75, 2.5, 3.5, 5, 6.9, -1, -0.7, -1.25, -2.5, -6, 100.5])
PAST = np.array([1e3, -1e3, 464.1, 6e4, -61500, math.inf, -math.inf, math.nan], np.float32)
FLOAT8 = ("FLOAT8E4M3FN", "FLOAT8E4M3FNUZ", "FLOAT8E5M2", "FLOAT8E5M2FNUZ")
E8M0 = TensorProto.FLOAT8E8M0
KINDS = [kind for kind in DTYPES if kind != E8M0]


def cast(feed: Array, to: int, **attributes: object) -> tuple[Array, Array]:
    """What the imported Cast gives, and what ONNX's evaluator does."""
    node = helper.make_node("Cast", ["x"], ["y"], to=to, **attributes)
    got = run(model_of([node], {"x": feed}, ["y"], opset=OPSET), {"x": feed})
    if 1 not in (feed.dtype.isbuiltin, got.dtype.isbuiltin):
        # Between the types that it lacks numpy casts not all; f32 has the numbers of each.
        feed = feed.astype(np.float32)
    model = model_of([node], {"x": feed}, ["y"], opset=OPSET)
    return got, ReferenceEvaluator(model).run(None, {"x": feed})[0]


def run(model: object, feeds: Arrays) -> Array:
    return Session(import_model(model), check=True).run(dict(feeds))["y"]


def assert_same(got: Array, wanted: Array) -> None:
    """Equal numbers, NaNs and signs of zeros."""
    assert got.dtype == wanted.dtype
    got, wanted = got.astype(np.float64), wanted.astype(np.float64)
    np.testing.assert_array_equal(got, wanted)
    np.testing.assert_array_equal(np.signbit(got[got == 0]), np.signbit(wanted[wanted == 0]))


def stored(kind: int) -> Array:
    """Numbers of a type, those that it has."""
    dtype = DTYPES[kind].storage
    low = 0 if dtype.name.startswith(("u", "b")) else -math.inf
    few = {"int2": (-2, 1), "uint2": (0, 3), "int4": (-8, 7), "uint4": (0, 15)}
    low, high = few.get(dtype.name, (low, math.inf))
    return NUMBERS[(low <= NUMBERS) & (high >= NUMBERS)].astype(dtype)


@pytest.mark.one_per
@pytest.mark.parametrize("to", KINDS, ids=lambda kind: DTYPES[kind].name)
def test_casts_of_numbers(to: int) -> None:
    """Numbers within the range of the type, of all types but those that ONNX leaves open."""
    few = stored(to).astype(np.float64)
    for kind in KINDS:
        feed = stored(kind)
        inside = (feed.astype(np.float64) >= few.min()) & (feed.astype(np.float64) <= few.max())
        assert_same(*cast(feed[inside], to))


@pytest.mark.one_per("name")
@pytest.mark.parametrize("saturate", [1, 0])
@pytest.mark.parametrize("source", ["float32", "float16", "bfloat16", "float64"])
@pytest.mark.parametrize("name", FLOAT8)
def test_numbers_past_the_largest_8_bit_float(name: str, source: str, saturate: int) -> None:
    feed = np.concatenate([NUMBERS, PAST]).astype(source)
    assert_same(*cast(feed, TensorProto.DataType.Value(name), saturate=saturate))


@pytest.mark.parametrize("name", FLOAT8)
def test_casts_between_8_bit_floats_saturate(name: str) -> None:
    """Bounds of one type need not be numbers of the other."""
    feed = np.array([448, -448, 57344, -57344, 2], "float8_e5m2")
    assert_same(*cast(feed, TensorProto.DataType.Value(name)))
    assert_same(*cast(np.array([300, -300, 7], np.int32), TensorProto.DataType.Value(name)))


def test_floats_become_small_integers_by_their_low_bits() -> None:
    """ONNX leaves numbers past the range open: its evaluator gives these, or 0, by its version."""
    node = helper.make_node("Cast", ["x"], ["y"], to=TensorProto.INT4)
    feed = np.array([7.9, 8, -9.5, 300, 15], np.float32)
    got = run(model_of([node], {"x": feed}, ["y"], opset=OPSET), {"x": feed})
    assert got.astype(int).tolist() == [7, -8, 7, -4, -1]


POWERS = np.array([1, 1.25, 1.5, 3, 2.9, 5, 7, 2.0**-126, 1.75 * 2.0**-127], np.float32)


@pytest.mark.parametrize("mode", ["up", "down", "nearest"])
def test_casts_to_powers_of_two(mode: str) -> None:
    assert_same(*cast(POWERS, E8M0, round_mode=mode))
    assert_same(*cast(POWERS.astype(np.float16), E8M0, round_mode=mode))


@pytest.mark.parametrize(
    ("attributes", "wanted"),
    [
        ({}, [2.0**-127, 2.0**127, 2.0**127, math.nan]),
        ({"saturate": 0, "round_mode": "nearest"}, [math.nan] * 4),
    ],
)
def test_powers_of_two_at_their_ends(attributes: dict[str, object], wanted: list[float]) -> None:
    """The table of ONNX's specification, from which its evaluator differs: 0, Inf, large, NaN."""
    feed = np.array([0, math.inf, 2.0**127 * 1.75, math.nan], np.float32)
    got, _ = cast(feed, E8M0, **attributes)
    np.testing.assert_array_equal(got.astype(np.float32), np.array(wanted, np.float32))


@pytest.mark.parametrize("saturate", [1, 0])
def test_cast_like_takes_the_attributes(saturate: int) -> None:
    """Also where both inputs are constant, and the node is evaluated."""
    like = np.zeros(1, "float8_e5m2")
    feed = np.array([1e6, -1e6, 3], np.float32)
    node = helper.make_node("CastLike", ["x", "t"], ["y"], saturate=saturate)
    wanted = np.array([57344, -57344, 3] if saturate else [math.inf, -math.inf, 3], like.dtype)
    for feeds, constants in (({"x": feed}, {"t": like}), ({}, {"x": feed, "t": like})):
        assert_same(run(model_of([node], feeds, ["y"], constants, OPSET), feeds), wanted)
