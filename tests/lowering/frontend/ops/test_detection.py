"""NonMaxSuppression against ONNX Runtime, whose rows come first; the rest are -1."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.runtime.session.session import Session
from onnx import helper

from ..cases.case import (
    Case,
    case,
    f32,
    i64,
)
from ..models import Array, judged, model_of

_RANDOM = np.random.default_rng(0)
FIRST = _RANDOM.uniform(0, 1, (2, 12, 2)).astype(np.float32)
SIZES = _RANDOM.uniform(0.2, 0.6, (2, 12, 2)).astype(np.float32)
BOXES = np.concatenate([FIRST, FIRST + SIZES], axis=2)
SCORES = _RANDOM.uniform(0, 1, (2, 3, 12)).astype(np.float32)
CENTRED = np.concatenate([FIRST, SIZES], axis=2)
FLAT = BOXES * f32(1, 1, 0, 1)
TIED = np.round(SCORES * 3) / 3


@pytest.mark.parametrize(
    "one",
    [
        case("NonMaxSuppression", BOXES, SCORES, i64(4), f32(0.3), f32(0.4), fixed=2),
        case("NonMaxSuppression", BOXES[:, :, [2, 3, 0, 1]], SCORES, i64(4), f32(0.3), fixed=2),
        case("NonMaxSuppression", BOXES, TIED, np.array(3), fixed=2),
        case("NonMaxSuppression", FLAT, SCORES, i64(99), f32(0.1), fixed=2),
        case("NonMaxSuppression", BOXES, SCORES, i64(4), f32(0.3), f32(2), fixed=2),
        case("NonMaxSuppression", BOXES, SCORES, fixed=2),
        case(
            *("NonMaxSuppression", CENTRED, SCORES, i64(20), f32(0.5), f32(0.1)),
            **{"fixed": 2, "center_point_box": 1},
        ),
    ],
    ids=["corners", "flipped", "tied", "flat", "none", "no number", "centred"],
)
def test_the_taken_boxes_come_first(one: Case) -> None:
    feeds, model = one.model()
    wanted = judged(model, feeds)["y0"]
    module = import_model(model)
    for level in (module, lower(module)):
        rows = Session(level, check=True).run(feeds)["y0"]
        assert rows.dtype == wanted.dtype
        np.testing.assert_array_equal(rows[: len(wanted)], wanted)
        assert (rows[len(wanted) :] == -1).all()


def test_what_follows_knows_the_bound() -> None:
    """A detector gathers the boxes that were taken: 2 * 3 * 4 rows of them."""
    nodes = [
        helper.make_node("NonMaxSuppression", ["b", "s", "most"], ["rows"]),
        helper.make_node("Slice", ["rows", "two", "three", "one"], ["places"]),
        helper.make_node("Squeeze", ["places", "one"], ["flat"]),
        helper.make_node("Shape", ["flat"], ["count"]),
    ]
    constants = {"most": i64(4), "one": i64(1), "two": i64(2), "three": i64(3)}
    feeds: dict[str, Array] = {"b": BOXES, "s": SCORES}
    model = model_of(nodes, feeds, ["flat", "count"], constants)
    results = Session(import_model(model)).run(feeds)
    assert results["flat"].shape == (24,)
    assert results["count"].tolist() == [24]


def test_a_number_of_boxes_that_is_data_is_refused() -> None:
    _, model = case("NonMaxSuppression", BOXES, SCORES, i64(4), fixed=3).model()
    with pytest.raises(HtpError, match="input 2 \\('x2'\\) is not constant"):
        import_model(model)
