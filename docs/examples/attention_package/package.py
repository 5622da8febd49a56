"""An op package in one file: attention whose scores never leave the TCM."""

from collections.abc import Iterator, Sequence

import numpy as np
from htp_mlir.dialects.htp import Kind, NativeOp, TensorSpec, access, param_def, tensor_def
from htp_mlir.lowering.packages import op_package
from htp_mlir.lowering.rules import (
    ADD,
    AND,
    AUTOSPLIT,
    CONSTVAL_FLOAT,
    CONSTVAL_INT,
    DIM_BATCHES,
    DIM_DEPTH,
    DIM_HEIGHT,
    DIM_OF,
    DIM_WIDTH,
    DIV,
    EARLY,
    EQ,
    FROM_DEFAULT_PACKAGE,
    GT,
    INT,
    IS_FLOAT32,
    IS_SCALAR,
    LET,
    MAX,
    MUL,
    NE,
    OPCONST,
    OPTION_UINT,
    SAME_SHAPE,
    SELECT,
    SUB,
    TILING,
    TYPICAL_SLICE,
    WITH_SIZE,
    WITH_TYPE,
    Arg,
    Expr,
    Flat,
    MainMemory,
    Op,
    OpForm,
    Param,
    Rule,
    Tcm,
    gen_ConstArr_vals_i32,
    gen_ConstScalar_f32,
    gen_Shape,
    param_order,
    rule,
    tensor_properties,
)
from htp_mlir.runtime import (
    Array,
    Cost,
    KernelSet,
    Operand,
    PlainFloatTensor,
    PlainFloatTensor_TCM,
    Sizes,
    Tensor,
)

NAME = "AttentionPackage"
PLAIN, MASKED = "ScaledDotProduct", "ScaledDotProduct.masked"


# The ops.


class ScaledDotProduct(NativeOp):
    """out = softmax(scale * q k^T) v, for each batch and head.

    q [b, h, tokens, depth], k [b, h, keys, depth], v [b, h, keys, width], scale [1, 1, 1, 1].
    """

    name = f"{NAME}.{PLAIN}"

    # What an element of the result reads, i over the depth and j over the keys. From this the
    # result follows, and which operands fit together.
    ACCESS = access("q[b, h, w, i], k[b, h, j, i], v[b, h, j, d], mask[b?, h?, w?, j]")

    q = tensor_def(Kind.NUMBER)
    k = tensor_def(like="q")
    v = tensor_def(like="q")
    scale = param_def(1)


class MaskedScaledDotProduct(ScaledDotProduct):
    """out = softmax(scale * q k^T + mask) v.

    As ScaledDotProduct; each dim of the mask but the last is as in the scores, or 1.
    """

    name = f"{NAME}.{MASKED}"

    mask = tensor_def(like="q")
    scale = param_def(1)  # again, so that it comes after the mask


# The kernels: one for any tensors, and one whose scores are scratch in TCM.

KERNELS = KernelSet(NAME)


@KERNELS.kernel(PLAIN, name="reference")
def reference(out: Tensor, q: Tensor, k: Tensor, v: Tensor, scale: Tensor) -> None:
    """Any tensors, from main memory: GLACIAL."""
    out.store(weighted(scores_of(q, k, scale), v))


@KERNELS.kernel(MASKED, name="reference")
def masked_reference(
    out: Tensor, q: Tensor, k: Tensor, v: Tensor, mask: Tensor, scale: Tensor
) -> None:
    """Any tensors, from main memory: GLACIAL."""
    out.store(weighted(scores_of(q, k, scale) + mask.load(), v))


def scores_of(q: Tensor, k: Tensor, scale: Tensor) -> Array:
    """scale * q k^T."""
    return np.matmul(q.load(), k.load().swapaxes(2, 3)) * scale.load()


@np.errstate(invalid="ignore")
def weighted(scores: Array, v: Tensor) -> Array:
    """The values weighted by the softmax of the scores; NaN where a mask hides all keys."""
    exps = np.exp(scores - scores.max(axis=3, keepdims=True))
    return np.matmul(exps, v.load()) / exps.sum(axis=3, keepdims=True)


