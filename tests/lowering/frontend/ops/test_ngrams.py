"""TfIdfVectorizer of numbers against ONNX Runtime, at both ends of the lowering."""

from __future__ import annotations

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.runtime import Session
from onnx import ModelProto, helper

from ..models import Array, judged, model_of

TOKENS = np.array([[5, 6, 7, 8, 6, 7], [5, 6, 5, 6, 5, 6], [2, 2, 2, 2, 2, 2]], np.int32)
POOL = {"pool_int64s": [2, 3, 5, 5, 6, 7, 8, 6, 7], "ngram_counts": [0, 3]}
PLACES = {"ngram_indexes": [0, 1, 2, 3, 4, 6]}
WEIGHTS = [0.5, 1.0, 2.0, 3.0, 0.25, 1.5]


def model(x: Array, **attributes: object) -> ModelProto:
    usual = {"mode": "TF", "min_gram_length": 1, "max_gram_length": 2, "max_skip_count": 0}
    stated = {**usual, **POOL, **PLACES, **attributes}
    return model_of([helper.make_node("TfIdfVectorizer", ["x"], ["y"], **stated)], {"x": x}, ["y"])


@pytest.mark.one_per
@pytest.mark.parametrize(
    ("x", "attributes"),
    [
        (TOKENS, {}),
        (TOKENS, {"max_skip_count": 2}),
        (TOKENS, {"min_gram_length": 2, "max_skip_count": 9}),
        (TOKENS, {"max_gram_length": 1, "max_skip_count": 3}),
        (TOKENS, {"mode": "IDF"}),
        (TOKENS, {"mode": "IDF", "weights": WEIGHTS}),
        (TOKENS, {"mode": "TFIDF", "weights": WEIGHTS, "ngram_indexes": [5, 4, 3, 2, 1, 0]}),
        (TOKENS[0].astype(np.int64), {}),
        (TOKENS[:, :1], {"min_gram_length": 2}),
    ],
)
def test_counts(x: Array, attributes: dict[str, object]) -> None:
    one = model(x, **attributes)
    module = import_model(one)
    for level in (module, lower(module)):
        got = Session(level, check=True).run({"x": x})["y"]
        np.testing.assert_array_equal(got, judged(one, {"x": x})["y"])


@pytest.mark.parametrize(
    ("attributes", "problem"),
    [
        ({"mode": "DF"}, "attribute 'mode' is DF"),
        ({"ngram_counts": [5, 3]}, "do not fit n-grams of size 1"),
        ({"ngram_indexes": [0, 1, 2, 3]}, "do not fit n-grams of size 2"),
        ({"pool_strings": ["a"]}, "holds text"),
        ({"mode": "IDF", "weights": [0.5]}, "attribute 'weights' has 1 numbers, not 6"),
    ],
)
def test_lists_that_do_not_fit(attributes: dict[str, object], problem: str) -> None:
    with pytest.raises(HtpError, match=problem):
        import_model(model(TOKENS, **attributes))
