"""What constraints ask: nodes and their outputs, constants, options, layouts, consumers."""

import math

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.htp import NATIVE_OPS
from htp_mlir.dialects.spec_of import type_of
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering.rules import (
    ADD,
    AND,
    CHANNEL_SPLIT_SIZE,
    CONSTVAL_FLOAT,
    CONSTVAL_FLOAT_VALID,
    CONSTVAL_INT,
    CONSTVAL_INT_VALID,
    DIM_BATCHES,
    DIM_DEPTH,
    DIM_FILTDEPTH,
    DIM_FILTHEIGHT,
    DIM_FILTWIDTH,
    DIM_HEIGHT,
    DIM_NFILTS,
    DIM_OF,
    DIM_WIDTH,
    DTYPE_OF,
    ELEMENTSIZE_OF,
    ESTIMATE_TENSOR_SIZE,
    INPUT_OF,
    INPUTS_OF,
    IS_FLOAT,
    IS_FLOAT16,
    IS_FLOAT32,
    IS_INT32,
    IS_QINT8,
    IS_QINT16,
    IS_QINT32,
    IS_QUANT_TYPE,
    IS_QUINT8,
    IS_QUINT16,
    IS_SCALAR,
    ITER_VAR,
    LAYOUT_CHUNKSIZE,
    MESSAGE,
    MESSAGE_IF,
    MESSAGE_IFNOT,
    MESSAGE_VALUE,
    OPTION_BOOL,
    OPTION_FLOAT,
    OPTION_INT,
    OPTION_UINT,
    OUTPUT_OF,
    OUTPUTS_OF,
    PRODUCER_FOR,
    RANK_OF,
    SAME_ENCODING,
    SAME_OP,
    SAME_QUANT,
    SAME_SHAPE,
    SELECT,
    SPLIT_DIM,
    SPLIT_SIZE,
    SPLIT_START,
    STEPSIZE_OF,
    TCM_MAXTENSOR_SIZE,
    TILE_HEIGHT,
    ZERO_OFFSET_OF,
    GraphOptions,
    IS_SHAPE_1x1x1xd,
)
from htp_mlir.lowering.rules.graph.env import Env, Split
from htp_mlir.lowering.rules.graph.graph import INT_MIN, EvaluationError
from htp_mlir.lowering.rules.tree.expr import Expr
from xdsl.ir import SSAValue

from tests.support.native_graph import NativeGraph

from ..kit import U8, same, value_of

AXIS_QUANT = TensorSpec((1, 1, 2, 2), DType.QInt8, Quant((0.5, 2.0), (1, 0), axis=3))


def _nodes() -> dict[str, SSAValue]:
    """X f32, Q and Q2 quantised alike, Q3 otherwise; S a shape; constants; Y = Add(X, X)."""
    graph = NativeGraph()
    x, q = graph.input(2, 3, 5, 7), graph.input(spec=U8)
    row, one = graph.input(1, 1, 1, 9), graph.input(1, 1, 1, 1)
    q2 = graph.op("Relu", q)
    q3 = graph.op("Relu", q, out=TensorSpec(U8.shape, DType.QUInt8, Quant((0.1,), (3,))))
    y = graph.op("Add", x, x)
    gru = _gru(graph)
    nodes = {
        "X": x,
        "Q": q,
        "Q2": q2,
        "Q3": q3,
        "Row": row,
        "One": one,
        "Y": y,
        "Gru": gru,
        "S": graph.shape(1, 2, 3, 0),
        "I": graph.ints(4, -5),
        "F": graph.const(np.array([1.5, -2.0, 3e10], np.float32)),
        "QC": graph.const(np.array([[[[3, 3], [-1, 4]]]], np.int8), AXIS_QUANT),
    }
    graph.module(y, q3)
    return nodes


def _gru(graph: NativeGraph) -> SSAValue:
    """An op of two outputs, with shapes that nobody verifies here."""
    types = [type_of(TensorSpec(dims, DType.Float32)) for dims in ((4, 1, 1, 8), (1, 1, 1, 8))]
    return NATIVE_OPS["Gru"].create(operands=[graph.block.args[0]], result_types=types).results[0]


NODES = _nodes()

