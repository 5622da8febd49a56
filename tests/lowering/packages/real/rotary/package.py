"""Ops that comments declare, and one that nothing but OpMultiOut names."""

from pathlib import Path

import numpy as np
from htp_mlir.lowering.packages import Bodies, from_cpp, load_cpp
from htp_mlir.runtime import Tensor

bodies = Bodies()


def turned(x: np.ndarray) -> np.ndarray:
    half = x.shape[3] // 2
    return np.concatenate([-x[..., half:], x[..., :half]], axis=3)


@bodies.body("Rotary")
def rotary(out: Tensor, act: Tensor, cos: Tensor, sin: Tensor) -> None:
    out.store(act.load() * cos.load() + turned(act.load()) * sin.load())


@bodies.body("Turn")
def turn(out: Tensor, act: Tensor) -> None:
    out.store(turned(act.load()))


@bodies.body("Halves")
def halves(first: Tensor, second: Tensor, act: Tensor) -> None:
    for half, numbers in zip((first, second), np.split(act.load(), 2, axis=3), strict=True):
        half.store(numbers)


READ, SUMMARY = load_cpp(Path(__file__).with_name("package.cpp"))
PACKAGE = from_cpp(READ, bodies)


def expected(x: np.ndarray) -> np.ndarray:
    return turned(x) * np.float32(1.25) + x / 2
