"""What the reader makes of op package sources: the objects that Python tables would hold."""

from functools import partial
from pathlib import Path

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.spec import LayoutKind, Memory
from htp_mlir.lowering.packages.def_package import KernelParameter, KernelSignature, Role, load_cpp
from htp_mlir.lowering.rules import (
    ADD,
    AND,
    AUTOSPLIT,
    CAST_TO_FP16,
    CAST_TO_FP32,
    DIM_DEPTH,
    DIM_FILTHEIGHT,
    DIM_WIDTH,
    DTYPE_OF,
    EARLY,
    EQ,
    EXTERNAL_CONSTRAINT,
    FROM_DEFAULT_PACKAGE,
    GT,
    INT,
    IS_QUINT8,
    LATE,
    LAYOUT_CHUNKSIZE,
    LET,
    LT,
    MESSAGE,
    MIDDLE,
    MUL,
    NOT,
    OK,
    OP_ITER,
    QNN,
    RANK_OF,
    ROUNDUP,
    SPLIT_START,
    TYPICAL_SLICE,
    UINT,
    WITH_SIZE,
    WITH_TYPE,
    IS_SHAPE_1x1x1xd,
    Op,
    Outputs,
    Param,
    external_constraint,
    gen_ConstScalar_f32,
    gen_ConstScalar_i32,
    gen_Shape,
    gen_ShapeOf,
    param_order,
    rule,
    rules,
    tensor_properties,
)
from htp_mlir.lowering.rules.language.properties import Crouton, Flat, MainMemory
from htp_mlir.runtime.kernel.kernel import Cost, Flag

from tests.support.timing import least_seconds

from .kit import load, reasons
from .texts import BIAS, POOL, SHORTHANDS


def test_rules_equal_those_that_python_writes(tmp_path: Path) -> None:
    package, summary = load(tmp_path, BIAS)
    bias = AND(EQ(RANK_OF("X"), 4), EQ(DIM_DEPTH("X"), DIM_DEPTH("B")), IS_SHAPE_1x1x1xd("B"))
    turned = WITH_SIZE("Y", WITH_TYPE("Y", Op("Wrapped.turn", "Y")))
    rows = Op("Wrapped.rows", "X", gen_ShapeOf("Y"))
    size = gen_Shape(1, 1, ROUNDUP(MUL(DIM_FILTHEIGHT("Y"), 2), 32), 16)
    layer = FROM_DEFAULT_PACKAGE("ConvLayer_valid")
    expected = rules(
        rule(EARLY, Op("Plus", "X", "B"), bias, Op("PlusBias", "X", "B")),
        rule(
            EARLY + 1,
            Op("PlusBias", Op("Other::Conv", "A", "W", "S"), "B"),
            OK,
            Op(layer, "A", "W", "S", "B"),
        ),
        rule(LATE + 900, Op("Wrapped", "X", "Y"), OK, Op("Wrapped.real", "X", turned)),
        rule(
            LATE,
            Op("Wrapped", "X", "Y"),
            LT(INT(DIM_DEPTH("X")), -4),
            Op("Wrapped", WITH_SIZE(size, rows), gen_ConstScalar_f32(0.0015)),
        ),
        package="Pkg",
    )
    assert package.rules == expected
    assert (summary.skipped, summary.missing) == ((), ())


def test_a_rule_knows_its_line(tmp_path: Path) -> None:
    package, _ = load(tmp_path, BIAS)
    assert [member.where.rpartition(":")[2] for member in package.rules] == ["2", "8", "14", "16"]


