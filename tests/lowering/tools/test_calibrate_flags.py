"""`htp quantize`: a quantised module, its encodings beside it, and what is refused."""

from pathlib import Path

import numpy as np
import pytest
from htp_mlir.lowering.tools import htp, htp_opt
from htp_mlir.runtime.tools.tool import ToolOutcome

MODEL = """
func.func @main(%x: tensor<1x4xf32> {htp.name = "x"}) -> (tensor<1x4xf32> {htp.name = "y"}) {
  %y = qti_aisw.Sigmoid(%x) : (tensor<1x4xf32>) -> tensor<1x4xf32>
  func.return %y : tensor<1x4xf32>
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "m.mlir").write_text(MODEL)
    np.savez(tmp_path / "x.npz", x=np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 1, 4))
    return tmp_path


def quantize(folder: Path, *flags: str) -> ToolOutcome:
    return htp.run(["quantize", str(folder / "m.mlir"), *flags])


def test_the_saved_encodings_give_the_same_module(folder: Path) -> None:
    feeds, saved = str(folder / "x.npz"), folder / "e.json"
    direct = quantize(folder, "--inputs", feeds, "--save-encodings", str(saved))
    assert direct.status == 0, direct.err
    assert "qti_aisw.Sigmoid(%0) : (tensor<1x4x!quant.uniform<u8:f32, " in direct.out
    read = htp_opt.run([str(folder / "m.mlir"), "-p", f'qti-quantize{{encodings="{saved}"}}'])
    assert read.out == direct.out


@pytest.mark.parametrize("flags", [("--activations", "u16"), ("--activations", "i8")])
def test_another_type_of_activations(folder: Path, flags: tuple[str, str]) -> None:
    text = quantize(folder, "--inputs", str(folder / "x.npz"), *flags).out
    assert f"!quant.uniform<{flags[1]}:f32, " in text


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--activations", "u16"], "the following arguments are required: --inputs"),
        (["--inputs", "{}/no.npz"], "no.npz: No such file or directory"),
        (["--inputs", "{}/x.npz", "--calibration-method", "mae"], "known are min-max"),
        (["--inputs", "{}/x.npz", "--improve", "all"], "'all'"),
    ],
)
def test_what_is_refused(folder: Path, flags: list[str], message: str) -> None:
    outcome = quantize(folder, *(flag.format(folder) for flag in flags))
    assert outcome.status == 1
    assert message in outcome.err
    assert len(outcome.err.splitlines()) == 2


def test_a_run_that_fails_saves_no_encodings(folder: Path) -> None:
    saved = folder / "e.json"
    flags = ["--inputs", str(folder / "x.npz"), "--save-encodings", str(saved)]
    assert quantize(folder, *flags, "-p", "htp-lower{soc=none}").status == 1
    assert not saved.exists()
