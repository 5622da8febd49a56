"""Plugins that are installed: found by all tools, listed, and left out where they are off."""

from pathlib import Path

from htp_mlir.lowering.testing.programs import OURS, run_target
from htp_mlir.lowering.tools import htp, htp_opt
from htp_mlir.runtime.tools import htp_run

from tests.support.distributions import Distributions

from .plugins import GRAPH, SOCS, TEXT, opt, passes, xdsl_opt


def test_a_pass_is_found_by_every_tool(distributions: Distributions) -> None:
    passes(distributions)
    for run in (opt, xdsl_opt):
        status, out, err = run("-p", "once-abs")
        assert (status, err) == (0, "")
        assert out.count("htp.Abs") == 1
        assert run("-p", "once-abs{twice=true}").out.count("htp.Abs") == 2
    assert htp_run.run(["-p", "once-abs", "-"], TEXT).status == 0
    assert opt("-p", "once-ab").err.splitlines()[1] == "  did you mean 'once-abs'?"


def test_a_dialect_is_found_by_every_tool(distributions: Distributions) -> None:
    passes(distributions)
    text = f"mine.mark\n{TEXT}".replace("mine.mark", '"mine.mark"() : () -> ()')
    for status, out, err in (
        htp_opt.run([], text),
        run_target("xdsl-opt", OURS["xdsl-opt"], [], text),
    ):
        assert (status, err) == (0, "")
        assert '"mine.mark"() : () -> ()' in out


RULES = """
from htp_mlir.lowering.rules import EARLY, OK, Op, rule, rules

TABLE = rules(rule(EARLY, Op("Abs", Op("Abs", "X")), OK, Op("Abs", "X"), name="abs of abs"))
"""
KERNELS = """
import numpy as np
from htp_mlir.runtime import Cost, KernelSet, PlainFloatTensor_TCM

KERNELS = KernelSet()


@KERNELS.kernel("Abs", cost=Cost.FREE)
def mine(out: PlainFloatTensor_TCM, in_: PlainFloatTensor_TCM) -> None:
    np.abs(in_.array, out=out.array)
"""


def test_rules_are_always_in_use(distributions: Distributions) -> None:
    groups = {"htp_mlir.rules": {"my-rules": "installed_rules:TABLE"}}
    assert opt("-p", "htp-rules,dce").out.count("htp.Abs") == 2
    distributions.add("my-rules", groups, {"installed_rules": RULES})
    assert opt("-p", "htp-rules,dce").out.count("htp.Abs") == 1


def test_kernels_are_chosen_and_run(distributions: Distributions, tmp_path: Path) -> None:
    groups = {"htp_mlir.kernels": {"mine": "installed_kernels:KERNELS"}}
    distributions.add("my-kernels", groups, {"installed_kernels": KERNELS})
    lowered = htp_opt.run(["-p", "htp-lower"], GRAPH).out
    assert 'kernel = "mine"' in lowered
    assert htp_run.run(["--check", "-"], lowered).status == 0


def test_a_soc_can_be_lowered_for(distributions: Distributions) -> None:
    groups = {"htp_mlir.socs": {"mine": "installed_socs:SOC"}}
    distributions.add("my-socs", groups, {"installed_socs": SOCS})
    assert "htp.tcm_bytes = 1048576" in htp_opt.run(["-p", "htp-lower{soc=my1}"], GRAPH).out


def test_the_plugins_are_listed_by_distribution(distributions: Distributions) -> None:
    passes(distributions)
    groups = {
        "htp_mlir.rules": {"table": "installed_rules:TABLE", "gone": "installed_rules:GONE"},
        "htp_mlir.socs": {"mine": "installed_socs:SOC"},
    }
    distributions.add("more", groups, {"installed_rules": RULES, "installed_socs": SOCS})
    assert htp.run(["show", "plugin"]).out.splitlines() == [
        "more 1.0",
        "  left out: rules gone (installed_rules:GONE)",
        "  rules table (installed_rules:TABLE)",
        "  SoCs mine (installed_socs:SOC)",
        "my-passes 1.0",
        "  dialect mine",
        "  pass once-abs",
    ]


def test_off_leaves_out_all_plugins(distributions: Distributions) -> None:
    passes(distributions)
    distributions.patch.setenv("HTP_MLIR_PLUGINS", "off")
    assert htp.run(["show", "plugin"]).out == "no plugins\n"
    assert opt("-p", "once-abs").status == 1
    assert opt("-p", "htp-rules,dce").status == 0
    distributions.patch.setenv("HTP_MLIR_PLUGINS", "of")
    distributions.forget()
    told = "HTP_MLIR_PLUGINS: is 'of'\n  set it to off, or to on\n"
    assert opt("-p", "dce") == (1, "", told)
