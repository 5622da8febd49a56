"""Brackets and heads that are half written: what stands around them stays as it was read."""

from typing import Any

import pytest
from htp_mlir.lowering.lsp.checked import Checked, StatementReader
from xdsl.utils.diagnostic import Diagnostic

from .client import faults, live
from .test_live_text import TEXT, T

NEGATED = [f"  %v{n} = htp.Neg(%v{n - 1}) : ({T}) -> {T}\n" for n in range(100)]
LONG = TEXT.replace("  htp.State", "".join(NEGATED).replace("v-1", "w") + "  htp.State")


@pytest.mark.parametrize("line", ["{\n", "  htp.Relu {\n", "  %q = htp.Relu(%x) {\n"])
@pytest.mark.parametrize("before", ["func.func @main", "  %y = htp.Relu", "  func.return %y"])
def test_a_brace_that_is_never_closed_spoils_one_statement(line: str, before: str) -> None:
    edited, text = live(), TEXT.replace(before, line + before, 1)
    edited.update(TEXT)
    items = [*edited.items]
    (fault,) = edited.update(text)
    assert fault.place
    assert text.split("\n")[fault.place.line - 1] in (*line.split("\n"), before)
    # All but what stands before the brace is as it was.
    assert len({*items} - {*edited.items}) <= 1
    assert edited.update(TEXT) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  %v9 =", "  }\n  %v9 ="),
        ("  %v9 =", "}) : () -> ()\n  %v9 ="),
        ("  %v9 =", "}}\n }\n  %v9 ="),
        ("func.func @main(", "module {\nfunc.func @main("),
        ("func.func @main(", "func.func @new() {\nfunc.func @main("),
        ("func.func @main(", "fun.func @main("),
        ("  %v9 =", "^bb1:\n  %v9 ="),
        ("  %v9 =", "// -----\n  %v9 ="),
        ("  %v9 =", "func.func @new() {\n  %v9 ="),
        ("  %v9 =", "module {\n  %v9 ="),
        ("  %v9 =", f"  func.return %x : {T}\n  %v9 ="),
        ("@main(%x: ", "@main(\n  %x: "),
        ("@main(%x: ", "@main(%q: "),
    ],
)
def test_a_fault_around_statements_has_none_of_them_read_or_verified_again(
    old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    edited, looked = live(), noted(monkeypatch)
    edited.update(LONG)
    looked.clear()
    wrong = LONG.replace(old, new, 1)
    shown = edited.update(wrong)
    # A line break is no fault.
    assert bool(shown) is (new != "@main(\n  %x: ")
    assert edited.update(LONG) == []
    assert len(looked) < 40
    assert [each.line() for each in shown] == [each.line() for each in live().update(wrong)]


def noted(monkeypatch: pytest.MonkeyPatch) -> list[Checked]:
    """Note the statements that are read or verified."""
    looked = list[Checked]()
    read, verify = StatementReader.read, Checked.verify

    def reading(reader: StatementReader, items: list[Checked], *about: Any) -> None:
        looked.extend(items)
        read(reader, items, *about)

    def verifying(item: Checked, *about: Any) -> None:
        looked.append(item)
        verify(item, *about)

    monkeypatch.setattr(StatementReader, "read", reading)
    monkeypatch.setattr(Checked, "verify", verifying)
    return looked


def test_the_flag_for_other_ops_has_those_alone_read_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    edited, looked = live(), noted(monkeypatch)
    text = LONG.replace("  %v9 =", '  "x.y"() : () -> ()\n  %v9 =')
    text = text.replace("xf32>", "x!quant.uniform<u8:f32, 5.000000e-02>, #htp.place<flat, ddr>>")
    flag = "// RUN: htp-opt --allow-unregistered-dialect %s\n"
    for before, after in ((text, flag + text), (flag + text, text)):
        edited.update(before)
        looked.clear()
        assert edited.update(after) == live().update(after)
        assert len({*looked} & {*edited.items}) < 10


def test_an_error_of_a_foreign_op_prints_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Diagnostic, "raise_exception", None)
    wrong = TEXT.replace("  %z =", f"  func.return %x : {T}\n  %z =")
    (fault,) = live().update(wrong)
    assert fault.problem.startswith("func.return: 'func.return' must be the last operation")


def test_a_brace_too_many_is_shown_where_it_is_and_where_htp_opt_stops() -> None:
    early, last = faults(TEXT.replace("  %z =", "  }\n  %z ="))
    assert early == "model.mlir:4:3: '}' closes a function that goes on\n  remove it"
    assert last.startswith("model.mlir:8:1: '}' closes nothing")
    (only,) = faults(TEXT.replace("}\n\n", "}\n}\n\n"))
    assert only.startswith("model.mlir:8:1: '}' closes nothing")