VALUES = [
    (RANK_OF("X"), 4),
    (RANK_OF("S"), 4),
    (DIM_OF("X", 3), 7),
    (DIM_OF("S", 1), 2),
    (STEPSIZE_OF("Q"), 0.05),
    (STEPSIZE_OF("X"), 1.0),
    (ZERO_OFFSET_OF("Q"), 128),
    (ZERO_OFFSET_OF("X"), 0),
    (DTYPE_OF("Q"), DType.QUInt8),
    (ELEMENTSIZE_OF("Q"), 1),
    (ELEMENTSIZE_OF("X"), 4),
    (INPUTS_OF("Y"), 2),
    (INPUTS_OF("I"), 0),
    (OUTPUTS_OF("Y"), 1),
    (OUTPUTS_OF("Gru"), 2),
    (DIM_OF(OUTPUT_OF("Gru", 1), 0), 1),
    (SAME_OP(INPUT_OF("Y", 1), "X"), True),
    (SAME_OP("Q", "Q2"), False),
    (SAME_OP(SELECT(True, "X", "Q"), "X"), True),
    (SAME_ENCODING("Q", "Q2"), True),
    (SAME_ENCODING("Q", "Q3"), False),
    (SAME_ENCODING("X", "Row"), True),
    (SAME_ENCODING("X", "I"), False),
    (SAME_QUANT("Q", "Q3"), False),
    (SAME_QUANT("X", "I"), True),
    (SAME_SHAPE("X", "Y"), True),
    (SAME_SHAPE("X", "Q"), False),
    (CONSTVAL_INT("I", 1), -5),
    (CONSTVAL_INT("I", 2), INT_MIN),
    (CONSTVAL_INT("F", 1), -2),
    (CONSTVAL_INT("F", 0), INT_MIN),
    (CONSTVAL_INT("F", 2), INT_MIN),
    (CONSTVAL_INT("X", 0), INT_MIN),
    (CONSTVAL_INT("QC", 0), 1),
    (CONSTVAL_INT_VALID("I", 0), True),
    (CONSTVAL_INT_VALID("F", 0), False),
    (CONSTVAL_INT_VALID("X", 0), False),
    (CONSTVAL_FLOAT("F", 0), 1.5),
    (CONSTVAL_FLOAT("I", 0), 4.0),
    (CONSTVAL_FLOAT("QC", 1), 6.0),
    (CONSTVAL_FLOAT("QC", 2), -1.0),
    (CONSTVAL_FLOAT("QC", 3), 8.0),
    (CONSTVAL_FLOAT("F", 3), math.nan),
    (CONSTVAL_FLOAT("F", -1), math.nan),
    (CONSTVAL_FLOAT("X", 0), math.nan),
    (CONSTVAL_FLOAT_VALID("F", 2), True),
    (CONSTVAL_FLOAT_VALID("F", 3), False),
    (OPTION_INT("tile_height"), 8),
    (OPTION_UINT("tcm_size"), 8 << 20),
    (OPTION_BOOL("relaxed_precision_flag"), False),
    (OPTION_FLOAT("tile_height"), 8.0),
    (TCM_MAXTENSOR_SIZE, 4 << 20),
    (TILE_HEIGHT, 8),
    (CHANNEL_SPLIT_SIZE, 256),
    (ESTIMATE_TENSOR_SIZE("X"), 2 * 8 * 24 * 32),
    (ESTIMATE_TENSOR_SIZE("Q"), 8 * 8 * 32),
    (LAYOUT_CHUNKSIZE("QUint8CroutonTensor", 1), 8),
    (LAYOUT_CHUNKSIZE("QUint16CroutonTensor_TCM", 2), 4),
    (LAYOUT_CHUNKSIZE("FloatCroutonTensor", 2), 2),
    (LAYOUT_CHUNKSIZE("PlainFloatTensor", 3), 1),
    (DIM_BATCHES("X"), 2),
    (DIM_HEIGHT("X"), 3),
    (DIM_WIDTH("X"), 5),
    (DIM_DEPTH("X"), 7),
    (DIM_FILTHEIGHT("X"), 2),
    (DIM_FILTWIDTH("X"), 3),
    (DIM_FILTDEPTH("X"), 5),
    (DIM_NFILTS("X"), 7),
    (IS_SCALAR("One"), True),
    (IS_SCALAR("Row"), False),
    (IS_SHAPE_1x1x1xd("Row"), True),
    (IS_SHAPE_1x1x1xd("X"), False),
    (PRODUCER_FOR("X", "Add"), True),
    (PRODUCER_FOR("X", "Relu"), False),
    (PRODUCER_FOR("Q", "Relu"), True),
    (PRODUCER_FOR("Y", "*Output"), True),
    (PRODUCER_FOR("Q2", "*Output"), False),
    (SPLIT_START("I"), 16),
    (SPLIT_SIZE("I"), 8),
    (SPLIT_DIM("I"), 1),
    (ITER_VAR("I"), 2),
    (AND(IS_QUANT_TYPE("Q"), IS_FLOAT("X")), True),
]


