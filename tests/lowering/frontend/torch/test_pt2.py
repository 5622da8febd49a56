"""Files of torch.export on the command line: lowered, kept ops run by PyTorch, what is refused."""

from pathlib import Path

import numpy as np
import pytest
import torch
from htp_mlir.lowering.tools.htp_opt import main as htp_opt
from htp_mlir.runtime.tools.htp_run import main as htp_run
from torch import Tensor, nn
from torch.export import Dim, export, save

WARNINGS = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
pytestmark = [WARNINGS, pytest.mark.needs("torch")]
X = torch.linspace(-1, 1, 6).reshape(2, 3)


class Bessel(nn.Module):
    """An op that nothing converts."""

    def forward(self, x: Tensor) -> dict[str, Tensor]:
        return {"y": torch.special.i1(x).relu()}


class Relu(nn.Module):
    def forward(self, x: Tensor) -> dict[str, Tensor]:
        return {"y": x.relu()}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    save(export(Bessel(), (X,)), "bessel.pt2")
    save(export(Relu(), (X,), dynamic_shapes={"x": {0: Dim("batch")}}), "relu.pt2")
    np.savez("x.npz", x=X.numpy())
    return tmp_path


def test_a_program_is_lowered_and_run(folder: Path) -> None:
    lowered = htp_opt.run(["relu.pt2", "--dim", "x:0=2", "-p", "htp-lower", "-o", "relu.mlir"])
    assert lowered.status == 0, lowered.err
    for model in (["relu.mlir"], ["relu.pt2", "--dim", "x:0=2"]):
        assert htp_run.run([*model, "-i", "x.npz", "-o", "y.npz", "--check"]).status == 0
        assert np.array_equal(np.load("y.npz")["y"], X.relu().numpy())


def test_an_op_that_nothing_converts_is_kept_and_run_by_pytorch(folder: Path) -> None:
    kept = htp_opt.run(["bessel.pt2", "--fallback", "-o", "bessel.mlir"])
    assert kept.status == 0, kept.err
    assert 'op_type = "aten.special_i1.default"' in Path("bessel.mlir").read_text()
    wanted = Bessel()(X)["y"].numpy()
    for model in ("bessel.pt2", "bessel.mlir"):
        outcome = htp_run.run([model, "--fallback", "-i", "x.npz", "-o", "y.npz"])
        assert outcome.status == 0, outcome.err
        np.testing.assert_allclose(np.load("y.npz")["y"], wanted, rtol=1e-6)


@pytest.mark.one_per
@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["bessel.pt2"], "the op has no conversion"),
        (["bessel.pt2", "--fallback", "-p", "htp-lower"], "kept by fallback"),
        (["relu.pt2"], "dim 'x:0' of input 'x': has no size"),
        (["relu.pt2", "--dim", "x:0=2", "--const", "x=1"], "has its inputs open"),
        (["broken.pt2"], "torch.export cannot load it"),
        (["absent.pt2"], "no such file"),
        (["empty.onnx", "--fallback"], "a .onnx file has no ops that can be kept"),
        (["relu.mlir", "--fallback"], "text has its ops already"),
    ],
)
def test_what_is_refused(folder: Path, argv: list[str], message: str) -> None:
    Path("broken.pt2").write_bytes(b"no archive")
    Path("empty.onnx").write_bytes(b"")
    Path("relu.mlir").write_text("builtin.module {}")
    outcome = htp_opt.run(argv)
    assert outcome.status == 1
    assert message in outcome.err
    assert "Traceback" not in outcome.err
