"""A package with a rule and a kernel that change the numbers."""

import numpy as np
from htp_mlir.lowering.packages import op_package
from htp_mlir.lowering.rules import DIM_DEPTH, EARLY, GT, OK, Op, rule
from htp_mlir.runtime import Cost, KernelSet, Tensor

KERNELS = KernelSet("htp")


@KERNELS.kernel("Sigmoid", cost=Cost.FREE)
def too_low(out: Tensor, x: Tensor) -> None:
    """Compute with an error of 0.01."""
    out.store(1 / (1 + np.exp(-x.load())) - 0.01)


RULES = (
    rule(EARLY, Op("q::Neg", Op("q::Neg", "X")), OK, "X", name="right"),
    rule(EARLY, Op("q::Abs", "X"), GT(DIM_DEPTH("X"), 4), Op("q::Relu", "X"), name="wrong"),
)

PACKAGE = op_package("Wrong", rules=RULES, kernels=[KERNELS])
