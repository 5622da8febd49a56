"""What stands at a place and what may stand there, without a server."""

import pytest
from htp_mlir.lowering.lsp import run_lines
from htp_mlir.lowering.lsp.answers import completions, definition, hover, references, symbols

from .client import WholeText, context

T = "tensor<1x8x8x4xf32>"


def read(text: str) -> WholeText:
    live = WholeText("a.mlir", context())
    live.update(text)
    return live


def told(text: str, word: str) -> list[str]:
    line = next(at for at, each in enumerate(text.split("\n")) if word in each)
    return hover(read(text), line, text.split("\n")[line].index(word) + 1)


def offered(text: str) -> list[str]:
    """The words that are offered behind the text."""
    live = read(text)
    return [word for word, _ in completions(live, len(live.lines) - 1, len(live.lines[-1]))[1]]


@pytest.mark.parametrize(
    ("op", "signature"),
    [
        ("func.call", ["func.call(arguments)", "  params: callee", "  results: res"]),
        ("qti_aisw.Softmax", ["qti_aisw.Softmax(inp)", "  params: axis, beta", "  results: out"]),
        ("htp.Relu", ["htp.Relu(in)"]),
    ],
)
def test_an_op_has_a_signature(op: str, signature: list[str]) -> None:
    lines = told(op, op)
    assert [line for line in lines if line in signature] == signature


def test_a_word_is_no_op_where_unknown_ops_are_allowed() -> None:
    text = f"// RUN: htp-opt %s --allow-unregistered-dialect\nhtp.State @h : {T}\n"
    assert told(text, "tensor") == []


def test_operands_are_offered_by_the_names_that_messages_use() -> None:
    assert offered("%y = htp.Relu(") == ["%in"]


def test_symbols_are_offered() -> None:
    text = f'htp.State @h : {T}\nfunc.func private @"a b"() -> ()\n%s = htp.StateRead @'
    assert offered(text) == ["@h", "@a b"]


def test_references_may_leave_out_the_definition() -> None:
    text = read(f"htp.State @h : {T}\n// @h\n%s = htp.StateRead @h, %i, %r : {T}")
    places = [(each.line, each.column) for each in references(text, 0, 11)]
    assert places == [(0, 10), (2, 19)]
    assert [*references(text, 0, 11, with_definition=False)] == references(text, 0, 11)[1:]


@pytest.mark.parametrize(
    "before", ["--print-ir-after=", "--print-ir-before ", "-p 'htp-lower{after="]
)
@pytest.mark.parametrize("first", ["", "native,"])
def test_points_are_offered_behind_each_way_to_write_them(before: str, first: str) -> None:
    assert {"native", "htp-fold"} <= {*offered(f"// RUN: htp-opt %s {before}{first}")}


def test_flags_are_those_of_the_command() -> None:
    assert {"show", "rules"} <= {*offered("// RUN: htp ")}
    assert {"check", "lint"} <= {*offered("// RUN: htp-opt %s && htp rules ")}
    flags = {*offered("// RUN: htp-opt %s | htp rules check --")}
    assert "--strict" in flags
    assert "--print-ir-after" not in flags
    assert offered("// RUN: xdsl-opt --") == []
    (flag,) = told("// RUN: htp rules check --strict", "--strict")
    assert "fail where anything was passed over" in flag


def test_a_text_without_run_lines_reads_no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_lines, "suite_of", None)
    assert [*run_lines.commands("htp.State @h", "a.mlir")] == []


def test_options_are_those_of_the_pass() -> None:
    assert {"soc=", "tcm-bytes=", "level="} <= {*offered("// RUN: htp-opt %s -p 'htp-lower{")}
    assert offered("// RUN: htp-opt %s -p 'no-pass{") == []


def test_values_that_are_defined_behind_a_line_are_not_offered() -> None:
    body = "".join(f"  %v{n} = htp.Neg(%x) : ({T}) -> {T}\n" for n in range(300))
    live = read(f"func.func @main(%x: {T}) {{\n{body}}}\n")
    assert [word for word, _ in completions(live, 3, len("  %v2 = htp.Neg(%"))[1]] == [
        *("%x", "%v0", "%v1", "%v2")
    ]


@pytest.mark.parametrize(
    ("typed", "word"),
    [('%y = "htp.Rel', "htp.Relu"), ("cf.br ^", "^bb1"), ("%y = htp.Relu(%x) : (!", "!t")],
)
def test_words_of_both_forms_are_offered(typed: str, word: str) -> None:
    text = f"!t = {T}\nfunc.func @main(%x: {T}) {{\n  {typed}\n^bb1:\n  func.return\n}}\n"
    live = read(text)
    assert word in [each for each, _ in completions(live, 2, len(live.lines[2]))[1]]


def test_symbols_are_those_of_their_piece() -> None:
    piece = f"htp.State @h : {T}\n%s = htp.StateRead @h, %i, %r : {T}\n"
    live = read(f"{piece}// -----\n{piece}")
    for first in (0, 3):
        token = definition(live, first + 1, 20)
        assert token
        assert (token.line, token.column) == (first, 10)
        assert [each.line for each in references(live, first + 1, 20)] == [first, first + 1]
    assert [token.line for token, _ in symbols(live)] == [0, 3]
