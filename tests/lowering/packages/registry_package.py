"""A package for tests: an op with params of every kind, conversions, importers."""

import numpy as np
from htp_mlir.dialects.htp import NativeOp, TensorSpec, out_def, param_def, spec_of, tensor_def
from htp_mlir.lowering.packages import (
    Builder,
    ConversionSet,
    GraphOp,
    ImporterSet,
    Value,
    op_package,
    rank4,
    require,
)
from htp_mlir.lowering.rules import Param, param_order
from htp_mlir.runtime import KernelSet, Tensor

NAME = "Mine"


class Affine(NativeOp):
    """out = in * factor + offsets along axis; negated where mode or flip says so."""

    name = f"{NAME}.Affine"

    in_ = tensor_def()
    factor = param_def()
    offsets = param_def()
    axis = param_def()
    flip = param_def()
    mode = param_def()

    def infer(self) -> tuple[TensorSpec | None, ...]:
        return (self.computed(self.like("in")),)


class Halves(NativeOp):
    """The first and the second half of in's elements; what shape they have is open."""

    name = f"{NAME}.Halves"

    in_ = tensor_def()
    out1 = out_def()


KERNELS = KernelSet(NAME)


@KERNELS.kernel("Affine")
def affine(
    out: Tensor,
    in_: Tensor,
    factor: Tensor,
    offsets: Tensor,
    axis: Tensor,
    flip: Tensor,
    mode: Tensor,
) -> None:
    shape = [1, 1, 1, 1]
    shape[int(axis.load().item())] = offsets.shape[3]
    values = in_.load() * factor.load().item() + offsets.load().reshape(shape)
    negated = mode.stored().tobytes() == b"negated\0"
    out.store(-values if negated != bool(flip.load().item()) else values)


@KERNELS.kernel("Halves")
def halves(out: Tensor, out_second: Tensor, in_: Tensor) -> None:
    first, second = np.split(in_.load().reshape(-1), 2)
    out.store(first.reshape(out.shape))
    out_second.store(second.reshape(out_second.shape))


CONVERSIONS = ConversionSet()
IMPORTERS = ImporterSet()


@CONVERSIONS.conversion("Mine.Swish")
def convert_swish(op: GraphOp, builder: Builder) -> None:
    x, spec = builder.get(op.operands[0]), rank4(spec_of(op.results[0]))
    bent = builder.op("Sigmoid", [x], spec)
    builder.set(op.results[0], builder.op("ElementWiseMultiply", [x, bent], spec))


@IMPORTERS.importer("Swish", domain="com.example")
def import_swish(x: Value) -> Value:
    return x * x.sigmoid()


@IMPORTERS.importer("Einsum")
def import_einsum(x: Value, *, equation: str) -> Value:
    require(equation == "ij->ji", f"equation {equation} is not supported", "transpose")
    return x.transpose(1, 0)


PACKAGE = op_package(
    NAME,
    ops=[Affine, Halves],
    kernels=[KERNELS],
    param_orders=[
        param_order(
            "Affine",
            Param("factor", mandatory=True),
            Param("offsets", mandatory=True),
            Param("axis", default=-1),
            Param("flip", default=False),
            Param("mode", default="plain"),
        )
    ],
    axis_params=["axis"],
    conversions=[CONVERSIONS],
    importers=[IMPORTERS],
)
