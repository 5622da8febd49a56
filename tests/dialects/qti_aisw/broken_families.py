"""Edits that break the constraints of a family of graph ops, made of an example of each op."""

import re
from collections.abc import Callable

from htp_mlir.dialects.qti_aisw.base import GraphOp
from htp_mlir.dialects.qti_aisw.ops.elementwise import Binary, Unary
from htp_mlir.dialects.qti_aisw.ops.norm import AxesNorm, SoftmaxLike
from htp_mlir.dialects.qti_aisw.ops.pool import Pool
from htp_mlir.dialects.qti_aisw.ops.reduce import Arg, Reduce, ReduceExtreme
from htp_mlir.dialects.value.dtypes import Kind

Row = tuple[str, ...]
"""A constraint, words of the refusal, and old and new texts of the op's example, in turn."""

HALF, QUARTER = "!quant.uniform<u8:f32, 0.5>", "!quant.uniform<u8:f32, 0.25>"
RESULT_SHAPE, RESULT_TYPE = "result 0 has shape", "result 0 has element type"


def result_rows(rule: str, statement: str) -> list[Row]:
    """Break what a constraint says of the only result: its shape, and its element type."""
    old = statement[statement.rindex("-> tensor<") :]
    shape, element = old[len("-> tensor<") : -1].rpartition("x")[::2]
    other = "f16" if element == "f32" else "i64"
    return [
        (rule, RESULT_SHAPE, old, f"-> tensor<7x{shape}x{element}>"),
        (rule, RESULT_TYPE, old, f"-> tensor<{shape}x{other}>"),
    ]


def unary_rows(op: type[GraphOp], statement: str) -> list[Row]:
    """Break the constraints of an op of one operand; those of its params are in tables."""
    logic = "xi1>)" in statement
    old, new = ("i1>", "f32>") if logic else ("f32>", "i1>")
    rows = [("C1", "operand 'inp' has element type", old, new)]
    if issubclass(op, SoftmaxLike):
        rows.append(("C2", "param 'axis' is", "4x10xf32", "f32"))
    last = "C3" if issubclass(op, SoftmaxLike) or op.name == "qti_aisw.ReluMinMax" else "C2"
    return [*rows, *result_rows(last, statement)]


def binary_rows(op: type[GraphOp], statement: str) -> list[Row]:
    """Break the constraints of an element-wise op of two operands."""
    logic = "xi1>," in statement
    rows = [
        ("C2", "they must be equal", "tensor<4xi1>" if logic else "tensor<4xf32>", "tensor<4xi64>"),
        ("C3", "do not broadcast", "tensor<4x", "tensor<3x"),
        ("C3", RESULT_SHAPE, "-> tensor<", "-> tensor<7x"),
        result_rows("C4", statement)[1],
    ]
    old, new = ("i1>", "f32>") if logic else ("f32>", "i1>")
    takes_all = issubclass(op, Binary) and op.KIND is Kind.ANY
    return rows if takes_all else [("C1", "operand 'a' has element type", old, new), *rows]


def reduce_rows(op: type[GraphOp], statement: str) -> list[Row]:
    """Break the constraints of a reduction."""
    (axes,) = re.findall(r"axes = array<i64: [^>]*>", statement)
    picks = issubclass(op, ReduceExtreme)
    return [
        ("C1", "operand 'inp' has element type", "f32>", "i1>"),
        ("C2", "param 'axes' is 4", axes, "axes = array<i64: 4>"),
        ("C2", "param 'axes' is -5", axes, "axes = array<i64: -5>"),
        ("C2", "param 'axes' is empty", axes, "axes = array<i64>"),
        ("C2", "names an axis twice", axes, "axes = array<i64: 3, -1>"),
        *([("C3", "has extent 0", "8x8x4xf32>)", "8x8x0xf32>)")] if picks else []),
        result_rows("C4" if picks else "C3", statement)[1],
        *([("C4", RESULT_TYPE, "f32>)", f"{HALF}>)", "xf32>", f"x{QUARTER}>")] if picks else []),
    ]


def arg_rows(op: type[GraphOp], statement: str) -> list[Row]:
    """Break the constraints of an op that finds the place of an extreme."""
    (axis,) = re.findall(r"axis = \S+", statement)
    return [
        ("C1", "operand 'inp' has element type", "f32>", "i1>"),
        ("C2", "param 'axis' is 4", axis, "axis = 4"),
        ("C2", "param 'axis' is -5", axis, "axis = -5"),
        ("C3", "has extent 0", "8x8x4xf32>)", "8x8x0xf32>)"),
        result_rows("C4", statement)[1],
    ]


def pool_rows(op: type[GraphOp], statement: str) -> list[Row]:
    """Break the constraints of a pool."""
    (params,) = re.findall(r"\{.*\}", statement)

    def given(text: str) -> tuple[str, str]:
        return params, f"{{filter_size = array<i64: {text}}}"

    return [
        ("C1", "operand 'inp' has element type", "f32>", "i1>"),
        ("C1", "operand 'inp' has rank 3", "(tensor<1x", "(tensor<"),
        ("C2", "param 'filter_size' has 1 values", *given("2>")),
        ("C2", "param 'filter_size' holds 0", *given("2, 0>")),
        ("C2", "param 'stride' has 3 values", *given("2, 2>, stride = array<i64: 1, 1, 1>")),
        ("C2", "param 'stride' holds 0", *given("2, 2>, stride = array<i64: 0, 1>")),
        ("C2", "param 'pad_amount' has 2 values", *given("2, 2>, pad_amount = array<i64: 1, 1>")),
        ("C2", "holds -1", *given("2, 2>, pad_amount = array<i64: 0, 0, 0, -1>")),
        ("C3", "param 'rounding_mode' is 2", *given("2, 2>, rounding_mode = 2 : i64")),
        ("C4", "a window of 9 is larger", *given("9, 2>")),
        ("C4", "a window of 9 is larger", *given("2, 9>")),
    ]


def axes_norm_rows(op: type[GraphOp], statement: str) -> list[Row]:
    """Break the constraints of a normalisation over axes."""
    (axes,) = re.findall(r"axes = array<i64: [^>]*>", statement)
    return [
        ("C1", "operand 'inp' has element type", "f32>", "i32>"),
        ("C2", "param 'axes' is 3", axes, "axes = array<i64: 3>"),
        ("C2", "param 'axes' is -4", axes, "axes = array<i64: -4>"),
        ("C2", "param 'axes' is empty", axes, "axes = array<i64>"),
        ("C2", "names an axis twice", axes, "axes = array<i64: 2, -1>"),
        ("C3", "param 'epsilon' is -1", axes, f"{axes}, epsilon = -1.0 : f32"),
        ("C4", "operand 'gamma' has shape 31", " tensor<32xf32>", " tensor<31xf32>"),
        ("C5", "operand 'gamma' is Float16", " tensor<32xf32>", " tensor<32xf16>"),
        ("C5", "must be quantised or i32", "16x32xf32", f"16x32x{HALF}"),
    ]


FAMILIES: tuple[tuple[type[GraphOp], Callable[[type[GraphOp], str], list[Row]]], ...] = (
    (Unary, unary_rows),
    (Binary, binary_rows),
    (Reduce, reduce_rows),
    (Arg, arg_rows),
    (Pool, pool_rows),
    (AxesNorm, axes_norm_rows),
)
"""The edits of each family, by its base class."""
