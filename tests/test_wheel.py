"""The wheel, as `python -m build` makes it, in an environment that has nothing else of ours."""

import shutil
import sys
import zipfile
from pathlib import Path

import pytest
from htp_mlir.dialects.version import VERSION

from .support.environments import clean, run
from .support.paths import ROOT

pytestmark = pytest.mark.slow

FOLDERS = ("package", "dialects", "runtime", "lowering")
DEPENDENCIES = ("xdsl", "numpy", "pytest", "filecheck", "typing_extensions")
"""A module of each distribution that the wheel and its pytest plugin need."""
SDIST = "from setuptools.build_meta import build_sdist; print(build_sdist('dist'))"
MODEL = """func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = qti_aisw.Relu(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}
"""


@pytest.fixture(scope="module", name="wheel")
def _wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the source distribution of a copy of this folder."""
    source = tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for name in FOLDERS:
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    run(sys.executable, "-c", SDIST, folder=source)
    (sdist,) = (source / "dist").glob("*.tar.gz")
    options = ("--quiet", "--no-deps", "--no-index", "--no-build-isolation", "-w", "dist")
    run(sys.executable, "-m", "pip", "wheel", *options, sdist, folder=source)
    (wheel,) = (source / "dist").glob("*.whl")
    return wheel


@pytest.fixture(scope="module", name="programs")
def _programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a clean environment that the wheel is installed in."""
    folder = tmp_path_factory.mktemp("clean")
    programs = clean(folder / "environment", DEPENDENCIES)
    options = ("--quiet", "--no-deps", "--no-index", "--ignore-installed", "--no-compile")
    pip = (sys.executable, "-m", "pip", "--python", programs / "python")
    run(*pip, "install", *options, wheel, folder=folder)
    return programs


def test_the_wheel_has_every_file_and_no_other(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    packed = {name for name in names if not name.startswith(f"htp_mlir-{VERSION}.dist-info/")}
    ours = [
        path.relative_to(ROOT)
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    ]
    places = {Path("htp_mlir", *path.parts[path.parts[0] == "package" :]) for path in ours}
    assert {path.as_posix() for path in places} == packed


def test_what_runs_is_the_wheel(programs: Path, tmp_path: Path) -> None:
    code = "import htp_mlir; print(htp_mlir.__version__, htp_mlir.__file__)"
    version, _, place = run(programs / "python", "-c", code, folder=tmp_path).partition(" ")
    assert version == VERSION
    assert Path(place).is_relative_to(programs.parent)
    for name in ("htp-opt", "htp-run", "htp", "htp-package", "htp-sweep", "htp-gui", "htp-reduce"):
        said = run(programs / name, "--version", folder=tmp_path)
        assert said.startswith(f"{name} {VERSION}, xdsl ")


def test_a_module_is_lowered_and_run(programs: Path, tmp_path: Path) -> None:
    lowered = run(programs / "htp-opt", "-p", "htp-lower", folder=tmp_path, stdin=MODEL)
    assert "htp.Relu" in lowered
    (tmp_path / "lowered.mlir").write_text(lowered)
    printed = run(programs / "htp-run", "lowered.mlir", "--check", folder=tmp_path)
    assert "2x3 float32" in printed


@pytest.mark.parametrize("flags", [[], ["--cpp"]], ids=["python", "cpp"])
def test_a_new_package_is_written_and_lowered(
    flags: list[str], programs: Path, tmp_path: Path
) -> None:
    run(programs / "htp", "package", "new", "Mine", "--op", "Scale", *flags, folder=tmp_path)
    package = ("--package", "Mine/package.py")
    words = (*package, "Mine/model.mlir", "-p", "htp-lower", "-o", "lowered.mlir")
    run(programs / "htp-opt", *words, folder=tmp_path)
    run(programs / "htp-run", *package, "lowered.mlir", "--check", folder=tmp_path)


def test_the_pytest_plugin_runs_tests(programs: Path, tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\nhtp_mlir = true\n")
    check = "// RUN: htp-opt %s -p htp-lower | filecheck %s\n// CHECK: htp.Relu\n"
    (tmp_path / "relu.mlir").write_text(check + MODEL)
    printed = run(programs / "python", "-m", "pytest", "-q", folder=tmp_path)
    assert "1 passed" in printed
