"""Where packages come from, and what is refused when they are loaded."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.htp.base import NativeOp
from htp_mlir.dialects.htp.fields import tensor_def
from htp_mlir.lowering.packages import (
    OpPackage,
    Packages,
    load_package,
    load_packages,
    loading,
    op_package,
)
from htp_mlir.lowering.packages.checks import package_faults
from htp_mlir.lowering.packages.htp import HTP
from htp_mlir.lowering.rules import (
    DIM_DEPTH,
    EARLY,
    EXTERNAL_CONSTRAINT,
    FROM_DEFAULT_PACKAGE,
    GT,
    Flat,
    Op,
    Outputs,
    Param,
    external_constraint,
    param_order,
    rule,
    tensor_properties,
)
from htp_mlir.runtime import KernelSet
from htp_mlir.runtime.tensors.tensors import Tensor
from xdsl.context import Context

from tests.support.distributions import Distributions
from tests.support.timing import least_seconds

FILE = Path(__file__).parent / "scale_package.py"


class Twin(NativeOp):
    name = "P.Twin"

    a = tensor_def()
    b = tensor_def()


def kernels(op: str, package: str = "P") -> KernelSet:
    kernel_set = KernelSet(package)

    @kernel_set.kernel(op)
    def reference(out: Tensor, a: Tensor, b: Tensor) -> None:
        out.store(a.load())

    return kernel_set


def narrow(op: str) -> KernelSet:
    kernel_set = KernelSet("P")

    @kernel_set.kernel(op)
    def one(out: Tensor, a: Tensor) -> None:
        out.store(a.load())

    return kernel_set


def calls_yes(answer: bool) -> OpPackage:
    @external_constraint("yes")
    def yes(node: object) -> bool:
        return answer

    guarded = rule(EARLY, Op("Twin", "A", "B"), EXTERNAL_CONSTRAINT(yes, "A"), "A")
    return op_package("P" if answer else "Q", rules=[guarded], externals=[yes])


def test_a_file_is_loaded_and_extends_what_is_installed() -> None:
    packages = load_packages(FILE)
    assert [package.name for package in packages] == ["htp", "ScalePkg"]
    assert set(packages.ops) - {op.name for op in HTP.ops} == {
        "ScalePkg.ScaledRelu",
        "ScalePkg.Passed",
    }


def test_a_module_is_loaded_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FILE.parent))
    assert load_package("scale_package").name == "ScalePkg"


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    text = "from htp_mlir.lowering.packages import op_package\nPACKAGE = op_package('{}')\n"
    path.write_text(text.format("First"))
    assert load_package(path).name == "First"
    path.write_text(text.format("Second2"))
    assert load_package(path).name == "Second2"


BAD_FILES = {
    "PACKAGE = 1": "holds no package under the name PACKAGE",
    "x = undefined": "bad.py:1: cannot be imported: NameError: name 'undefined' is not defined",
    "\ndef (": "bad.py:2: cannot be imported: SyntaxError",
    "raise SystemExit(3)": "bad.py:1: cannot be imported: SystemExit: 3",
    "def f():\n    open('gone.bin')\nf()": "bad.py:2: cannot be imported: FileNotFoundError",
    "from htp_mlir.lowering.packages import op_package\nPACKAGE = op_package('a b')": (
        "package 'a b': this is no name"
    ),
}


@pytest.mark.parametrize(("text", "message"), BAD_FILES.items(), ids=BAD_FILES.values())
def test_a_bad_file_is_two_lines(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    path.write_text(text)
    with pytest.raises(HtpError, match=re.escape(message)) as caught:
        load_package(path)
    assert len(caught.value.lines()) == 2


def test_a_missing_file_or_module_is_named() -> None:
    with pytest.raises(HtpError, match=r"gone\.py: no such file"):
        load_package("gone.py")
    with pytest.raises(HtpError, match=r"gone_module: cannot be imported: ModuleNotFoundError"):
        load_package("gone_module")


def test_installed_packages_are_in_use(distributions: Distributions) -> None:
    distributions.add("scale-package", {"htp_mlir.packages": {"scale": "scale_package:PACKAGE"}})
    distributions.patch.syspath_prepend(str(FILE.parent))
    assert [package.name for package in loading.packages_of(Context())] == ["htp", "ScalePkg"]


def test_an_installed_package_that_is_none_is_left_out(
    distributions: Distributions, capsys: pytest.CaptureFixture[str]
) -> None:
    distributions.add("bad", {"htp_mlir.packages": {"one": "json:dumps"}})
    assert [package.name for package in loading.packages_of(Context())] == ["htp"]
    assert "of bad 1.0 is left out: package 'one': <function" in capsys.readouterr().err


TWIN = op_package("P", ops=[Twin])
FLAT_A = tensor_properties(Op("Twin", "a"), Flat("a"))
ORDERS = [param_order("Twin", Param("a")), param_order("Twin", Param("b"))]

CONFLICTS: dict[str, Callable[[], tuple[OpPackage, ...]]] = {
    "package P: two packages have this name": lambda: (TWIN, op_package("P")),
    "package htp: two packages have this name": lambda: (op_package("htp"),),
    "package func: a dialect has this name": lambda: (op_package("func"),),
    "declares op P.Twin 2 times": lambda: (op_package("P", ops=[Twin, Twin]),),
    "is for the unknown op P.Twn\n  did you mean 'P.Twin'?": lambda: (
        op_package("P", ops=[Twin], kernels=[kernels("Twn")]),
    ),
    "takes 1 outputs and 1 operands, op P.Twin has 1 and 2": lambda: (
        op_package("P", ops=[Twin], kernels=[narrow("Twin")]),
    ),
    "op P.Twin has two kernels of this name": lambda: (
        op_package("P", ops=[Twin], kernels=[kernels("Twin"), kernels("Twin")]),
    ),
    "tensor properties of P.Twin: are declared twice": lambda: (
        op_package("P", ops=[Twin], properties=[FLAT_A, FLAT_A]),
    ),
    "tensor properties of htp.Add: are declared twice": lambda: (
        op_package(
            "P", properties=[tensor_properties(Op(FROM_DEFAULT_PACKAGE("Add"), "a"), Flat("a"))]
        ),
    ),
    "tensor properties of P.Twn: no loaded package has this op": lambda: (
        op_package("P", ops=[Twin], properties=[tensor_properties(Op("Twn", "a"), Flat("a"))]),
    ),
    "'c' is tag 3, the op has 2 operands": lambda: (
        op_package("P", ops=[Twin], properties=[tensor_properties(Op("Twin", "a", "b", "c"))]),
    ),
    "'o1' is no output, the op has 1": lambda: (
        op_package(
            "P", ops=[Twin], properties=[tensor_properties(Op("Twin"), Outputs("o0", "o1"))]
        ),
    ),
    "param order of P.Twin: two declarations differ": lambda: (
        op_package("P", ops=[Twin], param_orders=ORDERS),
    ),
    "param order of P.Twn: no loaded package has this op": lambda: (
        op_package("P", ops=[Twin], param_orders=[param_order("Twn")]),
    ),
    "function yes: package Q has another of this name": lambda: (
        calls_yes(True),
        calls_yes(False),
    ),
}


@pytest.mark.parametrize(("message", "make"), CONFLICTS.items(), ids=CONFLICTS.keys())
def test_what_does_not_fit_together_is_refused(
    message: str, make: Callable[[], tuple[OpPackage, ...]]
) -> None:
    with pytest.raises(HtpError, match=re.escape(message)):
        Packages().extended(*make())


def test_a_second_package_of_a_name_is_one_fault() -> None:
    members = [
        op_package(
            "P",
            ops=[Twin],
            kernels=[kernels("Twin")],
            properties=[FLAT_A],
            param_orders=ORDERS[:1],
        )
        for _ in range(2)
    ]
    with pytest.raises(HtpError, match="package P: two packages have this name") as caught:
        Packages().extended(*members)
    assert len(caught.value.faults) == 1


def test_the_name_by_which_rules_call_htp_is_taken() -> None:
    with pytest.raises(HtpError, match="package q: rules call the package htp by this name"):
        Packages().extended(op_package("q"))


def test_the_unknown_tag_is_found_where_the_properties_are_written() -> None:
    with pytest.raises(HtpError, match=r"Flat\(\) names 'c', which is no tag of the op"):
        tensor_properties(Op("Twin", "a", "b"), Flat("c"))


def test_an_op_must_carry_the_packages_name() -> None:
    with pytest.raises(HtpError, match=r"class Twin has the op name 'P.Twin'"):
        op_package("Other", ops=[Twin])


def test_every_fault_is_told() -> None:
    bad = op_package("P", kernels=[kernels("Gone")], properties=[FLAT_A], param_orders=ORDERS)
    with pytest.raises(HtpError) as caught:
        Packages().extended(bad)
    assert len(caught.value.faults) == 5


def test_a_package_may_bring_kernels_for_another() -> None:
    more = op_package("More", kernels=[kernels("Twin")])
    packages = Packages().extended(more, TWIN)
    assert [kernel.name for kernel in packages.kernels.kernels("P.Twin")] == ["reference"]


def test_the_projects_own_package_has_no_fault_but_its_name() -> None:
    problems = [fault.problem for fault in package_faults(HTP, [HTP])]
    assert problems == ["a dialect has this name"]


def load_rules(rule_count: int) -> None:
    """Make and load a package of so many rules, each with an op of its own."""
    names = [f"T{index}" for index in range(rule_count)]
    ops = [type(name, (NativeOp,), {"name": f"Big.{name}", "a": tensor_def()}) for name in names]
    table = [rule(EARLY, Op(name, "X"), GT(DIM_DEPTH("*"), 1), "X") for name in names]
    packages = Packages().extended(op_package("Big", ops=ops, rules=table))
    assert len(packages.rules.groups[EARLY].rules) >= rule_count


@pytest.mark.slow
def test_loading_takes_time_in_proportion_to_the_rules() -> None:
    few, many = (least_seconds(partial(load_rules, count)) for count in (100, 400))
    assert many < 10 * few
