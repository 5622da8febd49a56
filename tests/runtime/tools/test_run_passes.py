"""A fault of a pass is laid to the pass and the op at hand, in the tools and in Python."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.levels import Level
from htp_mlir.lowering.passes import lower as lowering
from htp_mlir.lowering.tools import htp_opt
from htp_mlir.runtime import environment, parse_module
from htp_mlir.runtime.tools import htp_run, run_model
from htp_mlir.runtime.tools.run_passes import NamingPipeline
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.universe import Universe
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
        NamingPipeline((step,)).apply(Context(), parse_module(TEXT))
    return told(str(error.value))


@pytest.mark.parametrize("step", [Broken(), BrokenInside()])
def test_an_exception_names_the_pass_the_op_and_the_line(step: ModulePass) -> None:
    first, remedy = run(step)
    begin = r"<text>:2:3: %0 = qti_aisw\.Relu: pass 'broken' fails: KeyError: 'qti_aisw\.Relu'"
    assert re.fullmatch(rf"{begin}, at {HERE}", first)
    assert remedy == "  fix the pass; the tools show the traceback with --debug"


def test_without_an_op_the_pass_is_named() -> None:
    first, _ = run(BrokenAtOnce())
    assert re.fullmatch(rf"pass 'broken': ZeroDivisionError: by nothing, at {HERE}", first)
    assert run(Unable())[0] == "pass 'unable': no work today"


def test_a_pass_of_the_lowering_is_named_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(lowering._STEPS, Level.NATIVE, lambda size, options: (BrokenAtOnce(),))
    with pytest.raises(HtpError, match=r"^pass 'broken': ZeroDivisionError"):
        lower(parse_module(TEXT))


@pytest.fixture
def with_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pass `broken`, as if it were installed."""
    installed = Universe.get_multiverse()
    with_pass = Universe(
        all_dialects=installed.all_dialects,
        all_passes={**installed.all_passes, "broken": lambda: Broken},
        all_targets=installed.all_targets,
    )
    monkeypatch.setattr(Universe, "get_multiverse", lambda: with_pass)
    monkeypatch.setattr(environment, "universe", lambda: with_pass)
    monkeypatch.setattr(run_model, "universe", lambda: with_pass)


@pytest.mark.usefixtures("with_broken")
@pytest.mark.parametrize("tool", [htp_opt.run, htp_run.run], ids=["htp-opt", "htp-run"])
def test_the_tools_say_so_and_show_the_traceback_on_demand(tool: Callable) -> None:
    status, out, err = tool(["-p", "dce,broken"], TEXT)
    assert (status, out) == (1, "")
    first, _ = told(err)
    assert "2:3: %0 = qti_aisw.Relu: pass 'broken' fails: KeyError: 'qti_aisw.Relu', at " in first
    status, out, err = tool(["-p", "dce,broken", "--debug"], TEXT)
    assert (status, out) == (1, "")
    assert "in look_at" in err.partition("The above exception")[0]
    assert told("\n".join(err.splitlines()[-4:]))[0] == first
