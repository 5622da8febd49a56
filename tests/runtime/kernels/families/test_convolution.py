"""Convolutions without padding against the reference: all places, odd sizes, strides."""

import numpy as np
import pytest
from htp_mlir.dialects.value.spec import CROUTON_TCM, FLAT_DDR, FLAT_TCM, Place
from htp_mlir.runtime.functions.support.arrays import Array
from htp_mlir.runtime.kernel.kernel import Cost
from htp_mlir.runtime.tensors.tensor_classes import constant_tensor
from htp_mlir.runtime.tensors.tensors import Tensor

from ..harness import (
    PLACES,
    Operand,
    dims,
    f32,
    held,
    ints,
    outcomes,
    poisoned,
    reference,
    scalar,
    selected,
)

RNG = np.random.default_rng(0)
TOLERANCE = 1e-5
DENSE = [
    ((1, 9, 11, 33), (3, 3, 33, 65), (1, 1)),
    ((2, 17, 8, 32), (3, 3, 32, 32), (2, 2)),
    ((1, 33, 7, 1), (1, 1, 1, 7), (1, 1)),
    ((1, 20, 33, 65), (1, 1, 65, 33), (1, 1)),
    ((1, 20, 7, 65), (1, 1, 65, 1), (2, 3)),
    ((3, 7, 7, 7), (7, 7, 7, 33), (1, 1)),
    ((1, 18, 65, 7), (5, 2, 7, 1), (1, 3)),
    ((1, 70, 9, 3), (2, 3, 3, 5), (3, 1)),
    ((1, 1, 1, 1), (1, 1, 1, 1), (1, 1)),
    ((1, 40, 34, 33), (3, 3, 33, 40), (1, 1)),
    ((1, 12, 40, 65), (3, 3, 65, 7), (1, 1)),
    ((1, 7, 7, 130), (3, 3, 130, 140), (1, 1)),
]
DEPTHWISE = [
    ((1, 9, 11, 33), (3, 3, 1, 33), (1, 1)),
    ((2, 17, 8, 7), (3, 3, 1, 21), (2, 2)),
    ((1, 33, 7, 1), (5, 1, 1, 65), (1, 1)),
    ((1, 40, 65, 65), (3, 3, 1, 65), (1, 1)),
    ((1, 20, 7, 65), (1, 1, 1, 130), (2, 3)),
    ((1, 70, 34, 64), (2, 3, 1, 64), (3, 1)),
]
SIDE_BY_SIDE = [
    ((1, 7, 9, 33), (2, 2, 33, 65), (2, 2)),
    ((2, 5, 1, 1), (3, 1, 1, 7), (3, 1)),
    ((1, 65, 33, 7), (1, 1, 7, 33), (1, 1)),
    ((1, 40, 40, 65), (2, 3, 65, 40), (2, 3)),
]
Case = tuple[tuple[int, ...], tuple[int, ...], tuple[int, int]]


def random(shape: tuple[int, ...]) -> Array:
    return RNG.normal(size=shape).astype(np.float32)


