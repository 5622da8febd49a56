"""A generic kernel under TCM; PRODUCER_FOR of the package's own op; nothing is declared."""

from pathlib import Path

import numpy as np
from htp_mlir.lowering.packages import Bodies, from_cpp, load_cpp
from htp_mlir.runtime import Tensor

bodies = Bodies()


@bodies.body("Leak")
def leak(out: Tensor, act: Tensor, slope: Tensor) -> None:
    x = act.load()
    out.store(np.where(x < 0, x * slope.load(), x))


READ, SUMMARY = load_cpp(Path(__file__).with_name("package.cpp"))
PACKAGE = from_cpp(READ, bodies)


def expected(x: np.ndarray) -> np.ndarray:
    return np.where(x < 0, x * np.float32(0.1), x)
