"""Windows with padding apart, declared by a comment of several lines."""

from pathlib import Path

import numpy as np
from htp_mlir.lowering.packages import Bodies, from_cpp, load_cpp
from htp_mlir.runtime import Tensor

bodies = Bodies()


def blurred(x: np.ndarray, taps: np.ndarray) -> np.ndarray:
    windows = np.lib.stride_tricks.sliding_window_view(x, taps.shape[:2], axis=(1, 2))
    return np.einsum("bhwdij,ij->bhwd", windows, taps[:, :, 0, 0])


@bodies.body("Blur")
def blur(out: Tensor, act: Tensor, taps: Tensor) -> None:
    out.store(blurred(act.load(), taps.load()))


@bodies.body("Blur.padded")
def blur_padded(out: Tensor, act: Tensor, taps: Tensor, pads: Tensor) -> None:
    top, bottom, left, right = pads.load().reshape(-1).astype(int)
    padded = np.pad(act.load(), ((0, 0), (top, bottom), (left, right), (0, 0)))
    out.store(blurred(padded, taps.load()))


READ, SUMMARY = load_cpp(Path(__file__).with_name("package.cpp"))
PACKAGE = from_cpp(READ, bodies)


def expected(x: np.ndarray) -> np.ndarray:
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    return blurred(padded, np.full((3, 3, 1, 1), 0.125, np.float32))
