"""Texts under edit: the faults are those of htp-opt, and an edit leaves what a new text has."""

import gc
import os
import random
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from htp_mlir.lowering.lsp import checked
from htp_mlir.lowering.lsp.answers import symbols
from htp_mlir.lowering.lsp.checked import Checked, StatementParser, StatementReader
from htp_mlir.lowering.tools.htp_opt import run
from xdsl.context import Context

from ...support.paths import ROOT
from .client import faults, live

T = "tensor<1x8x8x4xf32>"
TEXT = f"""func.func @main(%x: {T}, %w: {T}) -> {T} {{
  htp.State @h : {T}
  %y = htp.Relu(%x) : ({T}) -> {T}
  %z = htp.Add(%y, %w)
      : ({T}, {T}) -> {T}
  func.return %z : {T}
}}

func.func @other(%x: {T}) -> {T} {{
  %y = func.call @main(%x, %x) : ({T}, {T}) -> {T}
  func.return %y : {T}
}}
"""


FAULTS = {
    "an op": ("htp.Relu", "htp.Rleu"),
    "a dialect": ("htp.Relu", "thp.Relu"),
    "a value": ("(%y, %w)", "(%q, %w)"),
    "a value of a later function": ("%y = htp.Relu", "%q = htp.Relu"),
    "a value of an earlier function": ("%y : " + T + "\n}\n", "%z : " + T + "\n}\n"),
    "a type": (f"({T}) -> {T}\n  %z", f"(tensor<1x8x8x5xf32>) -> {T}\n  %z"),
    "a result": (f"-> {T}\n  %z", "-> tensor<1x8x8x5xf32>\n  %z"),
    "a bracket": ("(%x) :", "(%x :"),
    "a twice": ("%z = htp.Add", "%y = htp.Add"),
    "an attribute": (
        f"(%x) : ({T}) -> {T}\n  %z",
        f"(%x) {{htp.nmae = 1 : i32}} : ({T}) -> {T}\n  %z",
    ),
    "no terminator": (f"  func.return %z : {T}\n", ""),
    "a callee": ("@main(%x, %x)", "@mian(%x, %x)"),
    "a count": (f"%x, %x) : ({T}, {T})", f"%x) : ({T})"),
    "no end": ("%y : " + T + "\n}\n", "%y : " + T + "\n"),
    "a head": ("@main(%x: ", "@main(%x; "),
    "a symbol twice": ("@other", "@main"),
    "a state": (f"@h : {T}", "@h : tensor<4xf32>"),
    "a string": ("htp.State @h", 'htp.State "h'),
}


