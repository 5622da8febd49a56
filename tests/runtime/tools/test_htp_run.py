"""`htp-run`: files in, files out, summaries, streams."""

from pathlib import Path

import numpy as np
import pytest
from htp_mlir.runtime.tools.htp_run import run

from tests.support.faults import told

RELU = """
func.func @main(%x: tensor<2x3xf32> {htp.name = "x"}) -> (tensor<2x3xf32> {htp.name = "y"}) {
  %0 = qti_aisw.Relu(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
"""
GATHERED = """
func.func @main(%x: tensor<1xf32> {htp.name = "x"}, %r: tensor<i1> {htp.name = "reset"})
    -> (tensor<2xf32> {htp.name = "y"}, tensor<1xf32> {htp.name = "direct"}) {
  %0 = qti_aisw.Buffer(%x, reset = %r) {buffer_dim = 0 : i64, buffer_size = 2 : i64}
      : (tensor<1xf32>, tensor<i1>) -> tensor<2xf32>
  return %0, %x : tensor<2xf32>, tensor<1xf32>
}
"""
PICK = """
func.func @main(%i: tensor<1xi32> {htp.name = "i"}) -> (tensor<1xf32> {htp.name = "y"}) {
  %data = qti_aisw.Const dense<[5.0, 6.0]> : tensor<2xf32> -> tensor<2xf32>
  %0 = qti_aisw.Gather(%data, %i) {axis = 0 : i64}
      : (tensor<2xf32>, tensor<1xi32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("relu", RELU), ("gathered", GATHERED), ("pick", PICK)):
        (tmp_path / f"{name}.mlir").write_text(text)
    return tmp_path


def save(path: Path, **arrays: object) -> str:
    np.savez(path, **{name: np.asarray(array) for name, array in arrays.items()})
    return str(path)


def read(path: Path) -> dict[str, np.ndarray]:
    with np.load(path) as file:
        return {name: file[name] for name in file.files}


def test_inputs_and_outputs_are_files(folder: Path) -> None:
    x = np.array([[1, -2, 3], [-4, 5, -6]], np.float32)
    inputs = save(folder / "x.npz", x=x)
    outcome = run([str(folder / "relu.mlir"), "-i", inputs, "-o", str(folder / "y.npz"), "--check"])
    assert outcome == (0, "", "")
    np.testing.assert_array_equal(read(folder / "y.npz")["y"], np.maximum(x, 0))


def test_without_inputs_the_seed_decides(folder: Path) -> None:
    model = str(folder / "relu.mlir")
    one, same, other = (run([model, "--seed", seed]).out for seed in ("1", "1", "2"))
    assert one == same != other
    assert one.startswith("y: 2x3 float32, min 0, mean ")


def test_text_from_stdin(folder: Path) -> None:
    assert run(["-"], RELU).status == 0
    assert run(["-"], "nonsense").err.startswith("<stdin>:1:")


def test_a_stream_stacks_what_ran_and_tells_which_steps_did(folder: Path) -> None:
    inputs = save(folder / "x.npz", x=[[1.0], [2.0], [3.0]], reset=[False, False, False])
    args = [str(folder / "gathered.mlir"), "-i", inputs, "-o", str(folder / "y.npz")]
    assert run(args).status == 0
    out = read(folder / "y.npz")
    assert out["y"].tolist() == [[1, 2], [2, 3]]
    assert out["y.ran"].tolist() == [False, True, True]
    assert out["direct"].tolist() == [[1], [2], [3]]
    assert "direct.ran" not in out


def test_a_stream_without_any_output_keeps_its_shape(folder: Path) -> None:
    inputs = save(folder / "x.npz", x=[[1.0]], reset=[False])
    args = [str(folder / "gathered.mlir"), "-i", inputs, "-o", str(folder / "y.npz")]
    assert run(args).status == 0
    assert read(folder / "y.npz")["y"].shape == (0, 2)


def test_an_output_that_did_not_run_is_left_out(folder: Path) -> None:
    inputs = save(folder / "x.npz", x=[1.0], reset=False)
    assert run([str(folder / "gathered.mlir"), "-i", inputs]).out.startswith("direct: 1 float32")


def test_inputs_that_differ_in_their_steps_are_refused(folder: Path) -> None:
    inputs = save(folder / "x.npz", x=[[1.0], [2.0]], reset=[False])
    err = run([str(folder / "gathered.mlir"), "-i", inputs]).err
    assert "inputs differ in their number of steps: 'x' has 2, 'reset' has 1" in err


def test_state_goes_on_from_file_to_file(folder: Path) -> None:
    model, state = str(folder / "gathered.mlir"), str(folder / "s.npz")
    first = save(folder / "a.npz", x=[1.0], reset=False)
    second = save(folder / "b.npz", x=[2.0], reset=False)
    assert run([model, "-i", first, "--save-state", state]).status == 0
    args = [model, "-i", second, "--load-state", state, "-o", str(folder / "y.npz")]
    assert run(args).status == 0
    assert read(folder / "y.npz")["y"].tolist() == [1, 2]


def test_a_run_that_fails_writes_nothing(folder: Path) -> None:
    model, out = str(folder / "pick.mlir"), folder / "y.npz"
    out.write_bytes(b"as it was")
    bad = save(folder / "bad.npz", i=[7])
    outcome = run([model, "-i", bad, "-o", str(out), "--save-state", str(folder / "s.npz")])
    assert outcome.status == 1
    assert f"{model}:4:3: qti_aisw.Gather (op 1): " in told(outcome.err)[0]
    assert out.read_bytes() == b"as it was"
    assert not (folder / "s.npz").exists()


def test_a_step_that_fails_is_numbered(folder: Path) -> None:
    inputs = save(folder / "x.npz", i=[[0], [1], [7]])
    err = run([str(folder / "pick.mlir"), "-i", inputs]).err
    assert err.startswith(f"step 2: {folder / 'pick.mlir'}:4:3: qti_aisw.Gather")


def test_passes_are_applied_before_the_run(folder: Path) -> None:
    assert run([str(folder / "relu.mlir"), "-p", "canonicalize,dce,cse"]).status == 0
    err = run([str(folder / "relu.mlir"), "-p", "canonicalise"]).err
    assert "unknown pass 'canonicalise'" in err
    assert "did you mean 'canonicalize'?" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.mlir", "b.mlir"], "unrecognized arguments: b.mlir"),
        ([], "<stdin>: holds no text"),
        (["m.mlir"], "m.mlir: no such file"),
        (["relu.mlir", "-i", "none.npz"], "none.npz: No such file"),
        (["relu.mlir", "--dim", "batch"], "'batch' is no NAME=SIZE"),
        (["relu.mlir", "--seed", "-1"], "--seed"),
    ],
)
def test_faults_are_two_lines(folder: Path, monkeypatch, arguments, message) -> None:
    monkeypatch.chdir(folder)
    outcome = run(arguments)
    assert outcome.status == 1
    assert message in outcome.err
    assert len(outcome.err.splitlines()) == 2
