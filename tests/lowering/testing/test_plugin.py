"""The plugin in projects made for it: what it collects, reports and refuses."""

import subprocess
import sys

import pytest
from htp_mlir.lowering.testing import checks, items, runner, settings
from htp_mlir.lowering.tools import htp_opt

pytest_plugins = ("pytester",)

ACTIVE = "[pytest]\naddopts = -W error\nhtp_mlir = true\n"
MODULE = """
func.func @main(%x: tensor<2x3xf32> {htp.name = "x"}) -> (tensor<2x3xf32> {htp.name = "y"}) {
  %0 = qti_aisw.Relu(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}
"""
CHECKED = "// RUN: htp-opt %s | filecheck %s\n"
GOOD = f"{CHECKED}// CHECK: qti_aisw.Relu\n{MODULE}"
BAD = f"{CHECKED}// CHECK: qti_aisw.Tanh\n{MODULE}"


@pytest.fixture(autouse=True, scope="module")
def _loaded() -> None:
    """Load what the runs need: each forgets the modules that it was the first to import."""
    assert all((checks, items, runner))
    assert htp_opt.run([], MODULE).status == 0


def _project(pytester: pytest.Pytester, ini: str = ACTIVE, **files: str) -> None:
    pytester.makeini(ini)
    for name, text in files.items():
        pytester.path.joinpath(f"{name}.mlir").write_text(text)


def _run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return pytester.runpytest_inprocess("-p", "no:cacheprovider", *arguments)


def test_nothing_is_collected_until_an_ini_file_says_so(pytester: pytest.Pytester) -> None:
    _project(pytester, "[pytest]\n", good=GOOD)
    assert _run(pytester).ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_each_file_is_a_test(pytester: pytest.Pytester) -> None:
    _project(pytester, good=GOOD, bad=BAD)
    for folder in ("inputs", "kept"):
        pytester.mkdir(folder).joinpath("other.mlir").write_text(GOOD)
    result = _run(pytester)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        [
            "bad.mlir: RUN: htp-opt %s | filecheck %s",
            "exit status 1 of filecheck",
            "bad.mlir:2: // CHECK: qti_aisw.Tanh",
            "  looked for from line 1 of the input on; the nearest is line 3:",
            "  >    3 |     %0 = qti_aisw.Relu(*",
            "repeat it with",
            "  htp-opt bad.mlir | filecheck bad.mlir",
            "or this test with",
            "  pytest 'bad.mlir::RUN'",
        ]
    )


def test_one_file_can_be_named(pytester: pytest.Pytester) -> None:
    _project(pytester, good=GOOD, bad=BAD)
    _run(pytester, "good.mlir").assert_outcomes(passed=1)
    _run(pytester, "bad.mlir::RUN").assert_outcomes(failed=1)


def test_conditions_skip_and_turn_over(pytester: pytest.Pytester) -> None:
    _project(
        pytester,
        f"{ACTIVE}htp_mlir_features = sm8650 slow\n",
        runs=f"// REQUIRES: sm8650 && !fast\n{GOOD}",
        absent=f"// REQUIRES: fast\n{BAD}",
        unsupported=f"// UNSUPPORTED: fast, slow\n{BAD}",
        fails=f"// XFAIL: *\n{BAD}",
        passes=f"// XFAIL: *\n{GOOD}",
        elsewhere=f"// XFAIL: fast\n{GOOD}",
        malformed=f"// REQUIRES: (fast\n{GOOD}",
    )
    result = _run(pytester, "-v", "-rs")
    result.stdout.fnmatch_lines(
        [
            "absent.mlir::RUN SKIPPED (requires*",
            "elsewhere.mlir::RUN PASSED*",
            "fails.mlir::RUN XFAIL (XFAIL in the file:*",
            "malformed.mlir::RUN FAILED*",
            "passes.mlir::RUN FAILED*",
            "runs.mlir::RUN PASSED*",
            "unsupported.mlir::RUN SKIPPED (unsupported*",
        ],
        consecutive=True,
    )
    printed = str(result.stdout)
    assert "requires fast" in printed
    assert "unsupported with slow" in printed
    assert "passes, and XFAIL says that it fails\n  take XFAIL out\nor this test with" in printed
    assert "line 1: '(fast' is no condition: expected: ')', have: <end of expression>" in printed


def test_a_fault_is_no_expected_failure(pytester: pytest.Pytester) -> None:
    _project(pytester, fault=f"// XFAIL: *\n{CHECKED}// CHECK-NEX: x\n// CHECK: y\n{MODULE}")
    result = _run(pytester)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["fault.mlir: line 3: 'CHECK-NEX:' is no directive of filecheck"])


OPT = '''
from xdsl.xdsl_opt_main import xDSLOptMain


class Opt(xDSLOptMain):
    """A driver with nothing of its own."""


def main():
    print("called")
'''


