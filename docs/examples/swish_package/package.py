"""An op package in one file: a quantised activation, from a table in TCM where that pays."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from htp_mlir.dialects.htp import (
    FLAT_DDR,
    DType,
    NativeOp,
    TensorSpec,
    constant_array,
    param_def,
    require,
    tensor_def,
)
from htp_mlir.lowering.packages import op_package
from htp_mlir.lowering.rules import (
    ADD,
    AND,
    AUTOSPLIT,
    DIM_DEPTH,
    DIM_HEIGHT,
    DIM_OF,
    DIM_WIDTH,
    DIV,
    EARLY,
    ESTIMATE_TENSOR_SIZE,
    FROM_DEFAULT_PACKAGE,
    GE,
    GT,
    IS_QUINT8,
    MUL,
    ROUNDUP,
    TCM_MAXTENSOR_SIZE,
    TYPICAL_SLICE,
    Crouton,
    Flat,
    MainMemory,
    Op,
    Param,
    Rule,
    Tcm,
    param_order,
    rule,
    tensor_properties,
)
from htp_mlir.runtime import (
    BoundCall,
    Cost,
    KernelSet,
    Operand,
    QuantUint8Tensor,
    QUint8CroutonTensor_TCM,
    Tensor,
    new_tensor,
)

NAME = "SwishPackage"
ENTRIES = 256


# The ops: what they take, what their result looks like, what is refused.


class Swish(NativeOp):
    """out = in / (1 + exp(-beta * in)); in and out may be quantised, with one scale each."""

    name = f"{NAME}.Swish"

    in_ = tensor_def()
    beta = param_def()

    def infer(self) -> tuple[TensorSpec | None, ...]:
        return (self.computed(self.like("in")),)

    def verify_operands(self) -> None:
        """Check what the operands are, besides their number."""
        super().verify_operands()
        source, beta = self.spec("in"), self.spec("beta")
        takes = source.dtype.is_float or source.dtype.is_quantized
        require(takes, self, f"'in' is {source.dtype.name}, it must be float or quantised")
        one = source.quant is None or source.quant.axis is None
        require(one, self, "'in' has a scale for each index of a dim, it must have one")
        scalar = beta.dtype is DType.Float32 and beta.elements == 1
        constant = scalar and constant_array(self.operand("beta")) is not None
        require(constant, self, "'beta' must be a constant of one f32")


class SwishFast(Swish):
    """Swish of u8, in croutons in TCM."""

    name = f"{NAME}.Swish.fast"


# Kernels: what is computed, from which tensors, and what it costs.

KERNELS = KernelSet(NAME)


@KERNELS.kernel("Swish.fast")
@KERNELS.kernel("Swish")
def reference(out: Tensor, in_: Tensor, beta: Tensor) -> None:
    """Any tensors: f64 from real numbers; `store` rounds to nearest and saturates."""
    x = in_.load().astype(np.float64)
    with np.errstate(over="ignore"):
        out.store(x / (1 + np.exp(-beta.load().item() * x)))


def looked_up(out: Tensor, in_: Tensor, beta: Tensor) -> BoundCall:
    """The table is made once, by the reference; each run applies it to elements as they lie."""
    each, table = (
        new_tensor(tensor.spec.with_shape((1, 1, 1, ENTRIES)).with_place(FLAT_DDR))
        for tensor in (in_, out)
    )
    each.bytes[:] = np.arange(ENTRIES)
    reference(table, each, beta)
    return partial(np.take, table.bytes, in_.array, out=out.array, mode="clip")


def table_cost(outputs: Sequence[TensorSpec], operands: Sequence[Operand]) -> float:
    """A table pays where it has fewer entries than the result has elements."""
    pays = outputs[0].elements > ENTRIES
    return Cost.SNAIL.value if pays else 2 * Cost.GLACIAL.value


@KERNELS.kernel("Swish", cost=table_cost)
def by_table(out: QuantUint8Tensor, in_: QuantUint8Tensor, beta: Tensor) -> BoundCall:
    """u8 in main memory."""
    return looked_up(out, in_, beta)


@KERNELS.kernel("Swish.fast", cost=Cost.FAST)
def in_croutons(
    out: QUint8CroutonTensor_TCM, in_: QUint8CroutonTensor_TCM, beta: Tensor
) -> BoundCall:
    """u8 in croutons in TCM; what the table makes of their padding, nobody reads."""
    return looked_up(out, in_, beta)


# Where the tensors are to be: an op without properties is flat in main memory.

PROPERTIES = tensor_properties(
    Op("Swish.fast", "in", "beta"),
    Crouton("*", "in"),
    Tcm("*", "in"),
    Flat("beta"),
    MainMemory("beta"),
)

# The param, for nodes of models that do not give it.

ORDERS = [param_order(op, Param("beta", default=1.0)) for op in ("Swish", "Swish.fast")]

# Rules. Between Dequantize and Quantize the op is one of u8; it is fast where it fills a crouton;
# what does not fit TCM is halved, and halved again: batches, then rows, channels, columns.

QUANTISED = rule(
    EARLY,
    Op(
        FROM_DEFAULT_PACKAGE("Quantize"),
        Op("Swish", Op(FROM_DEFAULT_PACKAGE("Dequantize"), "X"), "Beta"),
    ),
    AND(IS_QUINT8("X"), IS_QUINT8("*")),
    Op("Swish", "X", "Beta"),
    name="quantised",
)

LARGE = AND(GE(DIM_HEIGHT("*"), 8), GE(DIM_WIDTH("*"), 8), GE(DIM_DEPTH("*"), 32))

FAST = rule(
    EARLY + 1,
    Op("Swish", "X", "Beta"),
    AND(IS_QUINT8("X"), IS_QUINT8("*"), LARGE),
    Op("Swish.fast", "X", "Beta"),
    name="fast",
)


def halves(dim: int, chunk: int) -> Rule:
    """The rule that cuts one dim in two, at whole croutons, where both tensors do not fit."""
    half = ROUNDUP(DIV(ADD(DIM_OF("*", dim), 1), 2), chunk)
    too_large = GT(MUL(2, ESTIMATE_TENSOR_SIZE("*")), TCM_MAXTENSOR_SIZE)
    return rule(
        EARLY + 4,
        Op("Swish.fast", "X", "Beta"),
        AND(too_large, GT(DIM_OF("*", dim), chunk)),
        AUTOSPLIT(dim, "I", half, Op("Swish.fast", TYPICAL_SLICE("X", "I"), "Beta")),
        name=f"halves of dim {dim}",
    )


PACKAGE = op_package(
    NAME,
    ops=[Swish, SwishFast],
    kernels=[KERNELS],
    properties=[PROPERTIES],
    param_orders=ORDERS,
    rules=[QUANTISED, FAST, halves(0, 1), halves(1, 8), halves(3, 32), halves(2, 8)],
)
