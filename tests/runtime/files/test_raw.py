"""Raw files and input lists as the vendor's runner takes and gives them."""

from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering.tools.htp import main as htp
from htp_mlir.runtime.files.arrays import read_input_list, read_results, write_results
from htp_mlir.runtime.files.budget import budget
from htp_mlir.runtime.tools.htp_run import run as htp_run

X = TensorSpec((2, 3), DType.Float32)
Q = TensorSpec((4,), DType.QUInt8, Quant((0.5,), (128,)))
INTS = TensorSpec((2,), DType.Int32)
MODEL = """func.func @main(%x: tensor<2x3xf32> {htp.name = "x"})
    -> (tensor<2x3xf32> {htp.name = "/act/y:0"}) {
  %y = qti_aisw.Relu(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
"""


def raw(path: Path, numbers: object, dtype: str = "<f4") -> Path:
    np.asarray(numbers, dtype).tofile(path)
    return path


def test_a_line_is_an_inference_and_numbers_are_f32(tmp_path: Path) -> None:
    for step in range(2):
        raw(tmp_path / f"x{step}", np.arange(6) + step)
        raw(tmp_path / f"q{step}", [-64.0, 0.0, 0.6, 99.0])
        raw(tmp_path / f"i{step}", [step, 7])
    lines = [f"i:=i{step} x:={tmp_path}/x{step} q:=q{step}" for step in range(2)]
    (tmp_path / "list.txt").write_text("\n".join(["%y", *lines, ""]))
    inputs = read_input_list(tmp_path / "list.txt", {"x": X, "q": Q, "i": INTS})
    np.testing.assert_array_equal(
        inputs["x"], np.arange(6).reshape(2, 3) + np.array([[[0]], [[1]]])
    )
    np.testing.assert_array_equal(inputs["q"], [[0, 128, 129, 255]] * 2)
    np.testing.assert_array_equal(inputs["i"], [[0, 7], [1, 7]])
    assert (inputs["q"].dtype, inputs["i"].dtype) == (np.uint8, np.int32)


def test_native_types_and_a_path_alone(tmp_path: Path) -> None:
    raw(tmp_path / "q", [1, 2, 3, 255], "u1")
    (tmp_path / "list.txt").write_text("q\n")
    inputs = read_input_list(tmp_path / "list.txt", {"q": Q})
    np.testing.assert_array_equal(inputs["q"], [[1, 2, 3, 255]])


@pytest.mark.parametrize("numbers", [[3, 7], [-1, 0], [0, 0], [2**31 - 1, 5]])
@pytest.mark.parametrize("dtype", ["<i4", "<f4"])
def test_integers_of_four_bytes_may_be_native(
    numbers: list[int], dtype: str, tmp_path: Path
) -> None:
    raw(tmp_path / "i", numbers, dtype)
    (tmp_path / "list.txt").write_text("i\n")
    inputs = read_input_list(tmp_path / "list.txt", {"i": INTS})
    np.testing.assert_array_equal(inputs["i"], [numbers])


def test_what_is_written_is_read(tmp_path: Path) -> None:
    specs = {"x": X, "layer/q:0": Q}
    outputs = {
        "x": np.arange(12, dtype=np.float32).reshape(2, 2, 3),
        "layer/q:0": np.array([[0, 128, 129, 255]], np.uint8),
        "layer/q:0.ran": np.array([False, True]),
    }
    write_results(tmp_path, outputs, specs)
    files = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.raw"))
    assert files == ["Result_0/x.raw", "Result_1/layer_q_0.raw", "Result_1/x.raw"]
    assert (tmp_path / "Result_1/layer_q_0.raw").stat().st_size == 16
    results = read_results(tmp_path, specs)
    np.testing.assert_array_equal(results["x"], outputs["x"])
    np.testing.assert_array_equal(results["layer/q:0"], [[-64, 0, 0.5, 63.5]])


FAULTS = {
    "size": ("x:=x", "x has 20 bytes, 2x3 takes 24 as f32"),
    "name": ("y:=x", "names y; the inputs are x"),
    "twice": ("x:=x x:=x", "names x, x; the inputs are x"),
    "path": ("x:=", "names x without a path; the inputs are x"),
    "file": ("x:=gone", "No such file"),
    "folder": ("x:=.", "Is a directory"),
    "nothing": ("# y", "lists no inference"),
}


@pytest.mark.parametrize("what", FAULTS)
def test_what_is_refused(what: str, tmp_path: Path) -> None:
    line, message = FAULTS[what]
    raw(tmp_path / "x", range(5))
    (tmp_path / "list.txt").write_text(f"{line}\n")
    with pytest.raises(HtpError) as caught:
        read_input_list(tmp_path / "list.txt", {"x": X})
    assert message in caught.value.lines()[0]
    assert len(caught.value.lines()) == 2


def test_a_file_that_is_named_again_is_held_to_the_budget(tmp_path: Path) -> None:
    raw(tmp_path / "x", range(6))
    (tmp_path / "list.txt").write_text("x\n" * 3)
    token = budget.set(47)
    try:
        with pytest.raises(HtpError, match=r"list\.txt: takes 48 bytes"):
            read_input_list(tmp_path / "list.txt", {"x": X})
    finally:
        budget.reset(token)
    assert read_input_list(tmp_path / "list.txt", {"x": X})["x"].shape == (3, 2, 3)


def test_a_run_of_a_list_and_its_comparison(tmp_path: Path) -> None:
    (tmp_path / "m.mlir").write_text(MODEL)
    x = np.random.default_rng(0).normal(size=(2, 2, 3)).astype(np.float32)
    for step in range(2):
        raw(tmp_path / f"x{step}", x[step])
    (tmp_path / "list.txt").write_text("x:=x0\nx:=x1\n")
    model, inputs = str(tmp_path / "m.mlir"), str(tmp_path / "list.txt")
    outcome = htp_run([model, "-i", inputs, "-o", str(tmp_path / "out")])
    assert (outcome.status, outcome.out, outcome.err) == (0, "", "")
    results = [
        np.fromfile(tmp_path / "out" / f"Result_{step}" / "_act_y_0.raw", "<f4") for step in (0, 1)
    ]
    np.testing.assert_array_equal(results, np.maximum(x, 0).reshape(2, 6))
    compared = htp.run(["compare", model, str(tmp_path / "out"), "-i", inputs])
    assert (compared.status, compared.err) == (0, "")
    raw(tmp_path / "out" / "Result_1" / "_act_y_0.raw", np.maximum(x[1], 0) + 0.5)
    compared = htp.run(["compare", model, str(tmp_path / "out"), "-i", inputs])
    assert compared.status == 1
    assert "1 of 1 tensors differ, the worst '/act/y:0'" in compared.err
    (tmp_path / "one.txt").write_text("x:=x0\n")
    compared = htp.run(["compare", model, str(tmp_path / "out"), "-i", str(tmp_path / "one.txt")])
    assert "have '/act/y:0' in two shapes" in compared.err
    compared = htp.run(["compare", model, str(tmp_path), "-i", inputs])
    assert "has no Result_0 with a file of /act/y:0" in compared.err