def sizes(outputs: Sequence[TensorSpec], operands: Sequence[Operand]) -> Sizes:
    """The constructor hook: a score for each key, and a number of its own, for each query."""
    k = operands[1]
    if not isinstance(k, TensorSpec):
        raise TypeError("k is a shape, it must be a tensor")
    front = outputs[0].shape[:3]
    return {"scores": (*front, k.shape[2]), "rows": (*front, 1)}


@KERNELS.kernel(PLAIN, name="in_tcm", cost=Cost.SNAIL, scratch=sizes)
def in_tcm(
    out: PlainFloatTensor_TCM,
    q: PlainFloatTensor_TCM,
    k: PlainFloatTensor_TCM,
    v: PlainFloatTensor_TCM,
    scale: PlainFloatTensor,
    *,
    scores: PlainFloatTensor_TCM,
    rows: PlainFloatTensor_TCM,
) -> None:
    """Everything in TCM."""
    np.matmul(q.array, k.array.swapaxes(2, 3), out=scores.array)
    np.multiply(scores.array, scale.array, out=scores.array)
    weigh(out, v, scores, rows)


@KERNELS.kernel(MASKED, name="in_tcm", cost=Cost.SNAIL, scratch=sizes)
def masked_in_tcm(
    out: PlainFloatTensor_TCM,
    q: PlainFloatTensor_TCM,
    k: PlainFloatTensor_TCM,
    v: PlainFloatTensor_TCM,
    mask: PlainFloatTensor_TCM,
    scale: PlainFloatTensor,
    *,
    scores: PlainFloatTensor_TCM,
    rows: PlainFloatTensor_TCM,
) -> None:
    """Everything in TCM."""
    np.matmul(q.array, k.array.swapaxes(2, 3), out=scores.array)
    np.multiply(scores.array, scale.array, out=scores.array)
    np.add(scores.array, mask.array, out=scores.array)
    weigh(out, v, scores, rows)


@np.errstate(invalid="ignore")
def weigh(
    out: PlainFloatTensor_TCM,
    v: PlainFloatTensor_TCM,
    scores: PlainFloatTensor_TCM,
    rows: PlainFloatTensor_TCM,
) -> None:
    """As `weighted`, without memory of its own."""
    np.max(scores.array, axis=3, keepdims=True, out=rows.array)
    np.subtract(scores.array, rows.array, out=scores.array)
    np.exp(scores.array, out=scores.array)
    np.sum(scores.array, axis=3, keepdims=True, out=rows.array)
    np.matmul(scores.array, v.array, out=out.array)
    np.divide(out.array, rows.array, out=out.array)


# Where the tensors are to be, and the param with its default.

PROPERTIES = (
    tensor_properties(
        Op(PLAIN, "q", "k", "v", "scale"),
        Flat("..."),
        Tcm("*", "q", "k", "v"),
        MainMemory("scale"),
    ),
    tensor_properties(
        Op(MASKED, "q", "k", "v", "mask", "scale"),
        Flat("..."),
        Tcm("*", "q", "k", "v", "mask"),
        MainMemory("scale"),
    ),
)
PARAM_ORDERS = (
    param_order(PLAIN, Param("scale", default=1.0)),
    param_order(MASKED, Param("scale", default=1.0)),
)


# Rules: what a model writes as MatMul, scale, mask, Softmax, MatMul becomes one op.


def native(name: str, *inputs: Arg) -> OpForm:
    """An op of htp."""
    return Op(FROM_DEFAULT_PACKAGE(name), *inputs)


PRODUCTS = LET("S", native("MatMul", "Q", "K", "T0", "T1"))
MULTIPLIED, DIVIDED = (native(name, PRODUCTS, OPCONST("C")) for name in ("Mul", "Div"))
FACTOR = CONSTVAL_FLOAT("C", 0)
K_AS_ROWS = SELECT(
    EQ(CONSTVAL_INT("T1", 0), 1),
    "K",
    WITH_SIZE(
        gen_Shape(DIM_BATCHES("K"), DIM_HEIGHT("K"), DIM_DEPTH("K"), DIM_WIDTH("K")),
        WITH_TYPE("K", native("Transpose", "K", gen_ConstArr_vals_i32(0, 1, 3, 2))),
    ),
)
FITS = AND(
    IS_FLOAT32("*"),
    EQ(CONSTVAL_INT("axis", 0), 3),
    EQ(CONSTVAL_FLOAT("beta", 0), 1.0),
    *(EQ(CONSTVAL_INT(tag, 0), 0) for tag in ("T0", "U0", "U1")),
    SAME_SHAPE("S", "P"),
    *(EQ(DIM_OF(tag, dim), DIM_OF("*", dim)) for dim in (0, 1) for tag in "QKV"),
)
"""Softmax along the keys; nothing is transposed but K, and nothing broadcasts."""


