"""An optional operand before a mandatory param, and a model of rank 3."""

from pathlib import Path

import numpy as np
from htp_mlir.lowering.packages import Bodies, from_cpp, load_cpp
from htp_mlir.runtime import Tensor

bodies = Bodies()


@bodies.body("Scores")
def scores(out: Tensor, query: Tensor, key: Tensor, *rest: Tensor) -> None:
    *mask, scale = rest
    products = np.einsum("bhwc,bhdc->bhwd", query.load(), key.load())
    out.store(products * scale.load().reshape(-1)[0] + sum(each.load() for each in mask))


READ, SUMMARY = load_cpp(Path(__file__).with_name("package.cpp"))
PACKAGE = from_cpp(READ, bodies)


def expected(x: np.ndarray) -> np.ndarray:
    return np.einsum("hwc,hdc->hwd", x, x) / 4
