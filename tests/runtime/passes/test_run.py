"""A fault of a pass is laid to the pass and the op at hand, in the tools and in Python."""

import re
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.passes.lower import Lower
from htp_mlir.lowering.tools import htp_opt
from htp_mlir.runtime import parse_module
from htp_mlir.runtime.installed.environment import universe
from htp_mlir.runtime.passes.run import (
    Instrument,
    Pipeline,
    instrumented,
    passes_around,
    run_pass,
    trial,
)
from htp_mlir.runtime.tools import htp_run
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.transforms.dead_code_elimination import DeadCodeElimination
from xdsl.utils.exceptions import PassFailedException

from tests.support.faults import told

TEXT = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %7 = qti_aisw.Relu(%x) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %7 : tensor<2xf32>
}"""
HERE = rf"\S*{Path(__file__).name}:\d+"


class Broken(ModulePass):
    """A pass with a fault, in a function that is called with an op."""

    name = "broken"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in op.walk():
            if inner.name == "qti_aisw.Relu":
                self.look_at(inner)

    def look_at(self, op: Operation) -> None:
        raise KeyError(op.name)


class BrokenInside(ModulePass):
    """A pass with a fault in its loop over ops."""

    name = "broken"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in op.walk():
            if inner.name == "qti_aisw.Relu":
                raise KeyError(inner.name)


class BrokenAtOnce(ModulePass):
    """A pass with a fault that is about no op."""

    name = "broken"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        raise ZeroDivisionError("by\nnothing")


class Unable(ModulePass):
    """A pass that says that it cannot do its work."""

    name = "unable"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        raise PassFailedException("no work today")


def run(step: ModulePass) -> list[str]:
    with pytest.raises(HtpError) as error:
        Pipeline((step,)).apply(Context(), parse_module(TEXT))
    return told(str(error.value))


@pytest.mark.parametrize("step", [Broken(), BrokenInside()])
def test_an_exception_names_the_pass_the_op_and_the_line(step: ModulePass) -> None:
    first, remedy = run(step)
    begin = r"<text>:2:3: qti_aisw\.Relu: pass 'broken' fails: KeyError: 'qti_aisw\.Relu'"
    assert re.fullmatch(rf"{begin}, at {HERE}", first)
    assert remedy == "  fix the pass; the tools show the traceback with --debug"


def test_without_an_op_the_pass_is_named() -> None:
    first, _ = run(BrokenAtOnce())
    assert re.fullmatch(rf"pass 'broken': ZeroDivisionError: by nothing, at {HERE}", first)
    assert run(Unable())[0] == "pass 'unable': no work today"


@pytest.fixture
def with_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pass `broken`, as if it were installed."""
    monkeypatch.setitem(universe().all_passes, "broken", lambda: Broken)


@pytest.mark.usefixtures("with_broken")
def test_a_pass_inside_the_lowering_is_named_too() -> None:
    with pytest.raises(HtpError, match="Relu: pass 'broken' fails: KeyError"):
        Pipeline((Lower(after=("qti-raise:broken",)),)).apply(Context(), parse_module(TEXT))


@pytest.mark.usefixtures("with_broken")
@pytest.mark.parametrize("tool", [htp_opt.run, htp_run.run], ids=["htp-opt", "htp-run"])
def test_the_tools_say_so_and_show_the_traceback_on_demand(tool: Callable) -> None:
    status, out, err = tool(["-p", "dce,broken"], TEXT)
    assert (status, out) == (1, "")
    first, _ = told(err)
    assert "2:3: qti_aisw.Relu: pass 'broken' fails: KeyError: 'qti_aisw.Relu', at " in first
    status, out, err = tool(["-p", "dce,broken", "--debug"], TEXT)
    assert (status, out) == (1, "")
    assert "in look_at" in err.partition("The above exception")[0]
    assert told("\n".join(err.splitlines()[-4:]))[0] == first


class Log(Instrument):
    """What an instrument hears, behind the names of the passes that are running."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def note(self, what: str) -> None:
        around = " > ".join(step.name for step in passes_around())
        self.lines.append(f"{around}: {what}")

    def before(self, step: ModulePass, module: ModuleOp) -> None:
        self.note("before")

    def after(self, step: ModulePass, module: ModuleOp) -> None:
        self.note("after")

    def failed(self, step: ModulePass, module: ModuleOp, error: BaseException) -> None:
        self.note(f"{step.name} failed")


class OnTrial(Log):
    """Hears of passes on trial copies too."""

    hears_trials = True


@dataclass(frozen=True)
class Around(ModulePass):
    """A pass that runs another one, if asked on trial."""

    name = "around"

    on_trial: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        with trial() if self.on_trial else nullcontext():
            run_pass(ctx, op, DeadCodeElimination())


def test_instruments_hear_of_passes_inside_passes() -> None:
    log = Log()
    with instrumented(log):
        Pipeline((Around(),)).apply(Context(), parse_module(TEXT))
    inner = ["around > dce: before", "around > dce: after"]
    assert log.lines == ["around: before", *inner, "around: after"]


def test_only_those_that_ask_hear_of_trials() -> None:
    log, on_trial = Log(), OnTrial()
    with instrumented(log, on_trial):
        Pipeline((Around(on_trial=True),)).apply(Context(), parse_module(TEXT))
    assert log.lines == ["around: before", "around: after"]
    assert "around > dce: after" in on_trial.lines


def test_a_failure_is_heard_from_inside_out() -> None:
    log = Log()
    with instrumented(log), pytest.raises(HtpError):
        Pipeline((BrokenAtOnce(),)).apply(Context(), parse_module(TEXT))
    assert log.lines == ["broken: before", "broken: broken failed"]
    assert passes_around() == ()
