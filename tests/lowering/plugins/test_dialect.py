"""An op of a plugin's dialect: looked up, and exported for upstream's mlir-opt."""

from __future__ import annotations

from pathlib import Path

import pytest
from htp_mlir.lowering.tools import htp, htp_opt

from tests.support.distributions import Distributions
from tests.support.roundtrip import run_mlir_opt

from .plugins import UNIVERSE

DIALECT = '''
from htp_mlir.lowering.plugins import plugin_universe
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def, result_def


@irdl_op_definition
class TwiceOp(IRDLOperation):
    """Twice a value."""

    name = "mine.twice"
    x = operand_def()
    y = result_def()
    times = prop_def(IntegerAttr)


UNIVERSE = plugin_universe(dialects=[Dialect("mine", [TwiceOp])])
'''
TEXT = """func.func @main(%x: i32) -> i32 {
  %0 = "mine.twice"(%x) <{times = 2 : i64}> : (i32) -> i32
  func.return %0 : i32
}"""


@pytest.fixture
def dialect(distributions: Distributions) -> None:
    distributions.add("my-dialect", UNIVERSE, {"installed_passes": DIALECT})


def test_an_op_is_looked_up(dialect: None) -> None:
    assert htp.run(["show", "op", "mine.twice"]).out.splitlines() == [
        "mine.twice(x)",
        "  Twice a value.",
        "  params: times",
        "  results: y",
        "  dialect: mine, of my-dialect 1.0",
    ]


def test_a_name_that_the_dialect_lacks_brings_the_close_one(dialect: None) -> None:
    outcome = htp.run(["show", "op", "mine.twise"])
    assert outcome.err.splitlines() == [
        "op 'mine.twise': is not in the dialect mine",
        "  did you mean 'mine.twice'?",
    ]


@pytest.mark.needs("mlir-opt")
def test_upstream_reads_the_op(dialect: None, tmp_path: Path) -> None:
    definitions = tmp_path / "mine.irdl.mlir"
    assert htp_opt.run(["-t", "irdl", "-o", str(definitions)], "module {}").status == 0
    flag, text = f"--irdl-file={definitions}", htp_opt.run(["-t", "irdl-module"], TEXT).out
    done = run_mlir_opt(text, "--verify-roundtrip", flag)
    assert done.returncode == 0, done.stderr
    assert "mine.twice" in done.stdout
    wrong = run_mlir_opt(text.replace("(%x)", "(%x, %x)").replace(": (i32)", ": (i32, i32)"), flag)
    assert "expects exactly 1 operands" in wrong.stderr
    assert wrong.returncode == 1
