"""The Buffer step against its traces: digit n stands for the rows of input n, '-' for not ready."""

import numpy as np
import pytest
from htp_mlir.runtime.functions.buffer import BufferMode, buffer_step, initial_content

LEFT = BufferMode.NON_BLOCKING_LEFT
RIGHT = BufferMode.NON_BLOCKING_RIGHT
BLOCKING = BufferMode.BLOCKING


def trace(mode, size, stride, steps, padding=0, rows=1, resets=(), dim=1, fill=0):
    """The outputs of `steps` inferences as strings; `resets` are step numbers from 1."""
    shape = [2, 2, 2, 2]
    shape[dim] = size
    start = initial_content(shape, np.dtype(np.int32), padding, dim, fill)
    content, counters = start
    seen = []
    for t in range(1, steps + 1):
        content, counters = start if t in resets else (content, counters)
        numbers = np.arange((t - 1) * rows, t * rows) + 1
        inp = np.moveaxis(np.broadcast_to(numbers, (2, 2, 2, rows)), 3, dim).astype(np.int32)
        out, content, counters, ready = buffer_step(content, counters, inp, dim, stride, mode, fill)
        assert out.shape == tuple(shape)
        values = np.moveaxis(out, dim, -1).reshape(-1, size)
        assert (values == values[0]).all()
        seen.append("".join(map(str, values[0])) if ready else "-")
    return " ".join(seen)


@pytest.mark.one_per("mode")
@pytest.mark.parametrize(
    ("mode", "stride", "want"),
    [
        (LEFT, 1, "100 120 123 234 345"),
        (RIGHT, 1, "001 012 123 234 345"),
        (BLOCKING, 1, "- - 123 234 345"),
        (LEFT, 2, "100 120 123 340 345"),
        (RIGHT, 2, "001 012 123 340 345"),
        (BLOCKING, 2, "- - 123 - 345"),
    ],
)
@pytest.mark.parametrize("dim", range(4))
def test_three_rows(mode, stride, want, dim):
    assert trace(mode, 3, stride, 5, dim=dim) == want


@pytest.mark.parametrize(
    ("mode", "want"),
    [
        (LEFT, "0010 0012 0123 0040 0045 0456 4567"),
        # At step 5 the content is 0045, which is full: from there on like LEFT.
        (RIGHT, "0001 0012 0123 0004 0045 0456 4567"),
        (BLOCKING, "- 0012 0123 - 0045 0456 4567"),
    ],
)
def test_padding_and_reset(mode, want):
    assert trace(mode, 4, 1, 7, padding=2, resets={4}) == want


@pytest.mark.parametrize(
    ("mode", "want"),
    [
        (LEFT, "1000 1200 1230 1234 5000 5600"),
        (RIGHT, "0001 0012 0123 1234 5000 5600"),
        (BLOCKING, "- - - 1234 - -"),
    ],
)
def test_tumbling_window(mode, want):
    assert trace(mode, 4, 4, 6) == want


def test_two_rows_per_input():
    assert trace(LEFT, 4, 2, 4, rows=2) == "1200 1234 3456 5678"


def test_right_aligned_again_after_a_reset():
    assert trace(RIGHT, 2, 1, 4, resets={4}) == "01 12 23 04"


def test_padding_to_the_brim_is_full_from_the_start():
    assert trace(RIGHT, 3, 2, 3, padding=3) == "010 012 230"


@pytest.mark.parametrize(("mode", "want"), [(LEFT, "199 129 123 349"), (RIGHT, "991 912 123 349")])
def test_unfilled_rows_hold_the_stored_zero(mode, want):
    assert trace(mode, 3, 2, 4, fill=9) == want


def test_step_leaves_its_arguments_alone():
    content, counters = initial_content((1, 2), np.dtype(np.float32), 1, 1)
    inp = np.ones((1, 1), np.float32)
    buffer_step(content, counters, inp, 1, 1, LEFT)
    np.testing.assert_array_equal(content, [[0, 0]])
    np.testing.assert_array_equal(counters, [1, 0])


def test_counters_are_int32_and_out_keeps_the_dtype():
    content, counters = initial_content((1, 2, 1, 1), np.dtype(np.float16), 0, 1)
    inp = np.ones((1, 1, 1, 1), np.float16)
    out, content, counters, _ = buffer_step(content, counters, inp, 1, 1, LEFT)
    assert (out.dtype, content.dtype, counters.dtype) == (np.float16, np.float16, np.int32)
