"""Bad input: what is not understood is listed with file, line and reason; the rest loads."""

import os
from pathlib import Path

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.packages.cpp import preprocess
from htp_mlir.lowering.packages.cpp.text import (
    MAX_BYTES,
    MAX_INCLUDES,
    MAX_LINE,
    MAX_NESTING,
    SourceText,
    read_text,
)
from htp_mlir.lowering.packages.def_package import load_cpp

from .kit import load, reasons

GOOD = 'DEF_PACKAGE_OPTIMIZATION(LATE, Op("Good", "A"), OK, "A")\n'


def rule_text(match: str, constraint: str = "OK", replacement: str = '"A"') -> str:
    return f"DEF_PACKAGE_OPTIMIZATION(LATE, {match}, {constraint}, {replacement})\n"


def test_a_misprinted_macro_gets_a_suggestion(tmp_path: Path) -> None:
    package, summary = load(tmp_path, GOOD + GOOD.replace("IZATION", "IAZATION") + GOOD)
    assert len(package.rules) == 2
    assert [fault.line().rpartition("package.cpp:")[2] for fault in summary.skipped] == [
        "2: no macro DEF_PACKAGE_OPTIMIAZATION is known; did you mean 'DEF_PACKAGE_OPTIMIZATION'?"
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (rule_text('Op("X", "A")', 'EQQ(RANK_OF("A"), 4)'), "no function EQQ in the rule language"),
        (rule_text('Op("X", "A")', "OKAY"), "'OKAY' is not known"),
        (rule_text('Op("X", "A")', 'EQ(RANK_OF("A"))'), "EQ: 1 operands"),
        (
            rule_text('Op("X", "A")', 'EQ(RANK_OF("B"), 4)'),
            'unknown tag "B"; the match has "A", "*"',
        ),
        (rule_text('Op("X", "A")', "OK", "3"), "the replacement 3 is of type int; "),
        (rule_text('Op("X", "A" + "B")'), "'+' where ',' is expected"),
        (rule_text('Op("X", "A") "B"'), "'\"B\"' after the end of the expression"),
        (rule_text("Op(3)"), "operand 1 of Op is no string"),
        (rule_text(r'Op("X\n", "A")'), "this string holds an escape; only messages may"),
        (rule_text('Op("X", "A")', "LT(089, 1)"), "'089' is no octal number"),
        (rule_text('Op("X", "A")', f"LT({'9' * 50}, 1)"), "this number is too long"),
        (
            rule_text('Op("X", "A")', 'EXTERNAL_CONSTRAINT(fits, "A")'),
            "the function 'fits' has no Python side",
        ),
        (rule_text('Op("X", "A")').replace("LATE", "SOON + 1"), "priority 'SOON' is not known"),
        (rule_text('Op("X", "A")').replace("LATE", "LATE +"), "'LATE+' is no priority"),
        (rule_text('Op("X", "A")').replace("LATE", "! LATE"), "'!LATE' is no priority"),
        (rule_text('Op("X", "A")').replace("LATE", "-1"), "the priority is -1; it must be >= 0"),
        (rule_text('Op("X", "A")').replace("LATE", "0 - 4"), "the priority is -4; it must be >= 0"),
        ("DEF_OPT(LATE)", "DEF_OPT with 1 operands"),
        ('DEF_PACKAGE_OP(f<A, "X")', "'f<A' names no function"),
        ("DEF_PACKAGE_OP(f, 3)", "the op's name is no string"),
        ('DEF_PACKAGE_OP_AND_COST_AND_FLAGS(f, "X", CHEAP)', "'CHEAP' is no cost"),
        ('DEF_PACKAGE_OP_AND_COST_AND_FLAGS(f, "X", FAST, ODD)', "'ODD' is no flag"),
        (
            'DEF_TENSOR_PROPERTIES(Op("X", "in0"), Tcm("in_0"))',
            "Tcm() names 'in_0', which is no tag of the op",
        ),
        ('DEF_TENSOR_PROPERTIES(Op("X", "in"), Round("in"))', "'Round(\"in\")' is no clause"),
        ('DEF_PACKAGE_PARAM_ORDER("X", "p", maybe, nullptr)', "'maybe' says not whether 'p' is "),
        ('DEF_PACKAGE_PARAM_ORDER("X", "p", false, &gone)', "the default '&gone' is neither "),
        ('DEF_PACKAGE_PARAM_ORDER("X", "p")', "2 operands; an op and three for each param "),
        ("CTOR_OPHOOK(f)", "CTOR_OPHOOK with 1 operands"),
        ("DEF_OPT(LATE, Op(", "DEF_OPT( is never closed"),
    ],
)
def test_what_is_not_understood_is_listed_and_the_rest_loads(
    tmp_path: Path, text: str, reason: str
) -> None:
    package, summary = load(tmp_path, f"{GOOD}\n{text}\n{GOOD}")
    assert len(package.rules) == 2
    (listed,) = reasons(summary)
    assert listed.startswith(f"package.cpp:3: {reason}")


