"""Random ops with a seed: constants, which are what ONNX's reference draws, or have its odds."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.runtime.session.session import Session
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

from ..models import Array, floats, model_of

X = floats(3, 4)


def drawn(op: str, feeds: dict[str, Array], **attributes: object) -> Array:
    """The numbers of a node, which are the same at each run and at each level."""
    node = helper.make_node(op, [*feeds], ["y"], **attributes)
    module = import_model(model_of([node], feeds, ["y"]))
    first, *others = (
        session.run(feeds)["y"]
        for session in (Session(module), Session(lower(module), check=True))
        for _ in range(2)
    )
    for other in others:
        np.testing.assert_array_equal(first, other)
    return first


@pytest.mark.parametrize(
    ("op", "attributes"),
    [
        ("RandomNormal", {"shape": [2, 3], "mean": 1.5, "scale": 0.25}),
        ("RandomUniform", {"shape": [2, 3], "low": -1.0, "high": 3.0}),
        ("RandomUniform", {"shape": [5], "dtype": TensorProto.FLOAT16}),
        ("RandomNormalLike", {"scale": 2.0}),
        ("RandomUniformLike", {"dtype": TensorProto.FLOAT16}),
    ],
)
def test_numbers_are_those_of_the_reference(op: str, attributes: dict[str, object]) -> None:
    feeds = {"x": X} if op.endswith("Like") else {}
    # The reference adds each attribute's own default, which a node may leave out.
    node = helper.make_node(op, [*feeds], ["y"], seed=7.0, **attributes)
    (wanted,) = ReferenceEvaluator(model_of([node], feeds, ["y"])).run(None, feeds)
    numbers = drawn(op, feeds, seed=7.0, **attributes)
    assert numbers.dtype == wanted.dtype
    np.testing.assert_array_equal(numbers, wanted)


@pytest.mark.parametrize("dtype", [TensorProto.FLOAT, TensorProto.BOOL, TensorProto.INT32])
def test_bernoulli_has_the_odds_of_its_input(dtype: int) -> None:
    odds = np.broadcast_to(np.array([0, 0.2, 0.9, 1], np.float32), (4000, 4))
    tosses = drawn("Bernoulli", {"x": odds}, seed=1.0, dtype=dtype)
    assert tosses.dtype == helper.tensor_dtype_to_np_dtype(dtype)
    assert set(np.unique(tosses)) == {0, 1}
    # Five standard deviations of a mean of 4,000 tosses.
    np.testing.assert_allclose(tosses.mean(axis=0), odds[0], atol=0.04)
    assert not tosses[:, 0].any()
    assert tosses[:, 3].all()


def test_multinomial_has_the_odds_of_its_input() -> None:
    odds = np.array([[0.5, 0.3, 0.2], [0, 0.1, 0.9]], np.float32)
    with np.errstate(divide="ignore"):
        feeds = {"x": np.log(odds)}
    places = drawn("Multinomial", feeds, seed=3.0, sample_size=4000, dtype=TensorProto.INT64)
    assert places.dtype == np.int64
    shares = [[np.mean(row == place) for place in range(3)] for row in places]
    np.testing.assert_allclose(shares, odds, atol=0.04)


def training_dropout(ratio: float, **attributes: object) -> tuple[Array, Array]:
    node = helper.make_node("Dropout", ["x", "r", "t"], ["y", "mask"], **attributes)
    constants = {"r": np.array(ratio, np.float32), "t": np.array(True)}
    module = import_model(model_of([node], {"x": X}, ["y", "mask"], constants))
    results = Session(module).run({"x": X})
    return results["y"], results["mask"]


def test_dropout_in_training() -> None:
    result, mask = training_dropout(0.25, seed=5)
    assert 0 < mask.sum() < mask.size
    np.testing.assert_allclose(result, np.where(mask, X / 0.75, 0), rtol=1e-6)


def test_dropout_of_nothing_needs_no_seed() -> None:
    result, mask = training_dropout(0.0)
    np.testing.assert_array_equal(result, X)
    assert mask.all()


@pytest.mark.parametrize(
    ("attributes", "problem"),
    [
        ({}, "has no seed, so its numbers are others at each run; give it a seed"),
        ({"seed": -1}, "attribute 'seed' is -1, it must be from 0 to 4294967295"),
    ],
)
def test_dropout_in_training_refuses(attributes: dict[str, object], problem: str) -> None:
    with pytest.raises(HtpError) as caught:
        training_dropout(0.25, **attributes)
    assert problem in caught.value.faults[0].line()


@pytest.mark.parametrize(
    ("op", "attributes", "problem"),
    [
        ("RandomUniform", {"shape": [2]}, "has no seed"),
        ("RandomNormal", {"shape": [2**14, 2**13], "seed": 0.0}, "draws 134217728 numbers"),
    ],
)
def test_what_cannot_be_drawn(op: str, attributes: dict[str, object], problem: str) -> None:
    with pytest.raises(HtpError) as caught:
        import_model(model_of([helper.make_node(op, [], ["y"], **attributes)], {}, ["y"]))
    assert problem in caught.value.faults[0].line()
