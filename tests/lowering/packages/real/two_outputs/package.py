"""An op of two outputs, which its tensor properties name from the first on."""

from pathlib import Path

import numpy as np
from htp_mlir.dialects.htp import tensor_def
from htp_mlir.lowering.packages import Bodies, from_cpp, load_cpp
from htp_mlir.runtime import Tensor

bodies = Bodies()


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


@bodies.op("Gate", "in", "in", in_=tensor_def())
def gate(half: Tensor, linear: Tensor, act: Tensor) -> None:
    half.store(sigmoid(act.load()))
    linear.store(act.load())


@bodies.op("GateJoin", "gate", gate=tensor_def(), linear=tensor_def(like="gate"))
def join(out: Tensor, half: Tensor, linear: Tensor) -> None:
    out.store(half.load() * linear.load())


READ, SUMMARY = load_cpp(Path(__file__).with_name("package.cpp"))
PACKAGE = from_cpp(READ, bodies)


def expected(x: np.ndarray) -> np.ndarray:
    return x * sigmoid(x)
