"""C++ functions that rules call: built, called with nodes and slices, and their faults named."""

from pathlib import Path

import pytest
from htp_mlir.lowering.packages import load_packages
from htp_mlir.lowering.rules.soundness import check_rule

from .kit import loaded, sample, told

pytestmark = pytest.mark.needs("g++", "addr2line")

RULE = 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Copy", "X"), EXTERNAL_CONSTRAINT({}, "X", 2), "X")'
COPY = """// @op Copy(x: float) -> x
GraphStatus copy(Tensor &out, const Tensor &in)
{
    memcpy(out.raw_data(), in.raw_data_const(), in.total_storage_bytes());
    return GraphStatus::Success;
}
DEF_PACKAGE_OP(copy, "Copy")
"""


@pytest.mark.slow
def test_shapes_and_conditions_run_without_a_line_of_python() -> None:
    said = told("rules", "check", "--package", sample("split_helpers"), "--build", "--strict")
    assert "2 rules of HalvePackage are sound on" in said
    assert "1 rule of HalvePackage is" not in said


@pytest.mark.slow
def test_a_wrong_start_of_a_slice_is_found() -> None:
    flags = ["--package", sample("split_helpers"), "--build", "-D", "FIRST=1", "--cases", "10"]
    assert "1 of 2 rules of HalvePackage is not sound" in told("rules", "check", *flags)


def test_without_a_build_the_rule_is_passed_over_and_the_remedy_names_it() -> None:
    said = told("package", "show", sample("split_helpers"))
    assert "the function 'is_tall' has no Python side; give its Python side" in said
    assert "or its C++ and --build" in said
    assert "rules                  0" in said
    assert "rules                  2" in told("package", "show", sample("split_helpers"), "--build")


def test_a_function_that_replaces_is_offered_no_build(tmp_path: Path) -> None:
    rule = 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Copy", "X"), OK, EXTERNAL_REPLACE(make))'
    (tmp_path / "package.cpp").write_text(f"#define THIS_PKG_NAME Pkg\n{COPY}{rule}\n")
    said = told("package", "show", str(tmp_path / "package.cpp"))
    assert 'externals=[external_replacement("make")(function)]' in said
    assert "--build" not in said


@pytest.mark.parametrize("in_process", [False, True], ids=["worker", "in process"])
def test_constants_are_read_where_the_kernels_run(in_process: bool) -> None:
    packages = load_packages(sample("split_helpers"), build=True, in_process=in_process)
    one = next(
        rule for rule in packages.rules if rule.package == "HalvePackage" and "is_one" in str(rule)
    )
    report = check_rule(one, cases=3, rule_set=packages.rules, library=packages.library)
    assert report.passed, report


@pytest.mark.parametrize(
    ("function", "said"),
    [
        ("bool f(OpRef const &x, int n) { return *(int *)n; }", "the function 'f' crashes at"),
        ('bool f(OpRef const &x, int n) { throw std::runtime_error("no"); }', "throws: no"),
        ("bool f(OpRef const &x) { return true; }", "it takes 1 operands"),
        ("std::vector<size_t> f(OpRef const &x, int n) { return {}; }", "gave ()"),
        ("bool f(OpRef const &x, int n);", "the function of f is declared and has no body"),
    ],
)
def test_faults_name_the_function(tmp_path: Path, function: str, said: str) -> None:
    packages = loaded(tmp_path, f"{COPY}{function}\n{RULE.format('f')}")
    (own,) = (rule for rule in packages.rules if rule.package == "Pkg")
    assert said in str(check_rule(own, cases=1, rule_set=packages.rules, library=packages.library))


def test_a_function_that_cannot_be_registered_leaves_the_kernels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f"{COPY}namespace n {{ struct Own {{}}; bool f(Own x, int n) {{ return n; }} }}\n"
    packages = loaded(tmp_path, text + RULE.format("n::f"))
    assert not [rule for rule in packages.rules if rule.package == "Pkg"]
    assert [k.lacks for k in packages.kernels.kernels("Pkg.Copy")] == [""]
    said = capsys.readouterr().err
    assert "the function 'n::f' has no Python side" in said
    assert "the function n::f that rules call does not fit" in said


def test_a_function_that_cannot_be_registered_leaves_the_others(tmp_path: Path) -> None:
    text = COPY + "".join(
        f"static bool {name}(OpRef const &x, {type_} n) {{ return true; }}\n{RULE.format(name)}\n"
        for name, type_ in (("f", "std::string"), ("g", "int"), ("h", "std::string"))
    )
    packages = loaded(tmp_path, text)
    assert len([rule for rule in packages.rules if rule.package == "Pkg"]) == 1


@pytest.mark.needs("addr2line")
def test_the_place_of_a_fault_is_in_the_source(tmp_path: Path) -> None:
    text = "bool f(OpRef const &x, int n) { return *(int *)n; }"
    packages = loaded(tmp_path, f"{COPY}{text}\n{RULE.format('f')}")
    (own,) = (rule for rule in packages.rules if rule.package == "Pkg")
    report = check_rule(own, cases=1, rule_set=packages.rules, library=packages.library)
    assert f"the function 'f' crashes at {tmp_path}/package.cpp:" in str(report)
