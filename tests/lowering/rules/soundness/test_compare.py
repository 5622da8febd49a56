"""What counts as a difference of two outputs: more than the rounding of their dtype."""

import numpy as np
import pytest
from htp_mlir.dialects.spec_of import Array
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering.rules.soundness.run import difference

FLOATS = TensorSpec((3,), DType.Float32)
STORED = TensorSpec((3,), DType.QUInt8, Quant((0.5,), (0,)))
"""A step is no power of ten, and no 1."""


def told(before: Array, spec: TensorSpec = FLOATS, noise: float = 0.0, **wrong: float) -> str:
    """The difference of an output from the one whose last element is off."""
    after = before.copy()
    after[-1, -1] += wrong.pop("off")
    return difference(before, after, spec, noise, **wrong) or ""


@pytest.mark.parametrize(("off", "differs"), [(0, False), (1, False), (2, True), (3, True)])
def test_stored_numbers_may_be_one_step_apart(off: int, differs: bool) -> None:
    assert bool(told(np.uint8([[4, 5, 6]]), STORED, off=off)) is differs


@pytest.mark.parametrize(("relaxed", "differs"), [(False, True), (True, False)])
def test_floats_are_compared_as_f16_where_that_is_said(relaxed: bool, differs: bool) -> None:
    before = np.float32([[1, 2, 3]])
    assert bool(told(before, off=5e-3, relaxed=relaxed)) is differs
    assert told(before, off=5e-3)
    assert not told(before, off=1e-5)


def test_twice_the_noise_is_allowed() -> None:
    before = np.float32([[1, 2, 3]])
    assert [bool(told(before, noise=0.1, off=off)) for off in (0.15, 0.25)] == [False, True]


def test_the_first_place_is_named_with_its_inference_where_there_are_several() -> None:
    one, two = np.float32([[1, 2, 3]]), np.float32([[1, 2, 3], [4, 5, 6]])
    assert told(one, off=1) == "1 of 3 elements, the first at [2]: 3 before, 4 after"
    assert told(two, off=1) == "1 of 6 elements, the first at inference 1, [2]: 6 before, 7 after"
