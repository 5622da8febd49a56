"""Ops, kernels, properties and rules out of wrapper macros, some from a header beside the file."""

from pathlib import Path

import numpy as np
from htp_mlir.lowering.packages import Bodies, from_cpp, load_cpp
from htp_mlir.runtime import Tensor

bodies = Bodies()


@bodies.body("Softsign")
def softsign(out: Tensor, act: Tensor) -> None:
    x = act.load()
    out.store(x / (1 + np.abs(x)))


@bodies.body("HardTanh")
def hard_tanh(out: Tensor, act: Tensor) -> None:
    out.store(np.clip(act.load(), -1, 1))


READ, SUMMARY = load_cpp(Path(__file__).with_name("package.cpp"))
PACKAGE = from_cpp(READ, bodies)


def expected(x: np.ndarray) -> np.ndarray:
    return np.clip(x / (1 + np.abs(x)), -1, 1)
