"""Plugins that are broken: a warning when they are found, an error where they are asked for."""

from pathlib import Path

import pytest
from htp_mlir.lowering.tools import htp, htp_opt

from tests.support.distributions import Distributions

from .plugins import GRAPH, SOCS, opt, passes

BROKEN = {
    "cannot be imported: ModuleNotFoundError: No module named 'gone'": (
        "xdsl.universe",
        "gone:UNIVERSE",
    ),
    "cannot be imported: ZeroDivisionError: division by zero": ("xdsl.universe", "broken_one:X"),
    "its value: is <function dumps": ("xdsl.universe", "json:dumps"),
    "pass 'htp-lower' is also of htp-mlir": ("xdsl.universe", "broken_two:TAKEN"),
    "rules 'bad': <function dumps": ("htp_mlir.rules", "json:dumps"),
    "kernels 'bad': <function dumps": ("htp_mlir.kernels", "json:dumps"),
    "package 'bad': <function dumps": ("htp_mlir.packages", "json:dumps"),
    "package htp: two packages have this name": ("htp_mlir.packages", "broken_two:HTP"),
    "package bad_kernels, kernel mine: ": ("htp_mlir.kernels", "broken_two:KERNELS"),
}
MODULES = {
    "broken_one": "X = 1 / 0",
    "broken_two": """
from htp_mlir.lowering.packages import op_package
from htp_mlir.runtime import KernelSet, Tensor
from xdsl.universe import Universe

TAKEN = Universe(all_passes={"new": object, "htp-lower": object})
HTP = op_package("htp")
KERNELS = KernelSet()


@KERNELS.kernel("Relu")
def mine(out: Tensor, in_: Tensor, other: Tensor) -> None:
    out.store(in_.load())
""",
}


@pytest.mark.one_per
@pytest.mark.parametrize(("reason", "place"), BROKEN.items(), ids=BROKEN)
def test_a_broken_plugin_is_a_warning_that_names_its_distribution(
    reason: str, place: tuple[str, str], distributions: Distributions
) -> None:
    group, value = place
    distributions.add("the-bad-one", {group: {"bad": value}}, MODULES)
    passes(distributions)
    status, out, err = opt("-p", "once-abs,htp-rules{last=QNN}")
    assert (status, out.count("htp.Abs")) == (0, 1)
    first, second = err.splitlines()
    assert first.startswith(f"warning: plugin 'bad' ({group}) of the-bad-one 1.0 is left out: ")
    assert reason in first
    assert second == "  fix or uninstall it; HTP_MLIR_PLUGINS=off leaves out all plugins"


@pytest.mark.parametrize(
    ("value", "reason"),
    [("json:dumps", "is no Soc"), ("broken_socs:TAKEN", "soc 'SM8650': is known already")],
)
def test_a_broken_soc_is_a_warning(value: str, reason: str, distributions: Distributions) -> None:
    text = SOCS.replace("SOC = ", "TAKEN = ").replace("MY1", "sm8650")
    distributions.add("bad", {"htp_mlir.socs": {"mine": value}}, {"broken_socs": text})
    status, _, err = htp_opt.run(["-p", "htp-lower{soc=SM8650 level=native}"], GRAPH)
    assert status == 0
    assert reason in err.splitlines()[0]


LAZY = """
from xdsl.passes import ModulePass
from xdsl.universe import Universe


def gone():
    import gone


class Misnamed(ModulePass):
    name = "other"

    def apply(self, ctx, op):
        pass


UNIVERSE = Universe(
    all_passes={"gone": gone, "no-pass": lambda: int, "misnamed": lambda: Misnamed},
    all_dialects={"lost": gone},
)
"""


def lazy(distributions: Distributions) -> None:
    groups = {"xdsl.universe": {"lazy": "installed_lazy:UNIVERSE"}}
    distributions.add("lazy", groups, {"installed_lazy": LAZY})


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("gone", "cannot be imported: ModuleNotFoundError: No module named 'gone'"),
        ("no-pass", "<class 'int'> is no pass"),
        ("misnamed", "calls itself 'other'"),
    ],
)
def test_a_pass_that_cannot_be_had_is_an_error_where_it_is_used(
    name: str, reason: str, distributions: Distributions
) -> None:
    lazy(distributions)
    assert opt("-p", "dce").err == ""
    status, out, err = opt("-p", name)
    assert (status, out) == (1, "")
    assert err.splitlines()[0] == f"pass '{name}' of lazy 1.0: {reason}"
    assert len(err.splitlines()) == 2


@pytest.mark.slow
def test_the_lists_say_so(distributions: Distributions) -> None:
    lazy(distributions)
    distributions.add("bad", {"xdsl.universe": {"bad": "gone:UNIVERSE"}})
    listed = htp.run(["show", "pass"]).out.partition("\nlazy:\n")[2].splitlines()
    problem = "cannot be imported: ModuleNotFoundError: No module named 'gone'"
    assert f"  gone: {problem}" in listed
    assert f"  lost: {problem}" in htp.run(["show", "dialect"]).out.splitlines()


def test_a_dialect_that_cannot_be_had_is_an_error_where_it_is_used(
    distributions: Distributions,
) -> None:
    lazy(distributions)
    status, _, err = htp_opt.run([], '"lost.op"() : () -> ()')
    assert status == 1
    assert err.splitlines()[0].startswith("dialect 'lost' of lazy 1.0: cannot be imported")
    assert len(err.splitlines()) == 2


def test_a_frontend_that_cannot_be_had_is_an_error(
    distributions: Distributions, tmp_path: Path
) -> None:
    distributions.add("fronts", {"htp_mlir.frontends": {"toy": "gone:load"}})
    (tmp_path / "m.toy").write_text("")
    status, _, err = htp_opt.run([str(tmp_path / "m.toy")])
    assert status == 1
    assert err.splitlines()[0].startswith("plugin 'toy' (htp_mlir.frontends) of fronts 1.0: cannot")