def test_macros_conditions_and_constants_around_rules(tmp_path: Path) -> None:
    package, summary = load(tmp_path, POOL, name=None, shorthands=SHORTHANDS)
    assert package.name == "PoolPackage"
    expected = rules(
        rule(
            EARLY + 4,
            Op("RowPool", "In", "Window"),
            AND(IS_QUINT8("In"), GT(DIM_DEPTH("*"), 32), GT(DIM_WIDTH("In"), UINT(8))),
            AUTOSPLIT(3, "I", 32, Op("RowPool", TYPICAL_SLICE("In", "I"), "Window")),
        ),
        rule(
            LATE - 1,
            Op("RowPool", LET("D", Op(FROM_DEFAULT_PACKAGE("Dequantize"), "A")), "W"),
            EQ(DTYPE_OF("D"), DType.Float32),
            WITH_SIZE("*", Op("NarrowPool", "A")),
        ),
        rule(
            2001,
            Op("NarrowPool", "A"),
            NOT(EQ(DTYPE_OF("*"), DType.Float16)),
            CAST_TO_FP32(Op("NarrowPool", CAST_TO_FP16("A"))),
            flags=["relaxed_precision_flag"],
        ),
        *(
            rule(MIDDLE, Op(name, Op("RowPool", "A", "W")), OK, Op(f"RowPool.{name}", "A", "W"))
            for name in ("Relu", "Tanh")
        ),
        rule(QNN, Op("Relu", Op("Relu", "A")), OK, Op("Relu", "A")),
        package="PoolPackage",
    )
    assert package.rules == expected
    assert summary.skipped == ()
    assert summary.missing == ("HTP/core/constraints.h", "QnnOpPackage.h")
    assert package.axis_params == ("axis", "Axis")


def test_kernels_have_the_classes_of_their_instances(tmp_path: Path) -> None:
    package, _ = load(tmp_path, POOL, shorthands=SHORTHANDS)
    generic, crouton, narrow, never = package.kernels
    assert (generic.cost, generic.flags) == (Cost.GLACIAL, Flag.RESOURCE_HVX)
    assert crouton == KernelSignature(
        "RowPool",
        "row_pool",
        ("QUint8CroutonTensor",),
        (
            KernelParameter("out", "QUint8CroutonTensor", Role.OUTPUT),
            KernelParameter("in", "QUint8CroutonTensor", Role.INPUT),
            KernelParameter("window", "Tensor", Role.INPUT),
        ),
        Cost.SNAIL,
    )
    assert narrow.classes(Role.SCRATCH) == ("PlainFloatTensor",)
    assert (narrow.cost, narrow.hook) == ("narrow_cost", "RowsHook")
    assert narrow.flags == Flag.IS_CONST | Flag.INHIBIT_CONST_PROP
    assert (never.arguments, never.classes(Role.INPUT)) == ((), ("Tensor",))
    assert never.flags == Flag.NONE


def test_tensor_properties_and_param_orders(tmp_path: Path) -> None:
    package, _ = load(tmp_path, POOL, shorthands=SHORTHANDS)
    assert package.properties == (
        tensor_properties(
            Op("RowPool", "in", "window"),
            Outputs("out", "mask"),
            Flat("mask", "window"),
            Crouton("*", "in"),
            MainMemory("..."),
        ),
    )
    assert package.properties[0].layout("*") is LayoutKind.CROUTON
    assert package.properties[0].memory("mask") is Memory.DDR
    limit, steps = Param("limit", default=6.0), Param("steps", default=(2, 1))
    window, rounding = Param("window", mandatory=True), Param("rounding")
    assert package.param_orders == (param_order("RowPool", limit, window, steps, rounding),)


@pytest.mark.parametrize(
    ("scalar", "default"),
    [
        (".dataType = QNN_DATATYPE_INT_32, .int32Value = -3", -3),
        (".dataType = QNN_DATATYPE_UINT_32, .uint32Value = 7U", 7),
        (".dataType = QNN_DATATYPE_BOOL_8, .bool8Value = 1", True),
        (".dataType = QNN_DATATYPE_FLOAT_32, .floatValue = 6", 6.0),
        (".dataType = QNN_DATATYPE_FLOAT_32, {.floatValue = .5f}", 0.5),
        ('.dataType = QNN_DATATYPE_STRING, .stringValue = "forward"', "forward"),
    ],
)
def test_scalar_defaults(tmp_path: Path, scalar: str, default: float | str) -> None:
    text = f"""
    static Qnn_Scalar_t held{{{scalar}}};
    static Qnn_Param_t param{{.paramType = QNN_PARAMTYPE_SCALAR, .scalarParam = held}};
    DEF_PACKAGE_PARAM_ORDER("Thing", "p", false, &param)
    """
    (order,) = load(tmp_path, text)[0].param_orders
    assert order.params == (Param("p", default=default),)
    assert type(order.params[0].default) is type(default)


