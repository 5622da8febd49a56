"""Variants in half precision by rules that cast; params with defaults; nothing is declared."""

from pathlib import Path

import numpy as np
from htp_mlir.lowering.packages import Bodies, from_cpp, load_cpp
from htp_mlir.runtime import Tensor

bodies = Bodies()


@bodies.body("Mish")
@bodies.body("Mish.f16")
def mish(out: Tensor, act: Tensor) -> None:
    x = act.load()
    out.store(x * np.tanh(np.log1p(np.exp(x))))


@bodies.body("Blend")
def blend(out: Tensor, a: Tensor, b: Tensor, share: Tensor) -> None:
    out.store(a.load() + share.load() * (b.load() - a.load()))


READ, SUMMARY = load_cpp(Path(__file__).with_name("package.cpp"))
PACKAGE = from_cpp(READ, bodies)


def expected(x: np.ndarray) -> np.ndarray:
    return (x + x * np.tanh(np.log1p(np.exp(x)))) / 2
