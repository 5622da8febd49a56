"""What a start costs: the version that each program says, and what an import loads."""

import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest
from htp_mlir.dialects.version import VERSION
from htp_mlir.lowering.tools import htp, htp_opt
from htp_mlir.runtime.tools import htp_run
from htp_mlir.runtime.tools.tool import ToolOutcome

from .support.paths import ROOT

VERSIONS = f" {VERSION}, xdsl {version('xdsl')}\n"


@pytest.mark.parametrize("flag", ["-v", "--version", "--vers"])
@pytest.mark.parametrize(
    ("name", "run"),
    [
        ("htp-opt", htp_opt.run),
        ("htp-run", htp_run.run),
        ("htp", htp.run),
    ],
)
def test_the_version_is_ours_and_that_of_xdsl(
    name: str, run: Callable[[list[str]], ToolOutcome], flag: str
) -> None:
    assert run([flag]) == (0, name + VERSIONS, "")


LIGHT = [
    ("lowering.tools.htp_opt", "--version"),
    ("lowering.tools.htp", "--version"),
    ("lowering.tools.htp", "--help"),
    ("runtime.tools.htp_run", "--version"),
    ("runtime.tools.htp_run", "--help"),
]


@pytest.mark.parametrize(("tool", "flag"), LIGHT)
def test_what_needs_no_work_imports_none_of_it(tool: str, flag: str) -> None:
    code = (
        "import sys\n"
        f"from htp_mlir.{tool} import run\n"
        f"outcome = run(['{flag}'])\n"
        "assert outcome.status == 0 and outcome.out.strip(), outcome\n"
        "ours = ('htp_mlir.runtime.session', 'htp_mlir.lowering.packages')\n"
        "heavy = ('onnx', 'numpy', 'xdsl.', *ours)\n"
        "print([name for name in sys.modules if name.startswith(heavy)])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_module_itself_tells_the_version(tmp_path: Path) -> None:
    """The folders are put where pyproject.toml maps them, as in a wheel."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (tmp_path / "htp_mlir").mkdir()
    for name, folder in project["tool"]["setuptools"]["package-dir"].items():
        _, _, part = name.partition(".")
        paths = [ROOT / folder] if part else (ROOT / folder).iterdir()
        for path in paths:
            (tmp_path / "htp_mlir" / path.name).symlink_to(path)
    done = subprocess.run(
        [sys.executable, "-c", "import htp_mlir; print(htp_mlir.__version__)"],
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == version("htp-mlir") == VERSION


HEAVY = ("onnx", "onnxruntime", "htp_mlir.lowering", "htp_mlir.runtime", "xdsl.transforms.")


def test_dialects_are_light_to_import() -> None:
    code = (
        "import sys\n"
        "from htp_mlir.dialects.text.universe import DIALECTS\n"
        "assert not [name for name in sys.modules if name.startswith('htp_mlir.dialects.htp')]\n"
        "names = [dialect().name for dialect in DIALECTS.all_dialects.values()]\n"
        "print(*names)\n"
        "print(*sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    names, loaded = done.stdout.splitlines()
    assert names.split() == ["qti_aisw", "htp", "quant"]
    assert [module for module in loaded.split() if module.startswith(HEAVY)] == []


@pytest.mark.slow
@pytest.mark.parametrize("extra", ["onnx", "ml_dtypes"])
def test_packages_are_known_without_extras(extra: str) -> None:
    code = (
        "import sys\n"
        "from htp_mlir.lowering.packages import Packages\n"
        f"print(('', 'Conv') in Packages().importers, '{extra}' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]
