"""Params without a param order; nothing is declared, all is inferred from kernels and rules."""

from pathlib import Path

import numpy as np
from htp_mlir.lowering.packages import Bodies, from_cpp, load_cpp
from htp_mlir.runtime import Tensor

bodies = Bodies()


@bodies.body("Line")
def line(out: Tensor, act: Tensor, factor: Tensor, offset: Tensor) -> None:
    out.store(act.load() * factor.load() + offset.load())


@bodies.body("Line.scale")
def scale(out: Tensor, act: Tensor, factor: Tensor) -> None:
    out.store(act.load() * factor.load())


READ, SUMMARY = load_cpp(Path(__file__).with_name("package.cpp"))
PACKAGE = from_cpp(READ, bodies)


def expected(x: np.ndarray) -> np.ndarray:
    return 3 * x + 0.5
