"""A folder with small models, in which the tests of sweeps run."""

from pathlib import Path

import pytest

from ...support.tool_files import RELU, WEIGHTED


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "relu.mlir").write_text(RELU)
    (tmp_path / "weighted.mlir").write_text(WEIGHTED)
    (tmp_path / "bad.mlir").write_text(RELU.replace("Relu", "Rleu"))
    monkeypatch.chdir(tmp_path)
    return tmp_path
