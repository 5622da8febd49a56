"""A package for tests whose op wants TCM and has no kernel there, unless it is asked for."""

import numpy as np
from htp_mlir.dialects.htp.base import NativeOp
from htp_mlir.dialects.htp.fields import tensor_def
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering.packages import OpPackage, op_package
from htp_mlir.lowering.rules import (
    EARLY,
    FROM_DEFAULT_PACKAGE,
    OK,
    Op,
    Tcm,
    rule,
    tensor_properties,
)
from htp_mlir.runtime import Cost, KernelSet
from htp_mlir.runtime.tensors.tensor_classes import PlainFloatTensor_TCM
from htp_mlir.runtime.tensors.tensors import Tensor


class Doubled(NativeOp):
    """out = 2 in."""

    name = "Slow.Doubled"

    in_ = tensor_def()

    def infer(self) -> tuple[TensorSpec | None, ...]:
        return (self.computed(self.like("in")),)


def package(fast: bool = False) -> OpPackage:
    """Relu becomes an op that wants TCM; only with `fast` is there a kernel for that."""
    kernels = KernelSet("Slow")

    @kernels.kernel("Doubled")
    def reference(out: Tensor, in_: Tensor) -> None:
        out.store(2 * in_.load())

    if fast:

        @kernels.kernel("Doubled", cost=Cost.FAST)
        def in_tcm(out: PlainFloatTensor_TCM, in_: PlainFloatTensor_TCM) -> None:
            np.multiply(in_.array, 2, out=out.array)

    return op_package(
        "Slow",
        ops=[Doubled],
        kernels=[kernels],
        properties=[tensor_properties(Op("Doubled", "in"), Tcm("*", "in"))],
        rules=[rule(EARLY, Op(FROM_DEFAULT_PACKAGE("Relu"), "X"), OK, Op("Doubled", "X"))],
    )


PACKAGE = package()
