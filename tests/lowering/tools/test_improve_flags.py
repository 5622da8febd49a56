"""The flags of `htp quantize`: each does what the function of its name does."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from htp_mlir.lowering import load_module
from htp_mlir.lowering.quantization import (
    calibrate,
    correct_bias,
    equalize,
    outputs_of,
    quantize,
    read_encodings,
    sensitivities,
    with_f16,
)
from htp_mlir.lowering.quantization.measure import worst_ratio
from htp_mlir.lowering.tools import htp, htp_opt
from htp_mlir.runtime.tools.tool import ToolOutcome
from xdsl.dialects.builtin import ModuleOp

from tests.lowering.quantization.kit import Feeds, coarse, feeds_of, uneven
from tests.support.graph import Model
from tests.support.roundtrip import to_text


class Given:
    """A model as text and its inputs as a file, in a folder of their own."""

    def __init__(self, model: Model, folder: Path) -> None:
        self.feeds: Feeds = feeds_of(model)
        self.folder = folder
        (folder / "m.mlir").write_text(to_text(model.module))
        stacked = {name: np.stack([feed[name] for feed in self.feeds]) for name in self.feeds[0]}
        np.savez(folder / "x.npz", **stacked)
        self.module = load_module(folder / "m.mlir")

    def opt(self, *flags: str) -> ToolOutcome:
        words = [str(self.folder / "m.mlir"), "--inputs", str(self.folder / "x.npz")]
        outcome = htp.run(["quantize", *words, *flags])
        assert outcome.status == 0, outcome.err
        return outcome

    def result(self, *flags: str) -> ModuleOp:
        (self.folder / "q.mlir").write_text(self.opt(*flags).out)
        return load_module(self.folder / "q.mlir")

    def ratio(self, module: ModuleOp) -> float:
        return worst_ratio(outputs_of(self.module, self.feeds), outputs_of(module, self.feeds))


def test_equalize_scales_first_and_loses_less(tmp_path: Path) -> None:
    files = Given(uneven(), tmp_path)
    equal = files.module.clone()
    equalize(equal)
    expected = quantize(equal, calibrate(equal, files.feeds))
    result = files.result("--improve", "equalize")
    assert files.ratio(result) == pytest.approx(files.ratio(expected))
    assert files.ratio(result) > files.ratio(files.result()) + 10


def test_correct_bias_changes_the_biases_alone(tmp_path: Path) -> None:
    files = Given(uneven(), tmp_path)
    corrected, encodings = files.module.clone(), calibrate(files.module, files.feeds)
    assert correct_bias(corrected, files.feeds) == 1
    text = files.opt("--improve", "bias").out
    assert text.strip() == to_text(quantize(corrected, encodings)).strip()
    assert text != files.opt().out


def test_sensitivity_prints_each_op_worst_first(tmp_path: Path) -> None:
    files = Given(coarse(), tmp_path)
    *lines, _ = files.opt("--sensitivity").err.splitlines()
    rows = sensitivities(files.module, calibrate(files.module, files.feeds), files.feeds)
    assert lines == [f"{row.ratio:8.1f} dB  {row.op} '{row.tensor}'" for row in rows]
    assert re.fullmatch(r" +\d+\.\d dB  qti_aisw\.Sigmoid 'y'", lines[0])
    assert len(lines) == 3


def test_least_ratio_puts_ops_in_f16_and_says_which(tmp_path: Path) -> None:
    files = Given(coarse(), tmp_path)
    encodings = calibrate(files.module, files.feeds)
    least = sensitivities(files.module, encodings, files.feeds)[0].ratio + 6
    outcome = files.opt("--least-ratio", f"{least}")
    _, rows = with_f16(files.module, encodings, files.feeds, least)
    *lines, last = outcome.err.splitlines()
    assert lines == [f"f16: {row.op} '{row.tensor}'" for row in rows]
    names = ", ".join(f"'{row.tensor}'" for row in rows)
    assert last.endswith(f"{len(rows)} ops in f16: {names}")
    stated = re.match(r"calibrated: (\S+) dB, the worst op '.+' with \S+ dB, ", last)
    assert stated is not None
    mixed = files.result("--least-ratio", f"{least}")
    assert float(stated[1]) == pytest.approx(files.ratio(mixed), abs=0.06)
    assert files.ratio(mixed) >= least
    assert "{to = f16}" in outcome.out


@pytest.mark.parametrize(("version", "kind"), [("0.6.1", dict), ("1.0.0", list)])
def test_saved_encodings_turn_into_either_version(version: str, kind: type, tmp_path: Path) -> None:
    files, saved = Given(coarse(), tmp_path), tmp_path / "e.json"
    files.opt("--save-encodings", str(saved))
    content = json.loads(htp.run(["encodings", str(saved), "--encodings-version", version]).out)
    assert content["version"] == version
    assert isinstance(content["activation_encodings"], kind)
    assert read_encodings(saved) == calibrate(files.module, files.feeds)


def test_f16_is_in_the_saved_encodings(tmp_path: Path) -> None:
    files, saved = Given(coarse(), tmp_path), tmp_path / "e.json"
    mixed = files.opt("--least-ratio", "45", "--save-encodings", str(saved)).out
    assert '"dtype": "FLOAT"' in saved.read_text()
    passes = f'qti-quantize{{encodings="{saved}"}}'
    assert htp_opt.run([str(tmp_path / "m.mlir"), "-p", passes]).out == mixed


def test_a_ratio_out_of_reach_is_refused(tmp_path: Path) -> None:
    files = Given(coarse(), tmp_path)
    flags = ["--inputs", str(tmp_path / "x.npz"), "--least-ratio", "300"]
    outcome = htp.run(["quantize", str(files.folder / "m.mlir"), *flags])
    assert outcome.status == 1
    assert "300 is asked for" in outcome.err
