"""Kernels that move, choose or convert f32 elements against the reference."""

from itertools import permutations

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.value.spec import CROUTON_TCM, FLAT_DDR
from htp_mlir.runtime.kernel.kernel import Cost
from htp_mlir.runtime.kernels.moves.movement import merged
from htp_mlir.runtime.tensors.tensor_classes import constant_tensor
from htp_mlir.runtime.tensors.tensors import Tensor

from ..harness import (
    f32,
    held,
    ints,
    outcomes,
    poisoned,
    scalar,
    selected,
)

RNG = np.random.default_rng(0)
ODD = (2, 9, 7, 33)


def random(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape).astype(np.float32)


def both(param: Tensor) -> tuple[Tensor, Tensor]:
    """A param that may change, and the same as a constant."""
    return param, constant_tensor(param.spec, param.stored())


@pytest.mark.one_per("perm")
@pytest.mark.parametrize("perm", list(permutations(range(4))))
@pytest.mark.parametrize("shape", [ODD, (1, 130, 1, 65), (3, 1, 70, 1), (1, 1, 1, 1)])
def test_transpose(shape: tuple[int, ...], perm: tuple[int, ...]) -> None:
    x = random(*shape)
    spec = f32([shape[axis] for axis in perm])
    for param in both(ints(*perm)):
        for outcome in outcomes("Transpose", [spec], [held(x), param]):
            outcome.check(0)


def test_axes_that_stay_together_are_one() -> None:
    assert merged((2, 56, 56, 64), (0, 3, 1, 2)) == ([2, 3136, 64], [0, 2, 1])
    assert merged((1, 56, 1, 64), (0, 3, 1, 2)) == ([56, 64], [1, 0])
    assert merged((1, 5, 1, 6), (0, 1, 2, 3)) == ([30], [0])
    assert merged((1, 1, 1, 1), (3, 2, 1, 0)) == ([], [])


@pytest.mark.parametrize("axis", range(4))
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_gather(axis: int, dtype: type[np.integer]) -> None:
    x, n = random(*ODD), ODD[axis]
    indices = held(np.array([0, n - 1, -1, -n, 1], dtype).reshape(1, 1, 1, 5))
    spec = f32([5 if i == axis else extent for i, extent in enumerate(ODD)])
    for param in both(scalar(axis, np.int32)):
        for outcome in outcomes("Gather", [spec], [held(x), indices, param]):
            outcome.check(0)


@pytest.mark.parametrize("index", [9, -10])
def test_gather_refuses_an_index(index: int) -> None:
    operands = [held(random(*ODD)), ints(0, index), scalar(1, np.int32)]
    spec = f32((2, 2, 7, 33))
    kernel = selected("Gather", [spec], operands)
    assert kernel.cost is Cost.FAST
    with pytest.raises(HtpError, match=rf"gather index {index} is outside \[-9, 9\) of axis 1"):
        kernel.bind([poisoned(spec)], operands)()


@pytest.mark.parametrize("op", ["Select", "ElementWiseSelect"])
@pytest.mark.parametrize(
    "shapes", [(ODD, ODD, ODD), ((2, 1, 7, 1), ODD, (1, 1, 1, 33)), (ODD, (1, 1, 1, 1), ODD)]
)
def test_select(shapes: tuple[tuple[int, ...], ...], op: str) -> None:
    condition = held(RNG.integers(0, 2, shapes[0]).astype(np.bool_))
    operands = [condition, *(held(random(*shape)) for shape in shapes[1:])]
    for outcome in outcomes(op, [f32(ODD)], operands):
        outcome.check(0)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_cast_from_integers(dtype: type[np.integer]) -> None:
    values = RNG.integers(-(2**30), 2**30, ODD).astype(dtype)
    results = list(outcomes("Cast", [f32(ODD)], [held(values)]))
    assert len(results) == 2
    for outcome in results:
        outcome.check(0)


def test_other_places_keep_the_reference() -> None:
    x = held(random(*ODD), CROUTON_TCM)
    kernel = selected("Transpose", [f32(ODD, FLAT_DDR)], [x, ints(0, 1, 2, 3)])
    assert kernel.name == "reference"
