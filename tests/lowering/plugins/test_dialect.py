"""An op of a plugin's dialect: looked up, and exported for upstream's mlir-opt."""

from pathlib import Path

import numpy as np
import pytest
from htp_mlir.lowering import lower
from htp_mlir.lowering.packages.loading import installed
from htp_mlir.lowering.tools import htp, htp_opt
from htp_mlir.runtime import Session, parse_module
from htp_mlir.runtime.tools import htp_run

from tests.support.distributions import Distributions
from tests.support.roundtrip import run_mlir_opt

from .plugins import UNIVERSE

DIALECT = '''
from htp_mlir.dialects.qti_aisw import GRAPH_OPS
from htp_mlir.lowering.plugins import plugin_universe, rewrite_pass
from htp_mlir.runtime import KernelSet, Tensor
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


KERNELS, MISNAMED, UNKNOWN = KernelSet("mine"), KernelSet("mine"), KernelSet("mine")


@MISNAMED.kernel("twise")
@KERNELS.kernel("twice")
def twice(out: Tensor, x: Tensor, *, times: IntegerAttr) -> None:
    out.store(x.load() * times.value.data)


@UNKNOWN.kernel("twice")
def thrice(out: Tensor, x: Tensor, *, count: IntegerAttr) -> None:
    out.store(x.load() * count.value.data)


@rewrite_pass("add-twice")
def add_twice(op: TwiceOp, rewriter):
    """Lower it to a sum."""
    add = GRAPH_OPS["ElementWiseAdd"].build(operands=[op.x, op.x], result_types=[op.x.type])
    rewriter.replace(op, [add])


UNIVERSE = plugin_universe(passes=[add_twice], dialects=[Dialect("mine", [TwiceOp])])
'''
TEXT = """func.func @main(%x: i32) -> i32 {
  %0 = "mine.twice"(%x) <{times = 2 : i64}> : (i32) -> i32
  func.return %0 : i32
}"""

GRAPH = """func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = qti_aisw.Relu(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = "mine.twice"(%0) <{times = 2 : i64}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = qti_aisw.Relu(%1) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %2 : tensor<2x3xf32>
}"""


def with_kernels(distributions: Distributions, name: str) -> None:
    """Install the dialect, with the kernels of this name if there is one."""
    kernels = {"htp_mlir.kernels": {"mine": f"installed_passes:{name}"}} if name else {}
    groups = {**UNIVERSE, **kernels}
    distributions.add("my-dialect", groups, {"installed_passes": DIALECT})


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


def test_an_op_runs_on_its_kernel_at_the_graph_and_the_native_level(
    distributions: Distributions, tmp_path: Path
) -> None:
    with_kernels(distributions, "KERNELS")
    distributions.patch.chdir(tmp_path)
    graph = parse_module(GRAPH, "m.mlir", installed().context())
    x = np.array([[-1, 2, 3], [4, -5, 6]], np.float32)
    for module in (graph, lower(graph, level="native")):
        assert any(op.name == "mine.twice" for op in module.walk())
        outputs = Session(module, check=True).run({"arg0": x})
        np.testing.assert_array_equal(outputs["result0"], 2 * np.maximum(x, 0))
    for pipeline in ("htp-lower{level=native}", "add-twice,htp-lower"):
        outcome = htp.run(["numerics", "-", "-p", pipeline], GRAPH)
        assert outcome.status == 0, outcome.err
        assert outcome.out.startswith("numbers agree behind")
    put = htp_opt.run(["-", "-p", "htp-lower{before=qti-raise:add-twice}"], GRAPH)
    assert (put.status, put.err) == (0, "")
    wrong = htp.run(["numerics", "-", "-p", "add-twice"], GRAPH.replace("times = 2", "times = 3"))
    assert "pass add-twice" in wrong.err.splitlines()[0]
    assert wrong.status == 1


LOWER = "  lower it by a pass of my-dialect 1.0: add-twice"
OR_KERNEL = '; or give it a kernel: a KernelSet("mine") as entry point htp_mlir.kernels'


@pytest.mark.parametrize(
    ("kernels", "command", "fault", "remedy"),
    [
        ("", "htp-run", "cannot run", LOWER + OR_KERNEL),
        ("", "htp-opt -p htp-lower", "it is no graph op", LOWER + OR_KERNEL),
        ("", "htp-opt -p convert-qti-aisw-to-htp", "is no graph op", LOWER + OR_KERNEL),
        ("KERNELS", "htp-opt -p htp-lower", "the placed level: it is no native op", LOWER),
        ("KERNELS", "htp-opt -p qti-halve", "the graph level: it is no graph op", LOWER),
        ("UNKNOWN", "htp-run", "no attribute 'count'", "  state it, or take the parameter off"),
        ("MISNAMED", "htp-run", "for the unknown op mine.twise", "HTP_MLIR_PLUGINS=off"),
    ],
)
def test_where_it_does_not_run_the_error_names_the_pass_of_its_plugin(
    distributions: Distributions, kernels: str, command: str, fault: str, remedy: str
) -> None:
    with_kernels(distributions, kernels)
    tool, *arguments = command.split()
    outcome = {"htp-run": htp_run.run, "htp-opt": htp_opt.run}[tool]([*arguments, "-"], GRAPH)
    first, second, *_ = outcome.err.splitlines()
    assert fault in first
    assert remedy in second
    assert outcome.status == 1


@pytest.mark.parametrize(
    ("kernels", "level", "goal", "status"),
    [
        ("", "graph", "native", 1),
        ("KERNELS", "native", "allocated", 1),
        ("KERNELS", "native", "native", 0),
    ],
)
def test_a_survey_tells_how_far_the_op_gets(
    distributions: Distributions, kernels: str, level: str, goal: str, status: int
) -> None:
    with_kernels(distributions, kernels)
    outcome = htp.run(["support", "-", "-p", f"htp-lower{{level={goal}}}"], GRAPH)
    rows = [line.split() for line in outcome.out.splitlines()]
    assert ["mine.twice", "1", level] in [row[:3] for row in rows]
    assert (LOWER.strip() in outcome.out, outcome.status) == (bool(status), status)
