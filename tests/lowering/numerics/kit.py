"""A chain of ops, passes of a user's on it, and the error of a check of numbers."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.numerics.check import NumericsCheck
from htp_mlir.lowering.numerics.report import Reporter
from htp_mlir.lowering.packages import Packages
from htp_mlir.runtime import parse_module
from htp_mlir.runtime.passes.run import Pipeline, instrumented
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

CHAIN = """
func.func @main(%x: tensor<1x1x2x8xf32> {htp.name = "x"})
    -> (tensor<1x1x2x8xf32> {htp.name = "y"}) {
  %0 = qti_aisw.Relu(%x) {htp.name = "first"} : (tensor<1x1x2x8xf32>) -> tensor<1x1x2x8xf32>
  %1 = qti_aisw.Tanh(%0) {htp.name = "second"} : (tensor<1x1x2x8xf32>) -> tensor<1x1x2x8xf32>
  %2 = qti_aisw.Sigmoid(%1) {htp.name = "third"} : (tensor<1x1x2x8xf32>) -> tensor<1x1x2x8xf32>
  func.return %2 : tensor<1x1x2x8xf32>
}
"""


def change(name: str, work: Callable[[Operation], None]) -> ModulePass:
    """Make a pass of a user's that does something at the first op of a name."""

    class Change(ModulePass):
        name = "change"

        def apply(self, ctx: Context, op: ModuleOp) -> None:
            work(next(inner for inner in op.walk() if inner.name == name))

    return Change()


def check(
    folder: Path, steps: Sequence[ModulePass], text: str = CHAIN, tolerance: float | None = None
) -> NumericsCheck:
    packages = Packages()
    context, reporter = packages.context(), Reporter(folder)
    numerics = NumericsCheck(context, packages.library, {}, 0, tolerance, reporter.error)
    with instrumented(numerics):
        Pipeline(tuple(steps)).apply(context, parse_module(text))
    return numerics


def fault(folder: Path, steps: Sequence[ModulePass], text: str = CHAIN) -> tuple[str, str]:
    """The two lines of the error."""
    with pytest.raises(HtpError) as error:
        check(folder, steps, text)
    where, remedy = error.value.lines()
    return where, remedy.strip()
