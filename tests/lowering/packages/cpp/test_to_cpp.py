"""`-t cpp-package`: any package in use as C++ text that reads back equal and that g++ takes."""

from dataclasses import replace
from pathlib import Path

import pytest
from htp_mlir.lowering.packages import (
    OpPackage,
    Packages,
    from_cpp,
    load_package,
)
from htp_mlir.lowering.packages.def_package import (
    CppPackage,
    Role,
    load_cpp,
    spelled_out,
    write_cpp,
)
from htp_mlir.lowering.packages.htp import HTP
from htp_mlir.lowering.packages.to_cpp import to_cpp
from htp_mlir.lowering.rules import RuleSet
from htp_mlir.lowering.tools import htp_opt

from ....docs.code_blocks import ROOT
from ..def_package.kit import complaints

SCALE = Path(__file__).parents[1] / "scale_package.py"
EXAMPLES = sorted((ROOT / "docs" / "examples").glob("*/package.py"))
SOURCES = {load_package(path).name: path for path in [SCALE, *EXAMPLES]}
PACKAGES = [HTP, *map(load_package, SOURCES.values())]
LIBRARY = RuleSet().externals


def ids(package: OpPackage) -> str:
    return package.name


def written(package: OpPackage, folder: Path) -> Path:
    """The text that htp-opt writes for a package."""
    path = folder / f"{package.name}.cpp"
    source = [f"--package={SOURCES[package.name]}"] if package.name in SOURCES else []
    target = f"cpp-package{{package={package.name}}}"
    outcome = htp_opt.run([*source, "-t", target, "-o", str(path)])
    assert (outcome.status, outcome.err) == (0, "")
    return path


def read_back(path: Path, expected: CppPackage) -> CppPackage:
    externals = [
        external for name, external in expected.rules.externals.items() if name not in LIBRARY
    ]
    package, summary = load_cpp(path, externals=externals)
    assert (summary.skipped, summary.notes) == ((), ())
    return package


@pytest.mark.parametrize(
    "package", [pytest.param(HTP, marks=pytest.mark.slow), *PACKAGES[1:]], ids=ids
)
def test_it_reads_back_equal(package: OpPackage, tmp_path: Path) -> None:
    expected = to_cpp(package)
    rules = replace(expected.rules, rules=tuple(spelled_out(expected.rules)))
    assert read_back(written(package, tmp_path), expected) == replace(expected, rules=rules)
    assert len(expected.kernels) >= len(package.kernels)


@pytest.mark.slow
def test_the_projects_own_package_loads_under_another_name(tmp_path: Path) -> None:
    externals = list(to_cpp(HTP).rules.externals.values())
    read, summary = load_cpp(written(HTP, tmp_path), name="Other", externals=externals)
    (other,) = list(Packages().extended(from_cpp(read)))[1:]
    assert summary.skipped == ()
    assert len(other.kernels) >= len(HTP.kernels)


@pytest.mark.slow
@pytest.mark.needs("g++")
def test_a_compiler_takes_them(tmp_path: Path) -> None:
    assert complaints(tmp_path, *(written(package, tmp_path) for package in PACKAGES)) == ""


@pytest.mark.needs("g++")
def test_a_compiler_takes_names_that_only_python_has(tmp_path: Path) -> None:
    path = tmp_path / "package.py"
    path.write_text(SCALE.read_text().replace("in_:", "typeid:").replace("def flat(", "def xor("))
    path.write_text(path.read_text().replace("in_.", "typeid."))
    (tmp_path / "xor.cpp").write_text(write_cpp(to_cpp(load_package(path))))
    assert complaints(tmp_path, tmp_path / "xor.cpp") == ""


def test_kernels_keep_classes_cost_and_flags() -> None:
    (pool,) = [p for p in map(load_package, EXAMPLES) if p.name == "MaxPoolPackage"]
    by_name = {kernel.instance: kernel for kernel in to_cpp(pool).kernels}
    croutons = by_name["in_croutons<QUint8CroutonTensor_TCM>"]
    assert croutons.classes(Role.OUTPUT) == ("QUint8CroutonTensor_TCM",)
    assert croutons.classes(Role.INPUT) == ("QUint8CroutonTensor_TCM", "Tensor", "Tensor")
    assert by_name["separable"].cost == "separable_cost"


def test_text_read_is_text_written(tmp_path: Path) -> None:
    path = ROOT / "docs" / "examples" / "max_pool_package" / "package.cpp"
    status, out, err = htp_opt.run(["--package", str(path), "-t", "cpp-package"])
    assert (status, err) == (0, "")
    (tmp_path / "again.cpp").write_text(out)
    assert load_cpp(tmp_path / "again.cpp")[0] == load_cpp(path)[0]


def test_which_package_is_said_or_clear(tmp_path: Path) -> None:
    two = [f"--package={SCALE}", f"--package={EXAMPLES[0]}", "-t"]
    status, out, err = htp_opt.run([*two, "cpp-package"])
    assert (status, out) == (1, "")
    assert err.startswith("cpp-package: 2 packages are in use\n  name one: cpp-package{package=")
    status, _, err = htp_opt.run([*two, "cpp-package{package=Gone}", "-o", str(tmp_path / "x")])
    assert (status, err.count("\n")) == (1, 2)
    assert not (tmp_path / "x").exists()