def test_tools_of_the_project_and_external_ones(pytester: pytest.Pytester) -> None:
    options = """
htp_mlir_tools =
    my-opt = my_opt:Opt
    my-tool = my_opt:main
    my-lost = my_opt:lost
htp_mlir_external = sed
htp_mlir_substitutions =
    %my = my-opt %s --split-input-file
pythonpath = .
"""
    _project(
        pytester,
        ACTIVE + options,
        driver=f"// RUN: %my | filecheck %s\n// CHECK: qti_aisw.Relu\n{MODULE}",
        function="// RUN: my-tool | sed s/led/ved/ | filecheck %s\n// CHECK: calved\n",
        plain=f"// RUN: xdsl-opt %s | filecheck %s\n// CHECK: qti_aisw.Relu\n{MODULE}",
        lost="// RUN: my-lost\n",
    )
    pytester.makepyfile(my_opt=OPT)
    result = _run(pytester, "-v")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(["lost.mlir: my-lost: 'my_opt:lost' cannot be loaded: *"])


BAD_INI = {
    "htp_mlir = maybe": "ini option htp_mlir: ",
    "htp_mlir_tools = my-opt": "'my-opt' is no NAME = VALUE",
    "htp_mlir_tools = my-opt = main": "'main' names no function",
    "htp_mlir_tools = not = a:b": "'not' is built in",
    "htp_mlir_external = htp-opt": "'htp-opt' runs in process",
    "htp_mlir_features = a&b": "'a&b' is no name",
    "htp_mlir_substitutions = s = x": "'s = x' is no NAME = VALUE",
    "htp_mlir_substitutions = %s = x": "'%s' is built in",
}


@pytest.mark.parametrize("line", BAD_INI)
def test_bad_ini_values_take_two_lines(pytester: pytest.Pytester, line: str) -> None:
    ini = "[pytest]\n" if line.startswith("htp_mlir =") else ACTIVE
    _project(pytester, f"{ini}{line}\n", good=GOOD)
    result = _run(pytester)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    (first, remedy) = [each for each in result.errlines if each.strip()]
    assert BAD_INI[line] in first
    assert remedy.startswith("  ")


def test_a_missing_filecheck_takes_two_lines(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "find_spec", lambda name: None)
    _project(pytester, good=GOOD)
    result = _run(pytester)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert [line for line in result.errlines if line.strip()] == [
        "ERROR: htp_mlir = true: filecheck is not installed",
        "  pip install 'htp-mlir[testing]'",
    ]


def test_update_needs_the_plugin(pytester: pytest.Pytester) -> None:
    _project(pytester, "[pytest]\n", good=GOOD)
    assert _run(pytester, "--update-checks").ret == pytest.ExitCode.USAGE_ERROR


def test_update_writes_what_does_not_pass(pytester: pytest.Pytester) -> None:
    _project(pytester, good=GOOD, bad=BAD, new=CHECKED + MODULE)
    result = _run(pytester, "--update-checks")
    result.assert_outcomes(passed=3)
    written = [line for line in result.outlines if line.endswith("new CHECK lines were written")]
    assert [line.partition(":")[0] for line in written] == ["bad.mlir", "new.mlir"]
    _run(pytester).assert_outcomes(passed=3)
    assert pytester.path.joinpath("new.mlir").read_text() == (
        f"{CHECKED}\n"
        "// CHECK-LABEL: func.func @main(\n"
        '// CHECK-SAME: [[X:%.+]]: tensor<2x3xf32> {htp.name = "x"})'
        ' -> (tensor<2x3xf32> {htp.name = "y"}) {\n'
        "// CHECK-NEXT: [[V0:%.+]] = qti_aisw.Relu([[X]])"
        " : (tensor<2x3xf32>) -> tensor<2x3xf32>\n"
        "// CHECK-NEXT: func.return [[V0]] : tensor<2x3xf32>\n"
        f"{MODULE}"
    )
    assert pytester.path.joinpath("bad.mlir").read_text().count("CHECK") == 4
    assert pytester.path.joinpath("good.mlir").read_text() == GOOD


def test_update_reads_the_file_that_filecheck_reads(pytester: pytest.Pytester) -> None:
    run = "// RUN: htp-opt %s > %t && filecheck %s --input-file %t\n"
    _project(pytester, file=f"{run}// CHECK: old\n{MODULE}")
    _run(pytester, "--update-checks").assert_outcomes(passed=1)
    assert pytester.path.joinpath("file.mlir").read_text().count("CHECK") == 4


def test_update_leaves_a_file_without_output(pytester: pytest.Pytester) -> None:
    text = "// RUN: htp-opt %s -o %t | filecheck %s\n// CHECK: old\n" + MODULE
    _project(pytester, silent=text)
    result = _run(pytester, "--update-checks")
    result.assert_outcomes(failed=1)
    assert "filecheck is given nothing to write down" in str(result.stdout)
    assert pytester.path.joinpath("silent.mlir").read_text() == text


def test_update_leaves_a_file_whose_tool_fails(pytester: pytest.Pytester) -> None:
    text = f"{CHECKED}// CHECK: x\nfunc.func @main(\n"
    _project(pytester, wrong=text)
    result = _run(pytester, "--update-checks")
    result.assert_outcomes(failed=1)
    assert "fails before filecheck" in str(result.stdout)
    assert pytester.path.joinpath("wrong.mlir").read_text() == text


def test_an_inactive_plugin_imports_nothing_heavy() -> None:
    code = (
        "import sys, pytest\n"
        "import htp_mlir.lowering.testing.plugin\n"
        "print(*{name.split('.')[0] for name in sys.modules})\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"numpy", "xdsl", "hypothesis", "filecheck", "onnx"}
    assert heavy & set(done.stdout.split()) == set()
