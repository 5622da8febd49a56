"""What the state of a recurrent layer does between chunks, at length 0, and in reverse."""

import numpy as np
import pytest
from htp_mlir.runtime.functions.rnn import Direction, gru, lstm

RNG = np.random.default_rng(3)
SEQ, BATCH, SIZE, HIDDEN = 6, 3, 4, 5


def random(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


X = random(SEQ, BATCH, SIZE)
H0 = random(2, BATCH, HIDDEN)
C0 = random(2, BATCH, HIDDEN)
LSTM_WEIGHTS = (random(2, 4 * HIDDEN, SIZE), random(2, 4 * HIDDEN, HIDDEN), random(2, 8 * HIDDEN))
GRU_WEIGHTS = (random(2, 3 * HIDDEN, SIZE), random(2, 3 * HIDDEN, HIDDEN), random(2, 6 * HIDDEN))
CLOSE = {"rtol": 1e-5, "atol": 1e-6}


def test_forward_lstm_in_two_chunks_is_one_long_run():
    whole, h, c = lstm(X, *LSTM_WEIGHTS, h0=H0, c0=C0)
    first, h1, c1 = lstm(X[:2], *LSTM_WEIGHTS, h0=H0, c0=C0)
    second, h2, c2 = lstm(X[2:], *LSTM_WEIGHTS, h0=h1, c0=c1)
    np.testing.assert_allclose(np.concatenate([first, second]), whole, **CLOSE)
    np.testing.assert_allclose(h2, h, **CLOSE)
    np.testing.assert_allclose(c2, c, **CLOSE)


def test_forward_gru_in_two_chunks_is_one_long_run(onnx_op):
    forward = tuple(part[:1] for part in GRU_WEIGHTS)
    first, h1 = gru(X[:2], *forward, h0=H0[:1])
    second, h2 = gru(X[2:], *forward, h0=h1)
    want, want_h = onnx_op("GRU", [X, *forward, None, H0[:1]], 2, hidden_size=HIDDEN)
    np.testing.assert_allclose(np.concatenate([first, second]), want, **CLOSE)
    np.testing.assert_allclose(h2, want_h, **CLOSE)


def test_lstm_chunks_agree_with_the_oracle_run_once(onnx_op):
    forward = tuple(part[:1] for part in LSTM_WEIGHTS)
    first, h1, c1 = lstm(X[:3], *forward)
    second, h2, c2 = lstm(X[3:], *forward, h0=h1, c0=c1)
    want = onnx_op("LSTM", [X, *forward], 3, hidden_size=HIDDEN)
    for got, expected in zip((np.concatenate([first, second]), h2, c2), want, strict=True):
        np.testing.assert_allclose(got, expected, **CLOSE)


def test_reverse_chunks_differ_from_one_long_run():
    whole, _, _ = lstm(X, *LSTM_WEIGHTS, direction=Direction.REVERSE)
    first, h, c = lstm(X[:3], *LSTM_WEIGHTS, direction=Direction.REVERSE)
    second, _, _ = lstm(X[3:], *LSTM_WEIGHTS, h0=h, c0=c, direction=Direction.REVERSE)
    assert not np.allclose(np.concatenate([first, second]), whole, atol=1e-3)


def test_reverse_carries_the_state_after_step_zero():
    y, h = gru(X, *GRU_WEIGHTS, direction=Direction.REVERSE)
    np.testing.assert_array_equal(h[0], y[0, 0])


def test_bidirectional_is_two_independent_layers():
    y, h, c = lstm(X, *LSTM_WEIGHTS, h0=H0, c0=C0, direction=Direction.BIDIRECTIONAL)
    for d, direction in enumerate((Direction.FORWARD, Direction.REVERSE)):
        one = [part[d : d + 1] for part in LSTM_WEIGHTS]
        y1, h1, c1 = lstm(X, *one, h0=H0[d : d + 1], c0=C0[d : d + 1], direction=direction)
        np.testing.assert_array_equal(y[:, d], y1[:, 0])
        np.testing.assert_array_equal(h[d], h1[0])
        np.testing.assert_array_equal(c[d], c1[0])


@pytest.mark.parametrize("direction", list(Direction))
def test_length_zero_keeps_the_incoming_state(direction):
    dirs = len(direction.reversals)
    lens = np.array([0, SEQ, 0], np.int32)
    lstm_part = [part[:dirs] for part in LSTM_WEIGHTS]
    y, h, c = lstm(X, *lstm_part, lens, H0[:dirs], C0[:dirs], direction=direction)
    np.testing.assert_array_equal(h[:, [0, 2]], H0[:dirs, [0, 2]])
    np.testing.assert_array_equal(c[:, [0, 2]], C0[:dirs, [0, 2]])
    assert not y[:, :, [0, 2]].any()
    assert y[:, :, 1].all()
    _, h = gru(X, *(part[:dirs] for part in GRU_WEIGHTS), lens, H0[:dirs], direction=direction)
    np.testing.assert_array_equal(h[:, [0, 2]], H0[:dirs, [0, 2]])


@pytest.mark.parametrize("length", [-1, SEQ + 1])
def test_length_outside_the_sequence_is_named(length):
    lens = np.array([1, length, 2], np.int32)
    with pytest.raises(ValueError, match=rf"sequence length {length} is outside \[0, {SEQ}\]"):
        lstm(X, *LSTM_WEIGHTS, lens)
    with pytest.raises(ValueError, match=rf"sequence length {length} is outside \[0, {SEQ}\]"):
        gru(X, *GRU_WEIGHTS, lens)


def test_half_precision_is_computed_in_single():
    half = [part.astype(np.float16) for part in (X, *GRU_WEIGHTS)]
    y, h = gru(*half, direction=Direction.BIDIRECTIONAL)
    want, _ = gru(*(part.astype(np.float32) for part in half), direction=Direction.BIDIRECTIONAL)
    assert y.dtype == h.dtype == np.float16
    np.testing.assert_array_equal(y, want.astype(np.float16))


def test_arguments_are_left_alone():
    before = [part.copy() for part in (X, H0, C0)]
    lstm(X, *LSTM_WEIGHTS, h0=H0, c0=C0)
    for part, copy in zip((X, H0, C0), before, strict=True):
        np.testing.assert_array_equal(part, copy)
