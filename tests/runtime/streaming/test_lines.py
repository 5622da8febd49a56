"""Results as lines of text and JSON."""

import json

import numpy as np
from htp_mlir.runtime.streaming.run import json_line, text_line


def test_small_results_are_written_out_and_large_ones_summed_up() -> None:
    results = {
        "p": np.array([[0.1, 1e9, np.nan]], np.float32),
        "w": np.arange(9).reshape(3, 3),
        "none": np.zeros((0, 2), np.float32),
    }
    assert text_line(4, results) == (
        "step 4: p 0.1 1e+09 nan; w 3x3 int64, min 0, mean 4, max 8; none 0x2 float32, empty\n"
    )


def test_json_has_every_element_and_null_where_none_is_finite() -> None:
    results = {
        "f": np.array([[0.5, np.inf], [np.nan, -1]], np.float32),
        "b": np.array([True, False]),
        "i": np.array(3, np.uint8),
        "scalar": np.array(np.nan),
    }
    line = json_line(0, results)
    assert line.index("\n") == len(line) - 1
    outputs = {"f": [[0.5, None], [None, -1]], "b": [True, False], "i": 3, "scalar": None}
    assert json.loads(line) == {"step": 0, "outputs": outputs}


def test_json_keeps_the_bits_of_a_float() -> None:
    values = np.random.default_rng(0).standard_normal(50).astype(np.float32)
    (again,) = json.loads(json_line(0, {"y": values}))["outputs"].values()
    np.testing.assert_array_equal(np.array(again, np.float32), values)
