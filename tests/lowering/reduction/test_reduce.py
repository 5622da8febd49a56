"""Modules that fail a command become small ones that still do."""

import io
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from htp_mlir.lowering import lower
from htp_mlir.lowering.reduction.reduce import Best, Command, Reducer
from htp_mlir.lowering.testing import random_module
from htp_mlir.lowering.tools import htp
from htp_mlir.runtime import Session, parse_module
from htp_mlir.runtime.tools.summary import random_inputs
from htp_mlir.runtime.tools.tool import run_tool
from xdsl.dialects.builtin import ModuleOp

CONV = """
func.func @main(%x: tensor<1x16x16x8xf32> {htp.name = "x"}, %y: tensor<1x16x16x8xf32>)
    -> (tensor<1x16x16x8xf32> {htp.name = "a"}, tensor<2048xf32> {htp.name = "b"}) {
  %w = qti_aisw.Const dense<[[[[1.0], [2.0]]]]> : tensor<1x1x2x1xf32> -> tensor<1x1x2x1xf32>
  %0 = qti_aisw.Relu(%x) {htp.name = "n"} : (tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32>
  %1 = qti_aisw.Softmax(%0) {axis = 3 : i64} : (tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32>
  %2 = qti_aisw.ElementWiseAdd(%1, %y)
    : (tensor<1x16x16x8xf32>, tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32>
  %3 = qti_aisw.Reshape(%2) {shape = array<i64: 2048>} : (tensor<1x16x16x8xf32>) -> tensor<2048xf32>
  func.return %2, %3 : tensor<1x16x16x8xf32>, tensor<2048xf32>
}
"""


def reduced(module: ModuleOp, fails: Callable[[str], bool], limit: int = 500) -> Reducer:
    reducer = Reducer(module, fails, limit, lambda best: None, lambda state: None)
    reducer.run()
    assert fails(reducer.best.text)
    return reducer


def ops(reducer: Reducer) -> list[str]:
    return [op.name for op in reducer.best.module.walk()][2:-1]


def test_one_op_is_left_with_small_arguments() -> None:
    reducer = reduced(parse_module(CONV), lambda text: "Softmax" in text)
    assert ops(reducer) == ["qti_aisw.Softmax"]
    assert "tensor<1x1x1x1xf32>" in reducer.best.text
    assert "htp.name" not in reducer.best.text


def test_two_ops_that_belong_together_stay() -> None:
    reducer = reduced(parse_module(CONV), lambda text: "Relu" in text and "Add" in text)
    assert ops(reducer) == ["qti_aisw.Relu", "qti_aisw.ElementWiseAdd"]


def test_sizes_that_the_fault_needs_stay() -> None:
    reducer = reduced(parse_module(CONV), lambda text: "x8xf32" in text)
    assert "x8xf32" in reducer.best.text
    assert "16" not in reducer.best.text


def test_every_step_verifies_and_runs_and_is_the_same_again() -> None:
    seen: list[Best] = []

    def run() -> str:
        module = random_module(3, count=30)
        reducer = Reducer(module, lambda t: "Concat" in t, 300, seen.append, lambda state: None)
        reducer.run()
        return reducer.best.text

    assert run() == run()
    assert len({best.text for best in seen}) == len(seen) / 2
    for best in seen:
        session = Session(parse_module(best.text))
        session.run(random_inputs(session.inputs, 0))


@pytest.mark.parametrize("level", ["native", "placed", "allocated"])
def test_modules_of_every_level(level: str) -> None:
    module = lower(parse_module(CONV), level=level)
    reducer = reduced(module, lambda text: "htp.Softmax" in text)
    assert len(reducer.best.text) < 1500
    assert sum(op.name == "htp.Softmax" for op in reducer.best.module.walk()) == 1


TWO = CONV.replace("@main", "@first") + CONV.replace("@main", "@second")


@pytest.mark.parametrize(
    ("needed", "left"),
    [(["Softmax"], 1), (["@second", "Softmax"], 1), (["@first", "@second", "Softmax"], 2)],
)
def test_functions_without_a_main_one(needed: list[str], left: int) -> None:
    reducer = reduced(parse_module(TWO), lambda text: all(word in text for word in needed))
    assert reducer.best.text.count("func.func") == left
    assert reducer.best.text.count("Softmax") == 1
    assert "Reshape" not in reducer.best.text


def test_a_function_that_another_one_calls_keeps_its_type() -> None:
    text = """func.func @inner(%x: tensor<4xf32>) -> tensor<4xf32> {
      func.return %x : tensor<4xf32>
    }
    func.func @outer(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %0 = func.call @inner(%x) : (tensor<4xf32>) -> tensor<4xf32>
      func.return %0, %y : tensor<4xf32>, tensor<4xf32>
    }"""
    best = reduced(parse_module(text), lambda t: "call @inner" in t and "tensor<4xf32>" in t).best
    assert best.text.count("tensor<4xf32>)") == best.text.count("-> tensor<4xf32>") == 3
    assert "func @outer(%x: tensor<4xf32>" in best.text