BLOCKS = f"""func.func @blocks(%c: i1, %x: {T}) -> {T} {{
  cf.cond_br %c, ^bb1(%x : {T}), ^bb2
^bb1(%a: {T}):
  %y = htp.Relu(%a) : ({T}) -> {T}
  func.return %y : {T}
^bb2:
  %z = htp.Neg(%x) : ({T}) -> {T}
  cf.br ^bb1(%z : {T})
}}
"""
BLOCK_FAULTS = {
    "a terminator": (f"  func.return %y : {T}\n", ""),
    "a label": ("cf.br ^bb1", "cf.br ^bb7"),
    "an argument": ("^bb1(%a:", "^bb1(%x:"),
    "a first label": ("  cf.cond_br", "^bb0:\n  cf.cond_br"),
    "an argument's type": (f"(%a: {T})", "(%a: tensor<4xf32>)"),
    "a result": (f"%z = htp.Neg(%x) : ({T}) -> {T}", f"%z = htp.Neg(%x) : ({T}) -> tensor<4xf32>"),
}
GENERIC = f""""builtin.module"() ({{
  "func.func"() <{{sym_name = "first", function_type = ({T}) -> {T}}}> ({{
  ^bb0(%x: {T}):
    %y = "htp.Relu"(%x) : ({T}) -> {T}
    "func.return"(%y) : ({T}) -> ()
  }}) : () -> ()
  "func.func"() <{{sym_name = "second", function_type = ({T}) -> {T}}}> ({{
  ^bb0(%x: {T}):
    %y = "htp.Neg"(%x) : ({T}) -> {T}
    "func.return"(%y) : ({T}) -> ()
  }}) : () -> ()
}}) : () -> ()
"""
GENERIC_FAULTS = {
    "an op": ("htp.Relu", "htp.Rleu"),
    "a result": (f"(%x) : ({T}) -> {T}", f"(%x) : ({T}) -> tensor<4xf32>"),
    "an argument": (f"(%x: {T})", "(%x: tensor<4xf32>)"),
    "a name": ('sym_name = "second"', 'sym_name = "first"'),
    "a param": ("sym_name", "sym_nmae"),
    "a head": ("function_type = (", "function_type = ("[:-1]),
    "an end": ("  }) : () -> ()\n}", "  }) : (i1) -> ()\n}"),
    "an end's type": ("  }) : () -> ()\n}", "  }) : () -> (i1)\n}"),
    "an end's bracket": ("  }) : () -> ()\n}", "  } : () -> ()\n}"),
    "a terminator": (f'    "func.return"(%y) : ({T}) -> ()\n', ""),
    "no block": (GENERIC, '"builtin.module"() ({\n}) : () -> ()\n'),
}


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        *(pytest.param(TEXT, *each, id=name) for name, each in FAULTS.items()),
        *(
            pytest.param(BLOCKS, *each, id=f"{name} of blocks")
            for name, each in BLOCK_FAULTS.items()
        ),
        *(
            pytest.param(GENERIC, *each, id=f"{name} of the generic form")
            for name, each in GENERIC_FAULTS.items()
        ),
    ],
)
def test_the_message_is_that_of_htp_opt(
    text: str, before: str, after: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right, text = text, text.replace(before, after, 1)
    assert text != right
    monkeypatch.chdir(tmp_path)
    Path("model.mlir").write_text(text, encoding="utf-8")
    error = "\n".join(run(["model.mlir"]).err.split("\n")[:2])
    message = error.partition(" ")[2]
    assert message in [each.partition(" ")[2] for each in faults(text)]
    if "region ends" not in error:
        # A label that is missing is shown where it is used, not where the function ends.
        assert error in faults(text)


@pytest.mark.parametrize("text", [TEXT, BLOCKS, GENERIC])
def test_a_right_text_has_no_faults(text: str) -> None:
    assert faults(text) == []


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        (text, *each)
        for text, faults in ((BLOCKS, BLOCK_FAULTS), (GENERIC, GENERIC_FAULTS))
        for each in faults.values()
    ],
)
def test_blocks_are_verified_again_after_an_edit(text: str, before: str, after: str) -> None:
    edited, wrong = live(), text.replace(before, after, 1)
    assert edited.update(text) == []
    assert edited.update(wrong) == live().update(wrong) != []
    assert edited.update(text) == []


def test_a_region_inside_an_op_has_labels_of_its_own() -> None:
    branch = '"x.branch"()[^bb1] : () -> ()'
    op = f'  "x.region"() ({{\n    {branch}\n  ^bb1:\n    {branch}\n  }}) : () -> ()\n'
    text = "// RUN: htp-opt --allow-unregistered-dialect\n" + BLOCKS.replace(
        "  cf.cond", f"{op}  cf.cond"
    )
    assert faults(text) == []


def test_symbols_of_the_generic_form_have_places() -> None:
    edited = live()
    edited.update(GENERIC)
    assert [token for token, _ in symbols(edited)] == [("@first", 1, 29), ("@second", 6, 29)]


def test_a_label_that_is_there_twice_is_a_fault() -> None:
    (missing, fault) = live().update(BLOCKS.replace("^bb2:", "^bb1:"))
    assert "missing block declarations for block(s) bb2" in missing.problem
    assert (fault.where, fault.problem) == ("model.mlir:6:1", "re-declaration of block 'bb1'")