def test_a_default_in_one_initialiser(tmp_path: Path) -> None:
    text = """
    static Qnn_Param_t held = {.paramType = QNN_PARAMTYPE_SCALAR, .name = "p",
        {.scalarParam = {.dataType = QNN_DATATYPE_UINT_32, {.uint32Value = 3}}}};
    DEF_PACKAGE_PARAM_ORDER("Thing", "p", true, &held)
    """
    (order,) = load(tmp_path, text)[0].param_orders
    assert order.params == (Param("p", mandatory=True, default=3),)


def test_copies_placed_by_hand_and_iterated_inputs(tmp_path: Path) -> None:
    text = """
    DEF_PACKAGE_OPTIMIZATION(LATE+900, Op("Quick", "a", "b"), OK, Op("Quick",
        Op(FROM_DEFAULT_PACKAGE("crouton_to_vtcm"),
            Op(FROM_DEFAULT_PACKAGE("ForceFormat_Crouton"), "a")), "b"))
    DEF_PACKAGE_OPTIMIZATION(MIDDLE, Op("Quick", "a", "b"), OK,
        OP_ITER(Op(FROM_DEFAULT_PACKAGE("Concat"), gen_ConstScalar_i32(1)), "I", 0, 2,
            WITH_SIZE(gen_Shape(1, 8, 8, 32), Op("Half", "a", gen_Shape(0, SPLIT_START("I"))))))
    """
    package, summary = load(tmp_path, text)
    assert summary.skipped == ()
    copied, joined = package.rules
    shaped = Op(FROM_DEFAULT_PACKAGE("ForceFormat_Crouton"), "a")
    assert copied.replacement == Op("Quick", Op("q::crouton_to_vtcm", shaped), "b")
    half = WITH_SIZE(gen_Shape(1, 8, 8, 32), Op("Half", "a", gen_Shape(0, SPLIT_START("I"))))
    concat = Op("q::Concat", gen_ConstScalar_i32(1))
    assert joined.replacement == OP_ITER(concat, "I", 0, 2, half)


def test_words_that_only_cpp_has(tmp_path: Path) -> None:
    @external_constraint("fits<3, 4>")
    def fits(*_: object) -> bool:
        return True

    text = r"""
    constexpr int PASS = 2100;
    DEF_PACKAGE_OPTIMIZATION(PASS + 1, Op("A" "dd", "X"),
        AND(EXTERNAL_CONSTRAINT((fits<3, 4>), "X", 010), MESSAGE("two words\n"),
            EQ(LAYOUT_CHUNKSIZE(QUint8CroutonTensor, 1), 8U)),
        Op("B", AUTOSPLIT(1, "I", 8, WITH_SIZE(gen_Shape(ADD(SPLIT_START("I"), 1)), Op("C", "X")))))
    """
    package, summary = load(tmp_path, text, externals=[fits])
    assert summary.skipped == ()
    (member,) = package.rules
    assert (member.priority, member.match) == (2101, Op("Add", "X"))
    assert str(member.constraint) == str(
        AND(
            EXTERNAL_CONSTRAINT(fits, "X", 8),
            MESSAGE("two words\n"),
            EQ(LAYOUT_CHUNKSIZE("QUint8CroutonTensor", 1), UINT(8)),
        )
    ).replace("UINT(8)", "8U")
    size = gen_Shape(ADD(SPLIT_START("I"), 1))
    inner = AUTOSPLIT(1, "I", 8, WITH_SIZE(size, Op("C", "X")))
    assert member.replacement == Op("B", inner)


def test_a_folder_is_one_package(tmp_path: Path) -> None:
    (tmp_path / "common.h").write_text(
        'DEF_PACKAGE_OPTIMIZATION(LATE, Op("S", Op("S", "A")), OK, "A")'
    )
    for name in ("One", "Two"):
        member = f'#include "common.h"\nDEF_PACKAGE_OPTIMIZATION(EARLY, Op("{name}", "A"), OK, "A")'
        (tmp_path / f"{name}.cpp").write_text(member)
    package, summary = load_cpp(tmp_path, name="Both")
    assert [member.match.name for member in package.rules] == ["S", "One", "Two"]
    assert package.ops == ("S", "One", "Two")
    assert dict(summary.counts)["rules"] == 3


