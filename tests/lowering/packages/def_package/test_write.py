"""The text that is written: read back it is equal, and a C++ compiler takes it."""

import math
from dataclasses import replace
from pathlib import Path

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.lowering.packages.def_package import CppPackage, load_cpp, spelled_out, write_cpp
from htp_mlir.lowering.patterns import HTP_RULES
from htp_mlir.lowering.patterns.groups import GROUP_RULES
from htp_mlir.lowering.patterns.properties import PARAM_ORDERS, PROPERTIES
from htp_mlir.lowering.patterns.tiling import RECURRENCE_RULES
from htp_mlir.lowering.rules import (
    AND,
    EARLY,
    EQ,
    INF,
    LATE,
    MESSAGE,
    NEG_INF,
    OK,
    OPCONST,
    STEPSIZE_OF,
    WITH_OUTPUT_TYPE,
    Op,
    OpVarIn,
    Param,
    RuleSet,
    gen_ConstScalar_f32,
    param_order,
    rule,
    rules,
)
from htp_mlir.lowering.rules.graph.graph import ExprKind
from htp_mlir.lowering.rules.tree.expr import Expr, External, Literal

from tests.support.paths import EXAMPLES

from .kit import complaints, load
from .texts import BIAS, POOL, SHORTHANDS


def functions(expr: Expr) -> dict[str, External]:
    """The Python functions inside an expression by name."""
    own = {expr.name: expr} if isinstance(expr, External) and expr.function else {}
    return {name: fn for part in expr.parts() for name, fn in functions(part).items()} | own


def own_package() -> CppPackage:
    """The project's own tables of native ops; their rules find their functions by name too."""
    externals = {
        name: function
        for member in HTP_RULES
        for expr in (member.constraint, member.replacement)
        for name, function in functions(expr).items()
    }
    # A filter of blocks and an op with any of its outputs have no word in C++.
    unwritten = {*GROUP_RULES, *RECURRENCE_RULES}
    native = tuple(m for m in HTP_RULES if not m.in_graph and m not in unwritten)
    table = RuleSet(native, externals={**HTP_RULES.externals, **externals})
    return CppPackage(
        "htp",
        properties=tuple(PROPERTIES.values()),
        param_orders=tuple(PARAM_ORDERS.values()),
        rules=table,
        axis_params=("axis", "axes"),
    )


def packages(folder: Path) -> list[CppPackage]:
    return [
        own_package(),
        load(folder, BIAS)[0],
        load(folder, POOL, name=None, shorthands=SHORTHANDS)[0],
        unusual_package(),
    ]


def unusual_package() -> CppPackage:
    """Literals, names and flags that take care to write."""
    numbers = AND(
        EQ(STEPSIZE_OF("A"), 1e-30),
        EQ(Literal(2**63, ExprKind.SIZE), 2**40),
        EQ(-(2**31), Literal(3, ExprKind.SIZE)),
        EQ(STEPSIZE_OF("*"), INF),
        EQ(STEPSIZE_OF("*"), NEG_INF),
        MESSAGE('say "what??/"\n\tä'),
    )
    replacement = WITH_OUTPUT_TYPE(
        DType.QUInt8, 128, -0.5, Op("q::Relu", gen_ConstScalar_f32(-0.0))
    )
    order = param_order(
        "Wide", Param("far", default=2**40), Param("empty", default=()), Param("on", default=True)
    )
    return CppPackage(
        "Odd_1",
        param_orders=(order,),
        rules=rules(
            rule(
                7, OpVarIn("Wide.op", OPCONST("A")), numbers, replacement, name="a name, of words"
            ),
            rule(LATE + 1, Op("P::Q", "A"), OK, "A", flags=["one", "two"]),
            package="Odd_1",
        ),
    )


@pytest.mark.slow
def test_what_is_written_reads_back_equal(tmp_path: Path) -> None:
    for package in packages(tmp_path):
        path = tmp_path / "written.cpp"
        path.write_text(write_cpp(package), encoding="utf-8")
        externals = [
            e for e in package.rules.externals.values() if e not in RuleSet().externals.values()
        ]
        again, summary = load_cpp(path, externals=externals)
        assert summary.skipped == ()
        spelled = replace(package.rules, rules=tuple(spelled_out(package.rules)))
        assert again == replace(package, rules=spelled)
        assert write_cpp(again) == path.read_text(encoding="utf-8")


def test_rules_are_formatted_as_people_write_them() -> None:
    members = rules(
        rule(EARLY + 1, Op("Add", Op("Mul", "A", "B"), "C"), OK, Op("MulAdd", "A", "B", "C")),
        package="Pkg",
    )
    text = write_cpp(CppPackage("Pkg", rules=members))
    assert (
        """
DEF_PACKAGE_OPTIMIZATION(
    EARLY + 1,
    Op("Add", Op("Mul", "A", "B"), "C"),
    OK,
    Op("MulAdd", "A", "B", "C")
)
"""
        in text
    )
    assert max(map(len, write_cpp(own_package()).splitlines())) <= 100


@pytest.mark.needs("g++")
def test_a_compiler_takes_the_text(tmp_path: Path) -> None:
    sources = []
    for number, package in enumerate(packages(tmp_path)):
        sources.append(tmp_path / f"written{number}.cpp")
        sources[-1].write_text(write_cpp(package), encoding="utf-8")
    assert complaints(tmp_path, *sources) == ""
    broken = tmp_path / "broken.cpp"
    broken.write_text(sources[1].read_text().replace("LATE", "SOON"))
    assert "SOON" in complaints(tmp_path, broken)


@pytest.mark.needs("g++")
@pytest.mark.parametrize("name", ["attention", "max_pool", "swish"])
def test_a_compiler_takes_the_examples(name: str, tmp_path: Path) -> None:
    assert complaints(tmp_path, EXAMPLES / f"{name}_package" / "package.cpp") == ""


@pytest.mark.parametrize(
    ("package", "reason"),
    [
        (
            CppPackage("P", rules=rules(rule(1, Op("A", 'x"'), OK, 'x"'), package="P")),
            "cannot be written without escapes",
        ),
        (
            CppPackage(
                "P",
                rules=rules(
                    rule(1, Op("A", "x"), EQ(STEPSIZE_OF("x"), math.nan), "x"), package="P"
                ),
            ),
            "has no form in a rule",
        ),
        (
            CppPackage("P", rules=rules(rule(1, Op("A", "x"), OK, "x"), package="Q")),
            "belongs to package Q",
        ),
        (
            CppPackage("P", param_orders=(param_order("A", Param("p", default=math.inf)),)),
            "the default inf has no form in C",
        ),
        (
            CppPackage(
                "P", rules=rules(rule(1, Op("A", "x"), OK, "x", name="two\nlines"), package="P")
            ),
            "its name is no line of text",
        ),
    ],
)
def test_what_cpp_cannot_say_is_an_error(package: CppPackage, reason: str) -> None:
    with pytest.raises(HtpError, match=reason):
        write_cpp(package)


def test_two_functions_of_one_name_are_an_error(tmp_path: Path) -> None:
    package, _ = load(tmp_path, POOL, shorthands=SHORTHANDS)
    first = package.kernels[0]
    other = replace(first, op="Other", parameters=first.parameters[:1])
    with pytest.raises(HtpError, match="is two functions of one name"):
        write_cpp(replace(package, kernels=(first, other)))
