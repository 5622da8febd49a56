"""Every op that runs names its kernel."""

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.htp.base import NativeOp
from htp_mlir.lowering.levels import bodies, runs
from htp_mlir.lowering.passes.allocation.select_kernels import select_kernels
from xdsl.dialects.builtin import ModuleOp

from ..kit import REGISTRY, Model, lowered

SHAPE = (1, 8, 2, 32)


def kernels_of(module: ModuleOp) -> dict[str, str]:
    ops = [op for block in bodies(module) for op in block.ops if isinstance(op, NativeOp)]
    return {op.name: op.kernel.data for op in ops if op.kernel is not None}


def test_the_kernel_follows_from_the_places() -> None:
    model = Model(*SHAPE)
    module = model.module(model.op("Relu", model.x))
    assert kernels_of(lowered(module, 1 << 20))["htp.Relu"] == "relu.FloatCroutonTensor_TCM"
    select_kernels(module, REGISTRY)
    assert kernels_of(module) == {"htp.Relu": "relu.PlainFloatTensor"}


def test_a_reshape_is_an_alias_and_names_none() -> None:
    model = Model(*SHAPE)
    module = lowered(model.module(model.op("Abs", model.x)), 1 << 20)
    assert "htp.Reshape" not in kernels_of(module)
    assert not any(runs(op) and op.kernel is None for op in module.walk())


def test_every_op_without_a_kernel_is_named_and_none_is_changed() -> None:
    model = Model(*SHAPE)
    module = model.module(model.op("Abs", model.op("Exp", model.op("Sqrt", model.x))))
    with pytest.raises(HtpError) as error:
        select_kernels(module, REGISTRY)
    remedy = "load the package that has one, or write a kernel"
    assert error.value.lines() == [
        "2 errors:",
        f"  %2 = htp.Sqrt: no kernel exists for this op; {remedy}",
        f"  %3 = htp.Exp: no kernel exists for this op; {remedy}",
    ]
    assert kernels_of(module) == {}
