"""State: text, rules, and what dead-code and common-subexpression elimination may do."""

import pytest
from htp_mlir.dialects.htp.ops.state import StateOp, StateReadOp, StateWriteOp, state, state_read
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination
from xdsl.transforms.dead_code_elimination import DeadCodeElimination
from xdsl.utils.exceptions import VerifyException

from ...support.native import spec, t
from ...support.roundtrip import assert_round_trips, parse

_F, _I1 = "tensor<1x1x2x4xf32>", "tensor<1x1x1x1xi1>"
_READ = f"%init, %reset : {_F}, {_I1} -> {_F}"


def _module(body: str, states: str = f"htp.State @h : {_F}\nhtp.State @c : {_F}") -> str:
    return f"""{states}
func.func @main(%init: {_F}, %reset: {_I1}) {{
  {body}
  func.return
}}
"""


def _count(module: ModuleOp, op: type) -> int:
    return sum(isinstance(inner, op) for inner in module.walk())


def test_round_trip_with_places() -> None:
    placed = "tensor<1x1x2x4xf32, #htp.place<flat, tcm>>"
    body = f"""%v = htp.StateRead @h, %init, %reset : {_F}, {_I1} -> {placed}
  htp.StateWrite @h, %v {{note = 1 : i64}} : {placed}"""
    assert_round_trips(_module(body))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (f"htp.StateWrite @main, %init : {_F}", r"\(C1\) there is no state @main"),
        (
            f"htp.StateWrite @h, %reset : {_I1}",
            r"operand 'value' is 1x1x1x1 of Bool8, @h is 1x1x2x4 of Float32; they must be equal",
        ),
        (
            f"%v = htp.StateRead @h, %reset, %reset : {_I1}, {_I1} -> {_I1}",
            r"operand 'init' is 1x1x1x1 of Bool8, @h is 1x1x2x4 of Float32",
        ),
        (
            f"%v = htp.StateRead @h, %init, %reset : {_F}, {_I1} -> tensor<1x1x2x4xf16>",
            r"operand 'init' is 1x1x2x4 of Float32, the result is 1x1x2x4 of Float16",
        ),
        (
            f"%v = htp.StateRead @h, %init, %init : {_F}, {_F} -> {_F}",
            r"operand 'reset' is 1x1x2x4 of Float32, it must be 1x1x1x1 of Bool8",
        ),
        (
            f"htp.StateWrite @c, %init : {_F}\n  htp.StateWrite @c, %init : {_F}",
            r"htp\.State: \(C2\) @c is written in more than one place",
        ),
    ],
)
def test_uses_refused(body: str, message: str) -> None:
    with pytest.raises(VerifyException, match=message):
        parse(_module(body))


@pytest.mark.parametrize(
    ("states", "message"),
    [
        ("htp.State @h : tensor<2x4xf32>", r"\(C1\) @h has rank 2, not 4"),
        ("htp.State @h : tensor<1x1x?x4xf32>", "dynamic dim"),
        (f"htp.State @h : {_F}\nhtp.State @h : {_F}", 'Redefinition of symbol "h"'),
    ],
)
def test_states_refused(states: str, message: str) -> None:
    with pytest.raises(VerifyException, match=message):
        parse(_module("", states))


def test_dead_reads_go_and_writes_stay() -> None:
    module = parse(_module(f"%v = htp.StateRead @h, {_READ}\n  htp.StateWrite @c, %init : {_F}"))
    DeadCodeElimination().apply(Context(), module)
    assert _count(module, StateReadOp) == 0
    assert _count(module, StateWriteOp) == 1
    assert _count(module, StateOp) == 2


@pytest.mark.parametrize(("between", "reads"), [("", 1), (f"htp.StateWrite @h, %a : {_F}", 2)])
def test_equal_reads_merge_only_with_no_write_between(between: str, reads: int) -> None:
    body = f"""%a = htp.StateRead @h, {_READ}
  {between}
  %b = htp.StateRead @h, {_READ}
  %s = htp.Add(%a, %b) : ({_F}, {_F}) -> {_F}
  htp.StateWrite @c, %s : {_F}"""
    module = parse(_module(body))
    CommonSubexpressionElimination().apply(Context(), module)
    module.verify()
    assert _count(module, StateReadOp) == reads


def test_a_detached_read_is_checked_against_its_operands_only() -> None:
    declared = state("h", spec("1x1x2x4xf32"))
    read = state_read(declared, t("1x1x2x4xf32"), t("1x1x1x1xi1"))
    read.verify()
    assert read.symbol == declared.symbol == "h"
    with pytest.raises(VerifyException, match="operand 'reset' is 1x1x1x2 of Bool8"):
        state_read(declared, t("1x1x2x4xf32"), t("1x1x1x2xi1")).verify()
