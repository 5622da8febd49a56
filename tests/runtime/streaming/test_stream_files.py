"""`htp stream`: frames of files and pipes, fixed inputs, states, faults."""

import json
import wave
from pathlib import Path

import numpy as np
import pytest
from htp_mlir.lowering.tools import htp
from htp_mlir.runtime import Session, load_module

from ...support.faults import told
from ...support.paths import SPOTTER_MODEL

GAIN = """
func.func @main(%x: tensor<1x3xf32> {htp.name = "x"}, %g: tensor<1xf32> {htp.name = "gain"},
    %r: tensor<i1> {htp.name = "reset"}) -> (tensor<2x3xf32> {htp.name = "y"}) {
  %0 = qti_aisw.ElementWiseMultiply(%x, %g) : (tensor<1x3xf32>, tensor<1xf32>) -> tensor<1x3xf32>
  %1 = qti_aisw.Buffer(%0, reset = %r) {buffer_dim = 0 : i64, buffer_size = 2 : i64}
      : (tensor<1x3xf32>, tensor<i1>) -> tensor<2x3xf32>
  func.return %1 : tensor<2x3xf32>
}
"""
COUNTS = """
func.func @main(%x: tensor<2xi16> {htp.name = "x"}) -> (tensor<2xi16> {htp.name = "y"}) {
  %0 = qti_aisw.Reshape(%x) {shape = array<i64: 2>} : (tensor<2xi16>) -> tensor<2xi16>
  func.return %0 : tensor<2xi16>
}
"""
PICK = """
func.func @main(%i: tensor<1xi32> {htp.name = "i"}) -> (tensor<1xf32> {htp.name = "y"}) {
  %data = qti_aisw.Const dense<[5.0, 6.0]> : tensor<2xf32> -> tensor<2xf32>
  %0 = qti_aisw.Gather(%data, %i) {axis = 0 : i64}
      : (tensor<2xf32>, tensor<1xi32>) -> tensor<1xf32>
  func.return %0 : tensor<1xf32>
}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("gain", GAIN), ("counts", COUNTS), ("pick", PICK)):
        (tmp_path / f"{name}.mlir").write_text(text)
    np.save("x.npy", np.arange(9, dtype=np.float32))
    np.save("fours.npy", np.zeros((2, 4), np.float32))
    np.save("number.npy", np.float32(1))
    np.savez("gain.npz", gain=np.array([2], np.float32))
    np.savez("wrong.npz", gian=np.array([2], np.float32))
    Path("no.wav").write_text("no audio")
    return tmp_path


def outputs(arguments: list[str], stdin: bytes = b"") -> dict[int, list[object]]:
    """The output `y` by step, as JSON tells it."""
    outcome = htp.run([*arguments, "--json"], stdin)
    assert outcome.status == 0, outcome.err
    lines = map(json.loads, outcome.out.splitlines())
    return {line["step"]: line["outputs"]["y"] for line in lines}


@pytest.mark.parametrize("fixed", [["--const", "gain=2"], ["-i", "gain.npz"]])
def test_other_inputs_are_fixed_and_a_reset_is_false(fixed: list[str]) -> None:
    rows = outputs(["stream", "gain.mlir", "x.npy", *fixed])
    assert rows == {1: [[0, 2, 4], [6, 8, 10]], 2: [[6, 8, 10], [12, 14, 16]]}


def test_a_fixed_reset_keeps_the_buffer_from_filling() -> None:
    fixed = ["--const", "gain=1", "--const", "reset=true"]
    assert outputs(["stream", "gain.mlir", "x.npy", *fixed]) == {}


def test_rows_of_a_frame_need_not_be_flat() -> None:
    np.save("rows.npy", np.arange(9, dtype=np.float32).reshape(3, 1, 3))
    flat, rows = (
        htp.run(["stream", "gain.mlir", name, "-i", "gain.npz"]).out
        for name in ("x.npy", "rows.npy")
    )
    assert flat == rows


def test_audio_is_from_minus_one_to_one_for_floats_and_as_stored_for_integers() -> None:
    stored = np.array([-32768, 16384, 1, 0, 0, 0], "<i2")
    with wave.open("a.wav", "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        file.writeframes(stored.tobytes())
    rows = outputs(["stream", "gain.mlir", "a.wav", "-i", "gain.npz"])
    assert rows == {1: [[-2, 1, 2 / 32768], [0, 0, 0]]}
    assert outputs(["stream", "counts.mlir", "a.wav"])[0] == [-32768, 16384]


@pytest.mark.parametrize(("flags", "dtype"), [([], "<i2"), (["--dtype", "u8"], "u1")])
def test_raw_numbers_come_by_a_pipe(flags: list[str], dtype: str) -> None:
    data = np.arange(7).astype(dtype).tobytes()
    rows = outputs(["stream", "counts.mlir", "-", "--hop", "3", *flags], data)
    assert rows == {0: [0, 1], 1: [3, 4]}


def test_samples_without_a_frame_are_told() -> None:
    outcome = htp.run(["stream", "gain.mlir", "-", "-i", "gain.npz"], bytes(4 * 2))
    message = "<stdin>: has 2 samples, and no whole frame of 3\n  give a longer stream\n"
    assert outcome == (1, "", message)


def test_states_are_loaded_and_saved() -> None:
    np.save("a.npy", np.arange(6, dtype=np.float32))
    np.save("b.npy", np.arange(6, 9, dtype=np.float32))
    common = ["stream", "gain.mlir", "-i", "gain.npz"]
    whole = outputs([*common, "x.npy"])
    first = outputs([*common, "a.npy", "--save-state", "s.npz"])
    second = outputs([*common, "b.npy", "--load-state", "s.npz"])
    assert [*first.values(), *second.values()] == list(whole.values())


def test_the_keyword_spotter_hears_what_a_session_does() -> None:
    frames = np.random.default_rng(0).standard_normal((5, 40)).astype(np.float32)
    np.save("frames.npy", frames)
    outcome = htp.run(["stream", str(SPOTTER_MODEL), "frames.npy", "--json"])
    session = Session(load_module(SPOTTER_MODEL))
    for line, frame in zip(outcome.out.splitlines(), frames, strict=True):
        expected = session.run({"frame": frame.reshape(1, 1, 1, 40), "reset": False})
        for name, value in json.loads(line)["outputs"].items():
            np.testing.assert_array_equal(np.array(value, np.float32), expected[name])


def test_results_before_a_step_that_fails_are_printed() -> None:
    outcome = htp.run(
        ["stream", "pick.mlir", "-", "--save-state", "s.npz"],
        np.array([0, 1, 7], "<i4").tobytes(),
    )
    assert outcome.status == 1
    assert outcome.out == "step 0: y 5\nstep 1: y 6\n"
    assert told(outcome.err)[0].startswith("step 2: pick.mlir:4:3: qti_aisw.Gather")
    assert not Path("s.npz").exists()


GAINED = ["gain.mlir", "-i", "gain.npz"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*GAINED, "none.npy"], "none.npy: No such file"),
        ([*GAINED, "none.wav"], "none.wav: No such file"),
        ([*GAINED, "no.wav"], "no.wav: is no WAV file"),
        ([*GAINED, "gain.npz"], "'gain.npz' is no .wav or .npy file"),
        ([*GAINED, "number.npy"], "number.npy: holds a single number"),
        ([*GAINED, "fours.npy"], "a sample is 4, and input 'x' takes 1x3 of"),
        ([*GAINED, "x.npy", "--hop", "0"], "'0' is no number from 1 on"),
        ([*GAINED, "x.npy", "--dtype", "f32"], "--dtype: is for raw numbers on stdin"),
        ([*GAINED, "-", "--dtype", "f31"], "invalid choice: 'f31'"),
        ([*GAINED, "x.npy", "-o", "y.npz"], "unrecognized arguments: -o y.npz"),
        ([*GAINED, "y=x.npy"], "the model has no input 'y'"),
        ([*GAINED, "gain=x.npy"], "'gain' is fixed too"),
        (["gain.mlir", "x.npy"], "those that are free are 'x', 'gain'"),
        (["gain.mlir", "x=x.npy"], "input 'gain' has no value"),
        (["gain.mlir", "x=x.npy", "-i", "wrong.npz"], "'gian'"),
        (["gain.mlir", "x.npy", "--const", "gain=1,2"], "input 'gain': has shape 2"),
        (["counts.mlir", "x.npy"], "input 'x': has dtype float32"),
        (["-", "-"], "model and frames cannot both come from stdin"),
        (["x.npy", "gain.mlir"], "'gain.mlir' is no .wav or .npy file"),
        (["gain.mlir"], "the following arguments are required: [NAME=]FILE"),
    ],
)
def test_faults_are_two_lines(arguments: list[str], message: str) -> None:
    outcome = htp.run(["stream", *arguments])
    assert outcome.status == 1
    assert outcome.out == ""
    assert message in outcome.err
    assert len(outcome.err.splitlines()) == 2
