"""Equalisation, bias correction, sensitivity and f16: each keeps or betters the numbers."""

from dataclasses import replace

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.lowering import lower
from htp_mlir.lowering.quantization import (
    calibrate,
    correct_bias,
    equalize,
    quantize,
    sensitivities,
    with_f16,
)
from htp_mlir.lowering.quantization.encodings import grid
from htp_mlir.lowering.quantization.measure import outputs_of, worst_ratio

from tests.support.graph import Graph

from .kit import coarse, encodings_of, feeds_of, ops_of, uneven


def test_equal_ranges_keep_the_numbers_and_lose_less() -> None:
    model = uneven()
    feeds, module = feeds_of(model), model.module.clone()
    exact = outputs_of(model.module, feeds)
    plain = worst_ratio(exact, outputs_of(quantize(module, calibrate(module, feeds)), feeds))
    assert equalize(module) == 1
    assert worst_ratio(exact, outputs_of(module, feeds)) > 100
    better = worst_ratio(exact, outputs_of(quantize(module, calibrate(module, feeds)), feeds))
    assert better > plain + 10


def test_a_tensor_that_others_read_is_not_scaled() -> None:
    graph = Graph()
    x = graph.op("FullyConnected", graph.input(2, 4), graph.weights(4, 4))
    graph.give("x", x)
    graph.give("y", graph.op("FullyConnected", x, graph.weights(4, 4)))
    assert equalize(graph.model().module) == 0


WIDE = {"x0": grid(0, 2, DType.QUInt16), "y": grid(0, 400, DType.QUInt16)}
"""Encodings that clip nothing."""


def test_the_mean_error_of_weights_goes_into_the_bias() -> None:
    graph = Graph()
    x = graph.input(16, 64, low=1, high=2)
    weights = np.full((2, 64), 0.3, np.float32)
    weights[:, 0] = 60
    graph.give("y", graph.op("FullyConnected", x, graph.const(weights), graph.weights(2)))
    model = graph.model()
    feeds, module = feeds_of(model), model.module.clone()
    exact = outputs_of(model.module, feeds)["y"].mean()
    encodings = replace(calibrate(module, feeds, activations="u16"), activations=WIDE)
    before = outputs_of(quantize(module, encodings), feeds)["y"]
    assert correct_bias(module, feeds) == 1
    after = outputs_of(quantize(module, encodings), feeds)["y"]
    assert abs(after.mean() - exact) < abs(before.mean() - exact) / 10


def test_the_most_sensitive_op_comes_first_and_goes_to_f16() -> None:
    model = coarse()
    feeds, encodings = feeds_of(model), encodings_of(model)
    rows = sensitivities(model.module, encodings, feeds)
    assert [row.op.rpartition(".")[2] for row in rows] == ["Sigmoid", "ElementWiseMultiply", "Tanh"]
    assert [row.ratio for row in rows] == sorted(row.ratio for row in rows)
    least = rows[0].ratio + 6
    mixed, chosen = with_f16(model.module, encodings, feeds, least)
    assert chosen == rows[: len(chosen)]
    module = quantize(model.module, mixed)
    exact = outputs_of(model.module, feeds)
    assert worst_ratio(exact, outputs_of(module, feeds)) >= least
    assert "Cast" in ops_of(module)
    lowered = outputs_of(lower(module), feeds, check=True)
    assert worst_ratio(exact, lowered) >= least


def test_a_ratio_out_of_reach_is_refused() -> None:
    model = coarse()
    with pytest.raises(HtpError, match="300 is asked for"):
        with_f16(model.module, encodings_of(model), feeds_of(model), 300)