@pytest.mark.parametrize(("expr", "wanted"), VALUES, ids=str)
def test_value(expr: Expr, wanted: object) -> None:
    value = value_of(expr, **NODES)
    assert same(value, wanted), f"{value!r}"


DTYPE_TESTS = {
    IS_QUINT8: DType.QUInt8,
    IS_QINT8: DType.QInt8,
    IS_QUINT16: DType.QUInt16,
    IS_QINT16: DType.QInt16,
    IS_QINT32: DType.QInt32,
    IS_INT32: DType.Int32,
    IS_FLOAT16: DType.Float16,
    IS_FLOAT32: DType.Float32,
    IS_FLOAT: DType.Float32,
}


@pytest.mark.parametrize("dtype", list(DType))
def test_each_dtype_question_holds_for_its_own_dtype_only(dtype: DType) -> None:
    quant = Quant((0.5,), (0,)) if dtype.is_quantized else None
    value = NativeGraph().input(spec=TensorSpec((1, 1, 1, 2), dtype, quant))
    for question, wanted in DTYPE_TESTS.items():
        assert value_of(question("X"), X=value) is (dtype is wanted)
    assert value_of(IS_QUANT_TYPE("X"), X=value) is dtype.is_quantized


@pytest.mark.parametrize(
    ("expr", "why"),
    [
        (DIM_OF("X", 4), "dim 4 of a node of rank 4"),
        (DIM_OF("X", -1), "dim -1 of a node of rank 4"),
        (INPUT_OF("Y", 2), "number 2 of 2 inputs or outputs"),
        (OUTPUT_OF("X", 1), "number 1 of 1 inputs or outputs"),
        (DTYPE_OF("S"), r"htp\.Shape is a shape and has no dtype"),
        (SAME_ENCODING("X", "S"), r"htp\.Shape is a shape"),
        (LAYOUT_CHUNKSIZE("PlainFloatTensor", 4), "dim 4 of a tensor of rank 4"),
    ],
    ids=str,
)
def test_what_has_no_value_says_why(expr: Expr, why: str) -> None:
    with pytest.raises(EvaluationError, match=why):
        value_of(expr, **NODES)


def test_dtype_question_about_a_shape_is_answered_no() -> None:
    assert value_of(IS_FLOAT32("S"), **NODES) is False


def test_unknown_tensor_class_and_unknown_option_are_errors() -> None:
    with pytest.raises(HtpError, match="'Plain': unknown tensor class\n  known are QUint8Crouton"):
        value_of(LAYOUT_CHUNKSIZE("Plain", 0))
    with pytest.raises(HtpError, match="graph option 'tcm': unknown\n  known are tcm_size"):
        value_of(OPTION_INT("tcm"))


def test_options_of_the_user() -> None:
    options = GraphOptions(
        tcm_size=1000,
        tile_height=2,
        extra={"chunk": 7, "scale": 0.5, "fast": True, "mode": "on", "other": "off"},
    )
    for expr, wanted in (
        (OPTION_UINT("chunk"), 7),
        (OPTION_FLOAT("scale"), 0.5),
        (OPTION_BOOL("fast"), True),
        (OPTION_INT("mode"), 1),
        (OPTION_BOOL("other"), False),
        (TCM_MAXTENSOR_SIZE, 500),
        (ESTIMATE_TENSOR_SIZE("X"), 2 * 4 * 24 * 32),
    ):
        assert same(value_of(expr, options, **NODES), wanted), str(expr)


def test_messages_print_and_pass_the_value_on() -> None:
    said: list[str] = []
    for expr, wanted in (
        (MESSAGE("here"), True),
        (MESSAGE_IF(False, "silent"), False),
        (MESSAGE_IF(True, "held"), True),
        (MESSAGE_IFNOT(False, "broken"), False),
        (MESSAGE_IFNOT(True, "silent"), True),
        (ADD(MESSAGE_VALUE(DIM_DEPTH("X"), "depth "), 1), 8),
        (MESSAGE_VALUE(DTYPE_OF("X"), "dtype "), DType.Float32),
        (SAME_OP(MESSAGE_VALUE("Y", "op "), "Y"), True),
    ):
        assert same(value_of(expr, report=said.append, **NODES), wanted), str(expr)
    assert said == ["here", "held", "broken", "depth 7", "dtype Float32", "op htp.Add"]


def test_messages_go_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    value_of(MESSAGE("seen"))
    assert capsys.readouterr() == ("", "seen\n")


def test_a_split_tag_hides_the_outer_one_of_its_name() -> None:
    env = Env({}, GraphOptions())
    with env.inside("I", Split(0, 1, 1)), env.inside("I", Split(0, 2, 1)):
        assert SPLIT_START("I").evaluate(env) == 2
    assert env.splits == {}