def test_the_first_of_two_labels_counts_after_an_edit_too() -> None:
    edited, twice = live(), BLOCKS.replace("  cf.cond_br", "^bb1(%c : i1):\n  cf.cond_br")
    edited.update(BLOCKS)
    assert edited.update(twice) == live().update(twice) != []


@pytest.mark.parametrize("name", ["^", "^(%a: i1)", '^"bb2"'])
def test_a_label_without_a_name_is_a_fault(name: str) -> None:
    edited = live()
    edited.update(BLOCKS)
    text = BLOCKS.replace("^bb2:", name)
    assert edited.update(text) == live().update(text) != []


def test_an_op_may_begin_on_the_line_behind_its_results() -> None:
    text = TEXT.replace("%y = htp.Relu", "%y = // why\n  htp.Relu")
    assert faults(text) == []
    assert len(faults(TEXT.replace("  %y = htp.Relu", "  %q =\n  %y = htp.Relu"))) == 1


@pytest.mark.parametrize(
    "attributes", ['{\n htp.name = "y"\n}', '{htp.name\n = "y",\n axis = 1}', "{\n  axis\n}"]
)
def test_attributes_may_have_lines_of_their_own(attributes: str) -> None:
    edited, text = live(), TEXT.replace("htp.Relu(%x)", f"htp.Relu(%x) {attributes}")
    edited.update(text)
    assert [each.text.count("\n") for each in edited.items if "Relu" in each.text] == [
        attributes.count("\n")
    ]


def test_an_edit_looks_at_no_statement_of_another_function(monkeypatch: pytest.MonkeyPatch) -> None:
    edited, looked = live(), list[int]()
    text = TEXT + TEXT.replace("@main", "@more").replace("@other", "@last").replace("@h", "@k")
    assert edited.update(text) == []
    check = StatementReader.check

    def noting(reader: StatementReader, item: Checked, kind: str, env: Any) -> None:
        looked.append(item.line)
        check(reader, item, kind, env)

    monkeypatch.setattr(StatementReader, "check", noting)
    assert edited.update(text.replace("htp.Relu", "htp.Neg", 1)) == []
    # The function that names its values alike is passed over.
    assert looked == [3]


def test_a_text_is_read_in_parts_and_another_may_come_between() -> None:
    body = "".join(f"  %v{n} = htp.Neg(%x) : ({T}) -> {T}\n" for n in range(1000))
    text = TEXT.replace("  htp.State", f"{body}  htp.State")
    edited, wrong = live(), text.replace("%v900 = htp.Neg", "%v900 = htp.Nge")
    edited.write(text)
    for _ in zip(edited.read(), range(10), strict=False):
        pass
    env = edited.scopes[1].env
    assert "%v300" in env
    assert "%v900" not in env
    assert edited.update(wrong) == live().update(wrong) != []
    assert edited.update(text) == []


FILES = sorted((ROOT / "tests").rglob("*.mlir"))


EMPTY = "an op is expected"
"""Said of a piece of a file without ops, which an editor leaves alone."""


@pytest.mark.exhaustive
def test_files_have_the_faults_that_htp_opt_finds() -> None:
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        flags = ["--split-input-file"] * ("// -----" in text)
        flags += ["--allow-unregistered-dialect"] * ("--allow-unregistered-dialect" in text)
        outcome = run([str(path), *flags, "-o", os.devnull])
        if EMPTY in outcome.err:
            continue
        shown = live().update(text)
        assert (shown == []) is (outcome.status == 0), (path, outcome.err)
        assert not shown or any(each.problem in outcome.err for each in shown), path


def test_a_verifier_that_looks_at_readers_looks_again() -> None:
    text = (ROOT / "tests/dialects/htp/transfers.mlir").read_text(encoding="utf-8")
    edited = live()
    (fault,) = edited.update(text)
    assert "its result is read by htp.Relu before it is waited for" in fault.problem
    assert edited.update(text.rpartition("%1 = htp.Relu(%0)")[0]) == []
    assert edited.update(text) == [fault]


