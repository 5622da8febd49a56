"""Calibration: ranges over successive inferences, shared encodings, the methods."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.qti_aisw.choices import BufferMode
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.lowering.quantization import Encoding, calibrate
from htp_mlir.lowering.quantization.calibrate import BINS, METHODS, Histogram, method_of
from htp_mlir.lowering.quantization.encodings import grid, symmetric
from htp_mlir.lowering.quantization.measure import outputs_of, worst_ratio
from htp_mlir.runtime.functions.quantize import dequantize

from tests.support.graph import Graph, Model

from .kit import feeds_of, quantised


def sine() -> Model:
    graph = Graph()
    graph.give("y", graph.op("ElementWiseSin", graph.input(1, 4)))
    return graph.model()


def spread(encoding: Encoding) -> tuple[float, float]:
    """The ends of a u8 grid in real numbers."""
    assert encoding.quant is not None
    scale, zero = encoding.quant.scale, encoding.quant.zero_point
    return -zero * scale, (255 - zero) * scale


def test_the_range_is_that_of_all_inferences() -> None:
    feeds = [{"x0": np.full((1, 4), value, np.float32)} for value in (-1.0, 0.5, 3.0)]
    encodings = calibrate(sine().module, feeds).activations
    assert spread(encodings["x0"]) == pytest.approx((-1, 3), abs=0.02)
    assert spread(encodings["y"]) == pytest.approx((-np.sin(1), np.sin(0.5)), abs=0.02)


def test_state_is_kept_from_one_inference_to_the_next() -> None:
    graph = Graph()
    mode = BufferMode.NON_BLOCKING_LEFT
    y = graph.op("Buffer", graph.input(1, 1), buffer_size=3, buffer_dim=0, mode=mode)
    graph.give("y", graph.op("ReduceSum", y, axes=(0,)))
    feeds = [{"x0": np.ones((1, 1), np.float32)}] * 3
    encodings = calibrate(graph.model().module, feeds).activations
    assert spread(encodings["y"])[1] == pytest.approx(3)


def test_what_is_joined_shares_an_encoding() -> None:
    graph = Graph()
    small, large = graph.input(1, 4, low=-1, high=1), graph.input(1, 4, low=5, high=9)
    graph.give(
        "y", graph.op("Concat", [small, large, graph.const(np.full((1, 2), 20.0, "f4"))], axis=1)
    )
    model = graph.model()
    encodings = calibrate(model.module, [model.feeds(0)]).activations
    assert encodings["x0"] == encodings["x1"] == encodings["y"]
    assert spread(encodings["y"])[1] == pytest.approx(20, abs=0.1)


def test_a_constant_joins_no_groups_that_read_it() -> None:
    graph = Graph()
    zero, x = graph.const(np.float32(0)), graph.input(4, 4)
    keep = graph.op("ElementWiseLess", x, zero)
    graph.give("c", graph.op("Reshape", keep, shape=(16,)))
    graph.give("a", graph.op("ElementWiseSelect", keep, zero, graph.const(np.float32(-1e30))))
    graph.give("b", graph.op("ElementWiseSelect", keep, zero, graph.op("Sigmoid", x)))
    model = graph.model()
    encodings = calibrate(model.module, [model.feeds(0)]).activations
    assert spread(encodings["a"]) == pytest.approx((-1e30, 0), rel=1e-3)
    assert spread(encodings["b"]) == pytest.approx((0, 0.85), abs=0.1)


@pytest.mark.parametrize("low", [-1e4, np.finfo(np.float32).min])
@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize(("activations", "ratio"), [("u8", 25), ("u16", 60)])
def test_a_masked_score_leaves_steps_for_the_others(
    low: float, is_known: bool, activations: str, ratio: float
) -> None:
    graph = Graph()
    mask = graph.const(np.where(np.tri(6, dtype=bool), 0, low).astype(np.float32))
    if not is_known:
        keep = graph.const(np.tri(6, dtype=bool), DType.Bool8)
        numbers = graph.const(np.float32(0)), graph.const(np.float32(low))
        mask = graph.op("Reshape", graph.op("ElementWiseSelect", keep, *numbers), shape=(6, 6))
    scores = graph.op("ElementWiseAdd", graph.input(6, 6, low=-2, high=2), mask)
    graph.give("y", graph.op("Softmax", scores))
    model = graph.model()
    module, feeds = quantised(model, activations), feeds_of(model)
    exact, rounded = outputs_of(model.module, feeds), outputs_of(module, feeds)
    assert worst_ratio(exact, rounded) > ratio
    (total,) = (op for op in module.walk() if op.name == "qti_aisw.ElementWiseAdd")
    for value in (*total.operands, *total.results):
        quant = spec_of(value).quant
        assert quant is not None
        assert quant.scale < 0.2


def test_a_tensor_that_is_not_finite_has_no_encoding() -> None:
    graph = Graph()
    graph.give("y", graph.op("ElementWiseLog", graph.input(1, 4)))
    feeds = [{"x0": np.array([[1, 2, 0, 3]], np.float32)}]
    assert list(calibrate(graph.model().module, feeds).activations) == ["x0"]


def test_no_inference_is_refused() -> None:
    with pytest.raises(HtpError, match="there are no inputs"):
        calibrate(sine().module, [])


@pytest.mark.parametrize("option", ["method", "activations"])
def test_an_unknown_choice_is_refused(option: str) -> None:
    with pytest.raises(HtpError, match="known are"):
        calibrate(sine().module, [], **{option: "u7"})


def histogram_of(*arrays: np.ndarray) -> Histogram:
    histogram = Histogram()
    for array in arrays:
        histogram.add(array)
    return histogram


def test_a_histogram_counts_all_numbers_as_its_range_grows() -> None:
    generator = np.random.default_rng(0)
    arrays = [generator.normal(0, scale, 500) for scale in (1, 4, 2)]
    histogram = histogram_of(*arrays)
    numbers = np.concatenate(arrays)
    assert histogram.counts.sum() == 1500
    assert (histogram.low, histogram.high) == (numbers.min(), numbers.max())
    width = (histogram.high - histogram.low) / BINS
    mean = (histogram.counts * histogram.centers).sum() / 1500
    assert mean == pytest.approx(numbers.mean(), abs=width)


def test_merged_histograms_count_what_both_did() -> None:
    one, other = histogram_of(np.arange(4.0)), histogram_of(np.arange(-9.0, 0))
    one.merge(other)
    assert (one.low, one.high, one.counts.sum()) == (-9, 3, 13)


def error(numbers: np.ndarray, encoding: Encoding) -> float:
    assert encoding.quant is not None
    scale, zero = encoding.quant.scale, encoding.quant.zero_point
    stored = np.clip(np.rint(numbers / scale) + zero, 0, 255)
    return float((((stored - zero) * scale - numbers) ** 2).mean())


def outlying() -> np.ndarray:
    """Numbers of a normal distribution, and two far from all others."""
    return np.concatenate([np.random.default_rng(1).normal(0, 1, 20_000), [60, -60]])


def test_mse_has_the_least_error() -> None:
    numbers = np.random.default_rng(1).laplace(0, 1, 50_000)
    histogram = histogram_of(numbers)
    grids = {
        name: grid(*choose(histogram, DType.QUInt8), DType.QUInt8)
        for name, choose in METHODS.items()
    }
    errors = {name: error(numbers, encoding) for name, encoding in grids.items()}
    assert min(errors, key=errors.__getitem__) == "mse"
    assert errors["mse"] < errors["min-max"]


@pytest.mark.parametrize("method", ["percentile", "entropy"])
def test_outliers_are_left_out(method: str) -> None:
    low, high = method_of(method)(histogram_of(outlying()), DType.QUInt8)
    assert -20 < low < -2
    assert 2 < high < 20


def test_zero_is_on_every_grid() -> None:
    assert spread(grid(2, 5, DType.QUInt8)) == pytest.approx((0, 5))
    assert spread(grid(-5, -2, DType.QUInt8)) == pytest.approx((-5, 0))
    assert grid(0, 0, DType.QUInt8).quant is not None


@pytest.mark.parametrize("dtype", [DType.QUInt8, DType.QUInt16, DType.QInt16])
def test_the_ends_of_a_grid_are_finite(dtype: DType) -> None:
    for part in np.linspace(0.9, 1, 40):
        least = -float(part * np.finfo(np.float32).max)
        quant = grid(least, 0, dtype).quant
        assert quant
        bounds = np.iinfo(dtype.storage.str)
        assert np.isfinite(
            dequantize(np.array(bounds.min, dtype.storage), quant.scale, quant.zero_point)
        )


def test_a_signed_grid_is_symmetric() -> None:
    assert grid(-1, 3, DType.QInt8) == symmetric([3.0], DType.QInt8)