def attention(scores: Expr) -> OpForm:
    """Weights by softmax, then the values."""
    return native("MatMul", LET("P", native("Softmax", scores, "axis", "beta")), "V", "U0", "U1")


def take_over(name: str, scores: Expr, fits: Expr, scale: Arg) -> Iterator[Rule]:
    """The rules for scores that are scaled in one way, without a mask and with one."""
    factor = gen_ConstScalar_f32(scale)
    plain = Op(PLAIN, "Q", K_AS_ROWS, "V", factor)
    yield rule(EARLY, attention(scores), fits, plain, name=f"take over {name}")
    hidden = attention(native("Add", scores, "M"))
    masked = Op(MASKED, "Q", K_AS_ROWS, "V", "M", factor)
    fits_too = AND(fits, EQ(DIM_DEPTH("M"), DIM_DEPTH("S")))
    yield rule(EARLY, hidden, fits_too, masked, name=f"take over {name} and masked")


TAKE_OVER = (
    *take_over("not scaled", PRODUCTS, FITS, 1.0),
    *take_over("multiplied", MULTIPLIED, AND(FITS, IS_SCALAR("C")), FACTOR),
    *take_over("divided", DIVIDED, AND(FITS, IS_SCALAR("C"), NE(FACTOR, 0.0)), DIV(1.0, FACTOR)),
)


# Rules: what does not fit is cut into batches, then into heads, then into rows of queries.

ROOM = OPTION_UINT("tcm_size_for_tiling")
ONE_BATCH, ONE_HEAD = EQ(DIM_BATCHES("*"), 1), EQ(DIM_HEIGHT("*"), 1)
KEYS = MUL(4, DIM_WIDTH("K"), ADD(DIM_DEPTH("K"), DIM_DEPTH("V")))
"""Bytes of the keys and the values of one head."""


def tiles(name: str, mask: str | None, scores: int) -> Iterator[Rule]:
    """The rules that cut an op; it holds `scores` numbers for each query and key."""
    row = MUL(4, ADD(DIM_DEPTH("Q"), DIM_DEPTH("*"), MUL(scores, DIM_WIDTH("K")), 1))
    head = ADD(MUL(DIM_WIDTH("*"), row), KEYS)
    batch = MUL(DIM_HEIGHT("*"), head)
    too_large = GT(MUL(DIM_BATCHES("*"), batch), ROOM)
    left = SUB(INT(ROOM), INT(KEYS))
    for dim, what, guard, chunk, sliced in (
        (0, "batches", too_large, DIV(ROOM, batch), "QKV"),
        (1, "heads", AND(too_large, ONE_BATCH), DIV(ROOM, head), "QKV"),
        (2, "rows", AND(too_large, ONE_BATCH, ONE_HEAD), DIV(left, INT(row)), "Q"),
    ):
        tags = [TYPICAL_SLICE(tag, "I") if tag in sliced else tag for tag in "QKV"]
        masks = [] if mask is None else [part_of(mask, dim)]
        yield rule(
            TILING,
            Op(name, *"QKV", *([] if mask is None else [mask]), "scale"),
            AND(guard, GT(DIM_OF("*", dim), 1)),
            AUTOSPLIT(dim, "I", MAX(1, chunk), Op(name, *tags, *masks, "scale")),
            name=f"{name}: as many {what} as fit",
        )


def part_of(mask: str, dim: int) -> Expr:
    """What a tile reads of a mask, which may be the same for all tiles."""
    return SELECT(EQ(DIM_OF(mask, dim), 1), mask, TYPICAL_SLICE(mask, "I"))


PACKAGE = op_package(
    NAME,
    ops=[ScaledDotProduct, MaskedScaledDotProduct],
    kernels=[KERNELS],
    properties=PROPERTIES,
    param_orders=PARAM_ORDERS,
    rules=[*TAKE_OVER, *tiles(PLAIN, None, 1), *tiles(MASKED, "M", 2)],
)