def test_attributes_are_dropped_as_far_as_the_fault_allows() -> None:
    text = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = qti_aisw.Softmax(%x) {axis = 0 : i64, my.a, my.b}
        : (tensor<4xf32>) -> tensor<4xf32>
      func.return %0 : tensor<4xf32>
    }"""
    best = reduced(parse_module(text), lambda t: "Softmax" in t and "my.a" in t).best
    assert "my.a" in best.text
    assert "my.b" not in best.text


def test_a_first_op_is_found_by_bisection() -> None:
    lines = [
        f"  %{n + 1} = qti_aisw.Relu(%{n}) : (tensor<4xf32>) -> tensor<4xf32>" for n in range(64)
    ]
    head = "func.func @main(%0: tensor<4xf32>) -> tensor<4xf32> {"
    text = "\n".join([head, *lines, "  func.return %64 : tensor<4xf32>", "}"])
    reducer = Reducer(
        parse_module(text),
        lambda t: t.count("Relu") >= 20,
        6,
        lambda best: None,
        lambda state: None,
    )
    reducer.run()
    assert reducer.best.text.count("Relu") == 20


def test_trials_are_bounded() -> None:
    reducer = reduced(parse_module(CONV), lambda text: "Softmax" in text, limit=3)
    assert (reducer.trials, reducer.is_out) == (3, True)


def test_constants_become_simple() -> None:
    text = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %w = qti_aisw.Const dense<[3.0, 4.0, 5.0, 6.0]> : tensor<4xf32> -> tensor<4xf32>
      %0 = qti_aisw.ElementWiseAdd(%x, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      func.return %0 : tensor<4xf32>
    }"""
    best = reduced(parse_module(text), lambda t: "Const" in t and "tensor<4xf32>" in t).best
    assert "dense<0.0" in best.text


SCRIPT = f"#!{sys.executable}\nimport sys\nsys.exit('Softmax' in open(sys.argv[1]).read())\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.mlir").write_text(CONV)
    (tmp_path / "fails.py").write_text(SCRIPT)
    (tmp_path / "fails.py").chmod(0o755)
    return tmp_path


@pytest.mark.slow
def test_a_program_of_the_users(folder: Path) -> None:
    status, out, err = htp.run(["reduce", "bad.mlir", "--test", "fails.py", "--trials", "40"])
    assert (status, err) == (0, "")
    assert out.startswith("bad.reduced.mlir: from 8 to 4 ops, ")
    assert "qti_aisw.Softmax" in (folder / "bad.reduced.mlir").read_text()


def test_a_command_that_takes_too_long_did_not_fail() -> None:
    command = [sys.executable, "-c", "import time; time.sleep(9)"]
    assert not Command(command, None, 0.1, {}).fails("")
    assert Command([sys.executable, "-c", "1 / 0"], re.compile("ZeroDiv"), 60, {}).fails("")
    assert not Command([sys.executable, "-c", "1 / 0"], re.compile("KeyError"), 60, {}).fails("")


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["bad.mlir"], "no command is given"),
        (["bad.mlir", "--test", "fails.py", "--", "htp-opt"], "two commands are given"),
        (["bad.mlir", "--", "htp-opt"], "bad.mlir: the command does not fail on it"),
        (["bad.mlir", "--match", "x", "--", "htp-opt", "-p", "y"], "fail on it with such output"),
        (["none.mlir", "--", "htp-opt"], "none.mlir: no such file"),
        (["bad.mlir", "--", "no-such-program"], "no-such-program: No such file"),
        (["bad.mlir", "--match", "(", "--", "htp-opt"], "'(' is no regular expression"),
        (["bad.mlir", "--trials", "0", "--", "htp-opt"], "'0' is no number from 1 on"),
    ],
)
def test_faults_are_two_lines(folder: Path, flags: list[str], message: str) -> None:
    status, out, err = htp.run(["reduce", *flags])
    assert (status, out) == (1, "")
    assert message in err
    assert len(err.splitlines()) == 2
    assert not (folder / "bad.reduced.mlir").exists()


@pytest.fixture
def _heard() -> Iterator[None]:
    """Hear SIGINT, which is ignored where tests run in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_heard")
def test_ctrl_c_leaves_the_best_so_far(folder: Path) -> None:
    """The program presses Ctrl-C at its third call."""
    count = folder / "count"
    body = (
        "import os, pathlib, signal\n"
        f"count = pathlib.Path({str(count)!r})\n"
        "number = int(count.read_text()) + 1 if count.exists() else 1\n"
        "count.write_text(str(number))\n"
        f"if number == 3: os.kill({os.getpid()}, signal.SIGINT)\n"
    )
    (folder / "fails.py").write_text(SCRIPT.replace("import sys\n", f"import sys\n{body}"))
    status, out, err = htp.run(["reduce", "bad.mlir", "--test", "fails.py"])
    assert (status, out) == (130, "")
    assert err.startswith("interrupted; bad.reduced.mlir: from 8 to ")
    assert len(err.splitlines()) == 1
    assert "Softmax" in (folder / "bad.reduced.mlir").read_text()


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("stream", [Terminal(), io.StringIO()], ids=["terminal", "pipe"])
def test_trials_are_shown_on_a_terminal_only(
    folder: Path, stream: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", stream)
    arguments = ["bad.mlir", "--match", "x", "--trials", "2", "--", "htp-opt", "-p", "htp-xx"]
    assert run_tool(htp.main.run_arguments, ["reduce", *arguments]) == 0
    assert ("trial 1, 8 ops; outputs" in stream.getvalue()) is stream.isatty()