def test_second_declarations(tmp_path: Path) -> None:
    once = 'DEF_TENSOR_PROPERTIES(Op("X", "a"), Flat("a"))\n'
    order = 'DEF_PACKAGE_PARAM_ORDER("X", "p", {}, nullptr)\n'
    text = once + once + order.format("true") + order.format("true") + order.format("false")
    package, summary = load(tmp_path, text)
    assert (len(package.properties), len(package.param_orders)) == (1, 1)
    assert reasons(summary) == [
        "package.cpp:2: tensor properties of X are declared twice",
        "package.cpp:5: another param order of X differs",
    ]


def test_a_kernel_that_is_registered_twice(tmp_path: Path) -> None:
    text = 'DEF_PACKAGE_OP(f<Tensor>, "X")\n'
    package, summary = load(tmp_path, text * 2 + text.replace("X", "Y"))
    assert [kernel.op for kernel in package.kernels] == ["X", "Y"]
    assert reasons(summary) == ["package.cpp:2: f<Tensor> is registered twice for X"]


@pytest.mark.parametrize("end", ["/*", "/*/", "/* a\n// b"])
def test_a_comment_that_never_ends(end: str, tmp_path: Path) -> None:
    package, summary = load(tmp_path, f"{GOOD}{end}\n{GOOD}")
    assert len(package.rules) == 1
    assert reasons(summary) == ["package.cpp:2: is a comment that never ends"]
    assert reasons(load(tmp_path, f"{GOOD}/**/ /* a */ //*\n{GOOD}")[1]) == []


def test_a_default_that_refers_to_itself(tmp_path: Path) -> None:
    text = "static Qnn_Param_t a = b;\nstatic Qnn_Param_t b = a;\n"
    _, summary = load(tmp_path, text + 'DEF_PACKAGE_PARAM_ORDER("X", "p", false, &a)')
    assert reasons(summary) == ["package.cpp:3: the default '&a' refers to itself"]


def test_a_macro_that_expands_to_itself_stays(tmp_path: Path) -> None:
    package, summary = load(
        tmp_path, "#define LOOP LOOP\n#define A B\n#define B A\nLOOP A\n" + GOOD
    )
    assert (len(package.rules), summary.skipped) == (1, ())


@pytest.mark.slow
def test_macros_that_double_again_and_again_are_cut_off(tmp_path: Path) -> None:
    levels = "".join(f"#define M{n} M{n - 1} M{n - 1}\n" for n in range(1, 38))
    package, summary = load(tmp_path, f"{GOOD}#define M0 x\n{levels}M37\n{GOOD}")
    assert len(package.rules) == 1
    assert "macros expand to more than" in reasons(summary)[0]


@pytest.mark.slow
def test_calls_between_brackets_that_never_close_are_cut_off(tmp_path: Path) -> None:
    package, summary = load(tmp_path, f"{GOOD}#define F(x) x\n" + "(" + "F(1)\n" * 15_000)
    assert len(package.rules) == 1
    assert "macros expand to more than" in reasons(summary)[0]


@pytest.mark.slow
def test_many_macro_calls_take_no_longer_each(tmp_path: Path) -> None:
    calls = "#define F(x) x\n" + "F(1)\nG F\n(2, 3);\n" * 4_000
    package, summary = load(tmp_path, f"{calls}{GOOD}")
    assert len(package.rules) == 1
    assert len(summary.skipped) == 4_000
    assert "Macro F requires 1 arguments but was passed 2" in reasons(summary)[0]