def result(case: Case) -> tuple[int, ...]:
    """The shape of the result."""
    (batch, *size, _), window, stride = case
    taken = [(n - k) // s + 1 for n, k, s in zip(size, window, stride, strict=False)]
    return (batch, *taken, window[3])


def operands(case: Case, at: Place, weights_at: Place) -> list[Operand]:
    shape, window, (down, across) = case
    weights = random(window) / np.float32(np.prod(window[:3])) ** 0.5
    bias = held(random((1, 1, 1, window[3])))
    return [held(random(shape), at), held(weights, weights_at), dims(1, down, across, 1), bias]


def check(op: str, case: Case, at: Place) -> None:
    """Alone and, from weights in the other memory, with bounds."""
    tensors = operands(case, at, FLAT_TCM)
    for outcome in outcomes(op, [f32(result(case), at)], tensors):
        outcome.check(TOLERANCE)
    bounded = [*operands(case, at, FLAT_DDR), scalar(-0.5), scalar(0.25)]
    for outcome in outcomes(f"{op}.clamp", [f32(result(case), at)], bounded):
        outcome.check(TOLERANCE)


@pytest.mark.one_per("case")
@pytest.mark.parametrize("at", PLACES)
@pytest.mark.parametrize("case", DENSE)
def test_dense(case: Case, at: Place) -> None:
    check("ConvLayer_valid", case, at)


@pytest.mark.one_per("case")
@pytest.mark.parametrize("at", PLACES)
@pytest.mark.parametrize("case", DEPTHWISE)
def test_depthwise(case: Case, at: Place) -> None:
    check("DepthwiseConvLayer_valid", case, at)


SPACED = [
    ("Conv2d", (2, 19, 23, 33), (3, 3, 33, 40), (0, 0, 0, 0), (2, 3), 1),
    ("Conv2d", (1, 20, 11, 8), (3, 2, 4, 6), (1, 2, 0, 1), (1, 2), 2),
    ("Conv2d", (1, 9, 8, 8), (1, 1, 2, 12), (0, 0, 0, 0), (1, 1), 4),
    ("DepthWiseConv2d", (1, 40, 34, 65), (3, 3, 1, 130), (0, 0, 0, 0), (4, 2), 1),
    ("DepthWiseConv2d", (1, 9, 8, 7), (3, 3, 1, 7), (2, 2, 2, 2), (2, 2), 1),
]
"""Op, input, filter, padding, spacing of taps and groups."""


@pytest.mark.one_per("op")
@pytest.mark.parametrize("at", PLACES)
@pytest.mark.parametrize(("op", "act", "window", "pads", "spacing", "group"), SPACED)
def test_spaced(
    op: str,
    act: tuple[int, ...],
    window: tuple[int, ...],
    pads: tuple[int, ...],
    spacing: tuple[int, int],
    group: int,
    at: Place,
) -> None:
    """Also of padding or groups, which no kernel for croutons is made for."""
    size = [
        n + a + b - (k - 1) * s
        for n, a, b, k, s in zip(act[1:3], pads[::2], pads[1::2], window, spacing, strict=False)
    ]
    params = [ints(1, 1), ints(*pads, shape=(1, 1, 2, 2)), ints(*spacing)]
    params += [ints(group)] if op == "Conv2d" else []
    weights, bias = held(random(window), FLAT_TCM), held(random((1, 1, 1, window[3])))
    out = f32((act[0], *size, window[3]), at)
    for outcome in outcomes(op, [out], [held(random(act), at), weights, bias, *params]):
        outcome.check(TOLERANCE)


@pytest.mark.one_per("case")
@pytest.mark.parametrize("at", PLACES)
@pytest.mark.parametrize("weights_at", [FLAT_DDR, FLAT_TCM])
@pytest.mark.parametrize("case", SIDE_BY_SIDE)
def test_transposed(case: Case, at: Place, weights_at: Place) -> None:
    (batch, height, width, _), (tall, wide, _, filters), _ = case
    shape = (batch, height * tall, width * wide, filters)
    tensors = operands(case, at, weights_at)
    for outcome in outcomes("TransposeConvLayer_valid", [f32(shape, at)], tensors):
        outcome.check(TOLERANCE)


@pytest.mark.parametrize("op", ["ConvLayer_valid.clamp", "DepthwiseConvLayer_valid.clamp"])
def test_every_operand_is_read_on_every_run(op: str) -> None:
    case = (DEPTHWISE if op.startswith("Depthwise") else DENSE)[0]
    tensors = [*operands(case, CROUTON_TCM, FLAT_TCM), scalar(-1), scalar(1)]
    later = [*operands(case, CROUTON_TCM, FLAT_TCM), scalar(-0.1), scalar(0.2)]
    out = poisoned(f32(result(case), CROUTON_TCM))
    call = selected(op, [out.spec], tensors).bind([out], tensors)
    call()
    for old, new in zip(tensors, later, strict=True):
        if isinstance(old, Tensor) and isinstance(new, Tensor):
            old.store(new.load())
    call()
    (expected,) = reference(op, [out.spec], later)
    np.testing.assert_allclose(out.load(), expected, rtol=TOLERANCE, atol=TOLERANCE)


@pytest.mark.parametrize("bound", [6.0, np.inf])
@pytest.mark.parametrize("op", ["ConvLayer_valid.clamp", "DepthwiseConvLayer_valid.clamp"])
def test_constant_operands(op: str, bound: float) -> None:
    case = (DEPTHWISE if op.startswith("Depthwise") else DENSE)[0]
    act, *params = [*operands(case, CROUTON_TCM, FLAT_TCM), scalar(0), scalar(bound)]
    fixed = [constant(param) for param in params]
    for outcome in outcomes(op, [f32(result(case), CROUTON_TCM)], [act, *fixed]):
        outcome.check(TOLERANCE)


def constant(operand: Operand) -> Operand:
    """The same operand, marked as one whose values never change."""
    if not isinstance(operand, Tensor):
        return operand
    return constant_tensor(operand.spec, operand.stored())


@pytest.mark.parametrize("op", ["ConvLayer_valid", "DepthwiseConvLayer_valid"])
def test_the_placed_level_gets_fast_kernels(op: str) -> None:
    case = (DENSE if op == "ConvLayer_valid" else DEPTHWISE)[0]
    tensors = operands(case, CROUTON_TCM, FLAT_TCM)
    assert selected(op, [f32(result(case), CROUTON_TCM)], tensors).cost is Cost.FAST
