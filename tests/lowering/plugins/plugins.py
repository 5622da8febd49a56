"""The text of a plugin with a pass and a dialect, and tools that run on a module of two Abs."""

from htp_mlir.lowering.testing.programs import OURS, run_target
from htp_mlir.lowering.tools import htp_opt
from htp_mlir.runtime.tools.tool import ToolOutcome

from tests.support.distributions import Distributions

TEXT = """func.func @main(%x: tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %1 = htp.Abs(%0) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %2 = htp.Abs(%1) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %3 = htp.Reshape(%2) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  func.return %3 : tensor<1x1x1x4xf32>
}"""

PASSES = '''
from htp_mlir.dialects.htp import AbsOp
from htp_mlir.lowering.plugins import plugin_universe, rewrite_pass
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition
from xdsl.pattern_rewriter import PatternRewriter


@rewrite_pass("once-abs")
def once_abs(op: AbsOp, rewriter: PatternRewriter, *, twice: bool = False) -> None:
    """Drop an Abs of an Abs."""
    if isinstance(op.operands[0].owner, AbsOp) and not twice:
        rewriter.replace(op, (), [op.operands[0]])


@irdl_op_definition
class MarkOp(IRDLOperation):
    """A mark."""

    name = "mine.mark"


UNIVERSE = plugin_universe(passes=[once_abs], dialects=[Dialect("mine", [MarkOp])])
'''
GRAPH = """func.func @main(%x: tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32> {
  %0 = qti_aisw.ElementWiseAbs(%x) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  func.return %0 : tensor<1x1x1x4xf32>
}"""
SOCS = """
from htp_mlir.lowering.plugins import Soc

SOC = Soc("MY1", "V75", 1 << 20)
"""
UNIVERSE = {"xdsl.universe": {"mine": "installed_passes:UNIVERSE"}}


def opt(*arguments: str) -> ToolOutcome:
    return htp_opt.run(arguments, TEXT)


def xdsl_opt(*arguments: str) -> ToolOutcome:
    return run_target("xdsl-opt", OURS["xdsl-opt"], arguments, TEXT)


def passes(distributions: Distributions) -> None:
    distributions.add("my-passes", UNIVERSE, {"installed_passes": PASSES})