def test_forms_nested_too_deeply(tmp_path: Path) -> None:
    deep = "NOT(" * (MAX_NESTING + 1) + "OK" + ")" * (MAX_NESTING + 1)
    most = "NOT(" * (MAX_NESTING - 1) + "OK" + ")" * (MAX_NESTING - 1)
    good, bad = (rule_text('Op("X", "A")', constraint) for constraint in (most, deep))
    package, summary = load(tmp_path, good + bad)
    assert len(package.rules) == 1
    assert reasons(summary) == [f"package.cpp:2: more than {MAX_NESTING} forms inside each other"]


def test_brackets_without_end(tmp_path: Path) -> None:
    package, summary = load(tmp_path, "(" * 9_000 + GOOD + "{" * 9_000 + "DEF_OPT(" * 2_000)
    assert len(package.rules) == 1
    assert len(summary.skipped) == 2_000


@pytest.mark.parametrize(
    "directive",
    ["#if 1 << (1 << 60)", "#if 1 / 0", "#if )", "#if 'ab'", "#ifdef", "#if", "#elif 1", "#endif"],
)
def test_directives_that_make_no_sense(tmp_path: Path, directive: str) -> None:
    package, summary = load(tmp_path, f"{GOOD}{directive}\n#endif\n{GOOD}")
    assert len(package.rules) >= 1
    assert len(reasons(summary)) >= 1


def test_includes_stay_in_the_folders_allowed(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "far.h").write_text(GOOD)
    (tmp_path / "own" / "near.h").write_text(GOOD)
    link = tmp_path / "own" / "link.h"
    link.symlink_to(tmp_path / "other" / "far.h")
    text = f'#include "near.h"\n#include "../other/far.h"\n#include "{link}"\n#include "gone.h"\n'
    (tmp_path / "own" / "a.cpp").write_text(text)
    package, summary = load_cpp(tmp_path / "own" / "a.cpp")
    assert len(package.rules) == 1
    assert summary.missing == ("../other/far.h", str(link), "gone.h")
    package, summary = load_cpp(tmp_path / "own" / "a.cpp", include=[tmp_path / "other"])
    assert summary.missing == ("gone.h",)


@pytest.mark.parametrize("times", [1, 2])
def test_a_header_that_includes_itself(tmp_path: Path, times: int) -> None:
    package, summary = load(tmp_path, f'#include "me.h"\n{GOOD}', me='x\n#include "me.h"\n' * times)
    assert len(package.rules) == 1
    assert reasons(summary) == ["me.h: is included too often or too deeply"]
    assert summary.missing == ()


@pytest.mark.slow
def test_an_include_that_is_refused_is_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def counted(path: Path) -> SourceText:
        read.append(path.name)
        return read_text(path)

    monkeypatch.setattr(preprocess, "read_text", counted)
    package, _ = load(tmp_path, '#include "me.h"\n' + GOOD, me='x\n#include "me.h"\n' * 1000)
    assert len(package.rules) == 1
    assert read.count("me.h") == MAX_INCLUDES


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"int a;\nint \x00b;", r":2: holds the control character '\\x00'"),
        (b" " * (MAX_BYTES + 1), f"is larger than {MAX_BYTES} bytes"),
        (b"int a;\n" + b"a \\\n" * MAX_LINE, f":2: is a line of more than {MAX_LINE} characters"),
    ],
)
def test_files_that_are_no_text_are_two_lines(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "a.cpp"
    path.write_bytes(data)
    with pytest.raises(HtpError, match=message) as caught:
        load_cpp(path)
    assert len(caught.value.lines()) == 2
    (tmp_path / "b.cpp").write_text(GOOD)
    package, summary = load_cpp(tmp_path)
    assert (len(package.rules), len(summary.skipped)) == (1, 1)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.cpp")
    with pytest.raises(HtpError, match=r"pipe\.cpp: is no file\n"):
        load_cpp(tmp_path / "pipe.cpp")


def test_paths_without_source(tmp_path: Path) -> None:
    with pytest.raises(HtpError, match="cannot be read"):
        load_cpp(tmp_path / "gone.cpp")
    with pytest.raises(HtpError, match="holds no C\\+\\+ source file"):
        load_cpp(tmp_path)
    with pytest.raises(HtpError, match="no file is given"):
        load_cpp([])