def test_the_name_comes_from_the_caller_then_the_source_then_the_file(tmp_path: Path) -> None:
    path = tmp_path / "my-pool.cpp"
    path.write_text("int nothing;")
    assert load_cpp(path)[0].name == "my_pool"
    path.write_text("#define THIS_PKG_NAME Pool")
    assert load_cpp(path)[0].name == "Pool"
    rule = 'DEF_OPT(EARLY, Op("Pool::Max", "A"), OK, Op(THIS_PKG_NAME_STR "::Max", "A"))'
    path.write_text(f'#define THIS_PKG_NAME Pool\n#define THIS_PKG_NAME_STR "Mine"\n{rule}')
    renamed = load_cpp(path, name="Mine")[0]
    assert (renamed.name, renamed.ops) == ("Mine", ("Max",))
    with pytest.raises(HtpError, match="this is no name"):
        load_cpp(path, name="no name")


def test_the_language_itself_is_no_macro(tmp_path: Path) -> None:
    text = '#define OK false\n#define Op(...) 1\nDEF_OPT(LATE, Op("A", "X"), OK, "X")'
    package, summary = load(tmp_path, text)
    assert summary.skipped == ()
    assert [member.constraint for member in package.rules] == [OK]


def test_the_summary_counts_every_kind(tmp_path: Path) -> None:
    _, summary = load(tmp_path, POOL + "\nDEF_OPT(LATE)", shorthands=SHORTHANDS)
    assert summary.counts == (
        ("ops", 6),
        ("rules", 6),
        ("kernels", 4),
        ("tensor properties", 1),
        ("param orders", 1),
        ("axis params", 2),
        ("constructor hooks", 1),
        ("passed over", 1),
    )
    assert reasons(summary) == ["package.cpp:91: DEF_OPT with 1 operands"]
    table = str(summary).splitlines()
    assert table[:2] == ["ops                    6", "rules                  6"]
    assert table[-1] == "not found, and not needed: HTP/core/constraints.h, QnnOpPackage.h"


def test_files_are_read_in_the_order_in_which_the_interface_registers_them(tmp_path: Path) -> None:
    for name in ("Relu", "Add", "Extra"):
        begin = f"BEGIN_PKG_OP_DEFINITION(PKG_{name});" if name != "Extra" else ""
        text = f'{begin}\nDEF_OPT(EARLY, Op("{name}", "X"), OK, "X")\n'
        (tmp_path / f"{name}Op.cpp").write_text(text)
    (tmp_path / "Interface.cpp").write_text(
        "BEGIN_PKG_OPS_OPTS_LIST()\nDECLARE_PKG_OPS_OPTS_LIST(PKG_Relu)\n"
        "DECLARE_PKG_OPS_OPTS_LIST(PKG_Add)\nEND_PKG_OPS_OPTS_LIST()\n"
    )
    package, summary = load_cpp(tmp_path)
    assert [rule.match.name for rule in package.rules] == ["Relu", "Add", "Extra"]
    assert summary.skipped == ()


def load_rules(tmp_path: Path, rule_count: int) -> None:
    """Load C++ text of so many rules."""
    lines = [
        f'DEF_PACKAGE_OPTIMIZATION(EARLY + {n}, Op("Op{n}", "X", Op("Make{n}", "Y")), '
        f'AND(GT(DIM_DEPTH("X"), {n}), IS_QUINT8("Y")), WITH_SIZE("X", Op("New{n}", "X", "Y")))'
        for n in range(rule_count)
    ]
    package, summary = load(tmp_path, "\n".join(lines))
    assert (len(package.rules), summary.skipped) == (rule_count, ())


@pytest.mark.slow
def test_reading_takes_time_in_proportion_to_the_rules(tmp_path: Path) -> None:
    few, many = (least_seconds(partial(load_rules, tmp_path, count)) for count in (50, 200))
    assert many < 10 * few
