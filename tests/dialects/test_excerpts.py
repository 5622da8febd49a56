"""Excerpts: the line of an op or a text with marks below, short however long the line is."""

import pytest
from htp_mlir.dialects.faults.op_faults import fault_at, marked, printed, results_of, whereabouts
from htp_mlir.dialects.locations import called
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr
from xdsl.ir import Operation

from ..support.roundtrip import parse

T = "tensor<1x1x1x4xf32>"
MODULE = f"""
func.func @main(%x: {T}) -> {T} {{
  %c = htp.Const dense<[{", ".join(f"{i}.0" for i in range(9))}]> : tensor<9xf32> -> tensor<9xf32>
  %7 = htp.Neg(%x) : ({T}) -> {T}
  %8 = htp.Relu(%7) : ({T}) -> {T}
  func.return %8 : {T}
}}"""


def op_of(name: str) -> Operation:
    module = parse(MODULE)
    (op,) = (op for op in module.walk() if op.name == name)
    return op


def test_an_op_is_shown_as_its_function_prints_it() -> None:
    relu = op_of("htp.Relu")
    assert printed(relu) == (f"    %1 = htp.Relu(%0) : ({T}) -> {T}", "    ^^^^^^^^^^^^^")
    assert results_of(relu) == "%1 = "
    assert whereabouts(relu) == "%1 = htp.Relu"


def test_a_label_says_the_place_of_an_op_once() -> None:
    relu = op_of("htp.Relu")
    assert fault_at(relu, "", "", "htp.Relu 'look at it'").where == "htp.Relu 'look at it'"
    relu.location = FileLineColLoc(StringAttr("net.mlir"), IntAttr(3), IntAttr(5))
    assert called(relu) == "htp.Relu at net.mlir:3:5"
    assert fault_at(relu, "", "", called(relu)).where == "net.mlir:3:5: htp.Relu"


def test_a_large_constant_has_no_data() -> None:
    line, marks = printed(op_of("htp.Const"))
    assert line.startswith("    %c = htp.Const dense_resource<__elided__> : tensor<9xf32>")
    assert marks.strip() == "^" * len("%c = htp.Const")


def test_an_op_that_cannot_be_printed_in_its_form_is_shown_in_the_generic_one() -> None:
    relu = op_of("htp.Relu")
    relu.operands = []
    line, _ = printed(relu)
    assert line.strip() in ('%1 = "htp.Relu"() : () -> ' + T, f"%1 = htp.Relu() : () -> {T}")


@pytest.mark.parametrize("start", [0, 3, 70, 500, 990])
def test_a_long_line_is_cut_around_the_marks(start: int) -> None:
    text = "".join(chr(ord("a") + index % 26) for index in range(1000))
    line, marks = marked(text, start, start + 5)
    assert len(line) < 170
    begin = marks.index("^")
    assert line[begin : begin + 5] == text[start : start + 5]
    assert marks.count("^") == 5


def test_indentation_and_tabs_do_not_move_the_marks() -> None:
    assert marked("\t  a\tbc", 5, 7) == ("    a bc", "      ^^")
    assert marked("", 0, 0) == ("    ", "    ^")
