"""The kernels that block ops become: a step of a buffer, ids of packed sequences."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import TensorSpec

from ..harness import (
    computed,
    dims,
    held,
    ints,
    poisoned,
    run,
    selected,
)

LEFT, RIGHT = 1, 2


def trace(mode: int, size: int, stride: int, padding: int, steps: int) -> list[str]:
    """The buffer's output after each step; step t brings one row that holds t."""
    content = held(np.zeros((1, 1, size, 1), np.float32))
    counters = ints(padding, int(padding == size))
    rows = []
    for t in range(1, steps + 1):
        inp = held(np.full((1, 1, 1, 1), t, np.float32))
        operands = [content, counters, inp, ints(2), ints(stride), ints(mode)]
        outs = [content.spec, content.spec, counters.spec]
        out, kept, counted = computed("BufferStep", outs, operands)
        rows.append("".join(str(int(value)) for value in out.flat))
        content, counters = held(kept), held(counted)
    return rows


@pytest.mark.parametrize(
    ("mode", "size", "stride", "padding", "expected"),
    [
        (LEFT, 3, 1, 0, ["100", "120", "123", "234", "345"]),
        (RIGHT, 3, 1, 0, ["001", "012", "123", "234", "345"]),
        (LEFT, 3, 2, 0, ["100", "120", "123", "340", "345"]),
        (RIGHT, 3, 2, 0, ["001", "012", "123", "340", "345"]),
        (LEFT, 4, 1, 2, ["0010", "0012", "0123"]),
        (RIGHT, 4, 1, 2, ["0001", "0012", "0123"]),
        (LEFT, 4, 4, 0, ["1000", "1200", "1230", "1234", "5000"]),
        (RIGHT, 4, 4, 0, ["0001", "0012", "0123", "1234", "5000"]),
    ],
)
def test_buffer_traces(
    mode: int, size: int, stride: int, padding: int, expected: list[str]
) -> None:
    assert trace(mode, size, stride, padding, len(expected)) == expected


def test_the_empty_part_of_a_quantised_buffer_is_its_zero_point() -> None:
    spec = TensorSpec((1, 1, 3, 2), DType.QUInt8, Quant((0.5,), (7,)))
    content, inp = poisoned(spec), poisoned(spec.with_shape((1, 1, 1, 2)))
    content.store(np.zeros(spec.shape, np.float32))
    inp.store(np.ones((1, 1, 1, 2), np.float32))
    operands = [content, ints(0, 0), inp, ints(2), ints(1), ints(LEFT)]
    outs = [poisoned(spec), poisoned(spec), poisoned(operands[1].spec)]
    run(selected("BufferStep", [out.spec for out in outs], operands), outs, operands)
    assert outs[0].stored()[0, 0].tolist() == [[9, 9], [7, 7], [7, 7]]


def test_ids_of_sequences() -> None:
    lengths = ints(1, 3, 0, 2, 2, 2, shape=(1, 1, 2, 3))
    out = TensorSpec((2, 1, 1, 8), DType.Int32)
    (ids,) = computed("SequenceIds", [out], [lengths, dims(2, 1, 1, 8)])
    assert ids.reshape(2, 8).tolist() == [[0, 1, 1, 1, 3, 3, 3, 3], [0, 0, 1, 1, 2, 2, 3, 3]]


@pytest.mark.parametrize(
    ("lengths", "message"),
    [
        ((1, -2, 3), r"htp.SequenceIds: sequence length -2 is negative"),
        ((3, 3, 3), r"htp.SequenceIds: .* add up to 9, more than the 8"),
    ],
)
def test_wrong_lengths_fail_the_run(lengths: tuple[int, ...], message: str) -> None:
    out = TensorSpec((1, 1, 1, 8), DType.Int32)
    with pytest.raises(HtpError, match=message):
        computed("SequenceIds", [out], [ints(*lengths), dims(1, 1, 1, 8)])
