"""LSTM and GRU against ONNX Runtime, with random weights: constant ones hide a wrong gate order."""

from itertools import product

import numpy as np
import pytest
from htp_mlir.runtime.functions.rnn import Direction, gru, lstm

BOOLS = (False, True)
TOLERANCE = {"rtol": 1e-5, "atol": 2e-6}
LSTM_CASES = list(product(Direction, BOOLS, BOOLS, BOOLS, BOOLS, BOOLS, range(2)))
GRU_CASES = list(product(Direction, BOOLS, BOOLS, BOOLS, BOOLS, BOOLS, range(2)))


class Layer:
    """Random arrays of a recurrent layer with `gates` gates."""

    def __init__(self, seed, direction, gates):
        self.rng = np.random.default_rng(seed)
        self.seq, self.batch, self.size, self.hidden = (int(n) for n in self.rng.integers(1, 6, 4))
        self.dirs = len(direction.reversals)
        self.x = self.random(self.seq, self.batch, self.size)
        self.w = self.random(self.dirs, gates * self.hidden, self.size)
        self.r = self.random(self.dirs, gates * self.hidden, self.hidden)
        self.b = self.random(self.dirs, 2 * gates * self.hidden)
        self.state = self.random(self.dirs, self.batch, self.hidden)
        self.cell = self.random(self.dirs, self.batch, self.hidden)
        self.peepholes = self.random(self.dirs, 3 * self.hidden)
        self.lens = self.rng.integers(1, self.seq + 1, self.batch).astype(np.int32)

    def random(self, *shape):
        return self.rng.standard_normal(shape).astype(np.float32)


def attributes(layer, direction, clip, **flags):
    settings = {"hidden_size": layer.hidden, "direction": direction.value}
    settings |= {name: int(value) for name, value in flags.items()}
    return settings if clip is None else settings | {"clip": clip}


def assert_all_close(got, want):
    for mine, theirs in zip(got, want, strict=True):
        assert mine.dtype == np.float32
        np.testing.assert_allclose(mine, theirs, **TOLERANCE)


@pytest.mark.one_per("direction")
@pytest.mark.parametrize(
    ("direction", "lens", "clip", "peep", "init", "forget", "seed"), LSTM_CASES
)
def test_lstm_agrees(onnx_op, direction, lens, clip, peep, init, forget, seed):
    layer = Layer(
        seed + 7 * LSTM_CASES.index((direction, lens, clip, peep, init, forget, seed)), direction, 4
    )
    bound = 0.6 if clip else None
    bias = layer.b if seed else None
    inputs = [
        layer.x, layer.w, layer.r, bias,
        layer.lens if lens else None,
        layer.state if init else None,
        layer.cell if init else None,
        layer.peepholes if peep else None,
    ]  # fmt: skip
    want = onnx_op("LSTM", inputs, 3, **attributes(layer, direction, bound, input_forget=forget))
    got = lstm(*inputs, direction=direction, clip=bound, input_forget=forget)
    assert_all_close(got, want)


@pytest.mark.one_per("direction")
@pytest.mark.parametrize(("direction", "lens", "clip", "bias", "init", "linear", "seed"), GRU_CASES)
def test_gru_agrees(onnx_op, direction, lens, clip, bias, init, linear, seed):
    layer = Layer(
        seed + 7 * GRU_CASES.index((direction, lens, clip, bias, init, linear, seed)), direction, 3
    )
    bound = 0.6 if clip else None
    inputs = [
        layer.x, layer.w, layer.r,
        layer.b if bias else None,
        layer.lens if lens else None,
        layer.state if init else None,
    ]  # fmt: skip
    want = onnx_op(
        "GRU", inputs, 2, **attributes(layer, direction, bound, linear_before_reset=linear)
    )
    got = gru(*inputs, direction=direction, clip=bound, linear_before_reset=linear)
    assert_all_close(got, want)
