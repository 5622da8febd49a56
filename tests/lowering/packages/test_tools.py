"""`--package` of htp-opt and htp-run, and what is installed."""

from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.packages import Packages, load_packages
from htp_mlir.lowering.tools import htp_opt
from htp_mlir.runtime import Session, parse_module
from htp_mlir.runtime.installed import environment, plugins
from htp_mlir.runtime.tools import htp_run

from tests.support.faults import told

from .scale_package import PACKAGE
from .test_package import NATIVE_TEXT

FILE = str(Path(__file__).parent / "scale_package.py")


def test_htp_opt_reads_and_rewrites_ops_of_a_package() -> None:
    status, out, err = htp_opt.run(["--package", FILE, "-p", "htp-rules"], NATIVE_TEXT)
    assert (status, err) == (0, "")
    assert "ScalePkg.ScaledRelu(" in out
    assert "htp.Abs(" in out
    assert "ScalePkg.Passed" not in out
    assert htp_opt.run(["--package", FILE], out)[:2] == (0, out)


def test_htp_run_runs_passes_and_kernels_of_a_package(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", x=np.array([[[[-1, 2, 3, -4]]]], np.float32))
    files = ["-i", str(tmp_path / "x.npz"), "-o", str(tmp_path / "y.npz")]
    status, _, err = htp_run.run(["--package", FILE, "-p", "htp-rules", *files], NATIVE_TEXT)
    assert (status, err) == (0, "")
    assert np.load(tmp_path / "y.npz")["y"].tolist() == [[[[0.0, 5.0, 7.5, 0.0]]]]


@pytest.mark.parametrize("tool", [htp_opt.run, htp_run.run], ids=["htp-opt", "htp-run"])
def test_a_package_that_is_missing_is_two_lines(tool: object) -> None:
    assert callable(tool)
    status, out, err = tool(["--package", "gone.py"], NATIVE_TEXT)
    assert (status, out) == (1, "")
    assert err == "gone.py: no such file\n  check the path and what may be done there\n"
    status, _, err = tool([], NATIVE_TEXT)
    assert status == 1
    problem, remedy = told(err)
    assert problem.endswith(":6:8: Operation ScalePkg.ScaledRelu is not registered")
    assert remedy == "  correct the name, or name its package by --package"
    # The package is there, and has no such op.
    status, _, err = tool(["--package", FILE], NATIVE_TEXT.replace("ScaledRelu", "Phantom"))
    problem, remedy = told(err)
    assert problem.endswith(":6:8: Operation ScalePkg.Phantom is not registered")
    assert remedy == "  correct the name, or declare it in ScalePkg"


def test_installed_packages_need_no_flag(monkeypatch: pytest.MonkeyPatch) -> None:
    packages = Packages().extended(PACKAGE)
    for module in ("tools.loading", "program.preparation"):
        monkeypatch.setattr(f"htp_mlir.runtime.{module}.installed", lambda: packages)
    module = parse_module(NATIVE_TEXT.replace("ScalePkg.Passed", "htp.Abs"))
    x = np.array([[[[-1, 2, 3, -4]]]], np.float32)
    result = Session(module).run({"x": x})["y"]
    assert result is not None
    assert result.tolist() == [[[[0.0, 5.0, 7.5, 0.0]]]]


class _Entry:
    dist = None
    name = "packages"

    def load(self) -> object:
        return load_packages


def test_the_environment_is_made_by_whoever_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    offered = {environment.PACKAGES: [_Entry()], environment.MAKERS: [_Entry()]}
    for module in (environment, plugins):
        monkeypatch.setattr(module, "entry_points", lambda group: offered.get(group, []))
    fresh = environment.installed.__wrapped__
    assert isinstance(environment.environment([FILE]), Packages)
    assert isinstance(fresh(), Packages)
    offered[environment.PACKAGES] = []
    assert isinstance(fresh(), environment.Plain)
    offered[environment.MAKERS] = []
    with pytest.raises(HtpError, match="nothing is installed that loads them"):
        environment.environment([FILE])