STARTS = f"""func.func @starts(%x: {T}) -> {T} {{
  %0 = htp.flat_to_vtcm.start(%x)
      : ({T}) -> tensor<1x8x8x4xf32, #htp.place<flat, tcm>>
  %1 = htp.Neg(%x) : ({T}) -> {T}
  %2 = htp.Neg(%1) : ({T}) -> {T}
  func.return %2 : {T}
}}
"""
WAIT = """  %w = htp.CopyWait(%0) : (tensor<1x8x8x4xf32, #htp.place<flat, tcm>>)
      -> tensor<1x8x8x4xf32, #htp.place<flat, tcm>>
"""


def test_a_reader_that_comes_has_what_it_reads_verified_again() -> None:
    edited = live()
    edited.update(STARTS)
    reader = WAIT.replace("htp.CopyWait", "htp.Relu")
    (fault,) = edited.update(STARTS.replace("  func.return", reader + "  func.return"))
    assert "its result is read by htp.Relu before it is waited for" in fault.problem


def test_statements_that_are_read_in_vain_read_nothing() -> None:
    edited = live()
    edited.update(STARTS)
    wrong = f"{WAIT}  %q = htp.Rleu(%0) : ({T}) -> {T}\n"
    edited.update(STARTS.replace("  func.return", wrong + "  func.return"))
    assert edited.update(STARTS.replace("  func.return", WAIT + "  func.return")) == []


def test_what_names_symbols_is_verified_again_where_others_move() -> None:
    edited = live()
    state = f"htp.State @s : {T}\n"
    text = TEXT.replace("  func.return", f"  htp.StateWrite @s, %y : {T}\n  func.return", 1)
    assert edited.update(text + state) == []
    (fault,) = edited.update(text + CUT + state)
    assert "there is no state @s" in fault.problem
    assert edited.update(text + state) == []


CUT = "// -----\n"
PARTS = (
    "%y",
    "%q",
    "(",
    ")",
    "{",
    "}",
    "\n",
    '"',
    "htp.Relu",
    "func.func",
    " : ",
    T,
    "@main",
    "=",
    CUT,
    '"func.func"() ({\n',
    "}) : () -> ()\n",
    "^bb(%a: i1):",
    "^bb1",
    "#a = 1 : i32\n",
    "#a",
)


@pytest.mark.slow
def test_random_edits_end_where_a_new_text_begins() -> None:
    chance = random.Random(0)
    edited, right = live(), TEXT + BLOCKS + CUT + GENERIC
    text = right
    for case in range(int(os.environ.get("FUZZ_CASES", "200"))):
        before = right if case % 20 == 0 else text
        begin = chance.randrange(len(before) + 1)
        end = min(len(before), begin + chance.choice((0, 0, 1, 3, 30)))
        text = before[:begin] + chance.choice(("", *PARTS)) + before[end:]
        now = [fault.line() for fault in edited.update(text)]
        assert now == [fault.line() for fault in live().update(text)], text


@pytest.mark.parametrize("text", [TEXT, GENERIC])
def test_an_edit_reads_no_other_statement(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    edited, texts = live(), list[str]()
    edited.update(text)

    class Noting(StatementParser):
        def __init__(self, ctx: Context, text: str, *about: Any) -> None:
            texts.append(text)
            super().__init__(ctx, text, *about)

    monkeypatch.setattr(checked, "StatementParser", Noting)
    assert edited.update(text.replace("htp.Relu", "htp.Neg", 1)) == []
    (read,) = texts
    assert [line for line in read.split("\n") if "%" in line] == [
        line for line in text.replace("htp.Relu", "htp.Neg").split("\n") if "%y = " in line
    ][:1]


@pytest.mark.slow
def test_edits_leave_nothing_behind() -> None:
    edited, texts = live(), (TEXT, TEXT.replace("htp.Relu", "htp.Neg"))

    def size(edits: int) -> int:
        for number in range(edits):
            edited.update(texts[number % 2])
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        before = size(100)
        # Less than 40 bytes an edit: nothing is kept of any.
        assert size(500) - before < 20_000
    finally:
        tracemalloc.stop()
