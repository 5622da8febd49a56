"""A package for tests, as a user writes one: a scaled Relu that takes up what multiplies it."""

from typing import TypeVar

import numpy as np
from htp_mlir.dialects.htp import NativeOp, TensorSpec, param_def, tensor_def
from htp_mlir.lowering.packages import op_package
from htp_mlir.lowering.rules import (
    EARLY,
    FROM_DEFAULT_PACKAGE,
    IS_SCALAR,
    LATE,
    OK,
    Flat,
    MainMemory,
    Op,
    Param,
    Tcm,
    param_order,
    rule,
    tensor_properties,
)
from htp_mlir.runtime import Cost, KernelSet, PlainFloatTensor, PlainFloatTensor_TCM, Tensor


class ScaledRelu(NativeOp):
    """out = max(in, 0) * scale."""

    name = "ScalePkg.ScaledRelu"

    in_ = tensor_def()
    scale = param_def()

    def infer(self) -> tuple[TensorSpec | None, ...]:
        return (self.computed(self.like("in")),)


class Passed(NativeOp):
    """out = in; the package's rules turn it into the native Abs."""

    name = "ScalePkg.Passed"

    in_ = tensor_def()

    def infer(self) -> tuple[TensorSpec | None, ...]:
        return (self.computed(self.like("in")),)


KERNELS = KernelSet("ScalePkg")
F32 = TypeVar("F32", PlainFloatTensor, PlainFloatTensor_TCM)


@KERNELS.kernel("ScaledRelu")
def reference(out: Tensor, in_: Tensor, scale: Tensor) -> None:
    out.store(np.maximum(in_.load(), 0) * scale.load())


@KERNELS.kernel("ScaledRelu", cost=Cost.SNAIL)
def flat(out: F32, in_: F32, scale: PlainFloatTensor) -> None:
    np.multiply(np.maximum(in_.array, 0), scale.array, out=out.array)


NATIVE = FROM_DEFAULT_PACKAGE

PACKAGE = op_package(
    "ScalePkg",
    ops=[ScaledRelu, Passed],
    kernels=[KERNELS],
    properties=[
        tensor_properties(
            Op("ScaledRelu", "in", "scale"), Flat("..."), Tcm("*", "in"), MainMemory("scale")
        )
    ],
    param_orders=[param_order("ScaledRelu", Param("scale", mandatory=True))],
    rules=[
        rule(
            EARLY,
            Op(NATIVE("Mul"), Op(NATIVE("Relu"), "X"), "S"),
            IS_SCALAR("S"),
            Op("ScaledRelu", "X", "S"),
        ),
        rule(LATE, Op("Passed", "X"), OK, Op(NATIVE("Abs"), "X")),
    ],
)
