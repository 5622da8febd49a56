"""Every tensor of a run, at every level: names, values, tolerances, files, comparisons."""

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering import load_module, lower
from htp_mlir.lowering.tools import htp, htp_opt
from htp_mlir.runtime import Session, parse_module
from htp_mlir.runtime.probe.compare import best_difference, compare, node_difference
from htp_mlir.runtime.probe.recording import (
    Recording,
    TensorRecorder,
    difference,
    read_recording,
    tolerance_of,
    write_recording,
)
from htp_mlir.runtime.tools.summary import random_inputs
from xdsl.dialects.builtin import ModuleOp

from tests.support.paths import SPOTTER_MODEL

LEVELS = ("graph", "native", "placed", "allocated")


@cache
def recorded(level: str) -> Recording:
    """The keyword spotter at a level, with so little TCM that ops are cut."""
    graph = load_module(SPOTTER_MODEL)
    module = graph if level == "graph" else lower(graph, tcm_bytes=64 * 1024, level=level)
    recorder = TensorRecorder()
    session = Session(module, observers=[recorder])
    session.run(random_inputs(session.inputs, 0))
    return recorder.recording()


@pytest.mark.one_per
@pytest.mark.parametrize("level", LEVELS[1:])
def test_the_nodes_of_every_level_agree(level: str) -> None:
    result = compare(recorded(level), recorded("graph"))
    assert result.faults == ()
    names = {row.name for row in result.rows}
    assert {"spotter.gru", "spotter.attend", "node_softmax", "probabilities"} <= names


def test_a_node_that_differs_is_first() -> None:
    graph = recorded("graph")
    wrong = {**graph.arrays, "spotter.gru": graph.arrays["spotter.gru"] + 1}
    result = compare(Recording(wrong, graph.tolerances), recorded("native"))
    assert [row.name for row in result.faults] == ["spotter.gru"]
    assert result.text().splitlines()[1].startswith("differs")


def module(body: str) -> ModuleOp:
    return parse_module(
        f'func.func @main(%x: tensor<2x3xf32> {{htp.name = "x"}}) -> tensor<2x3xf32> {{\n{body}\n}}'
    )


BODY = """
  %0 = qti_aisw.Relu(%x) {htp.name = "n"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = qti_aisw.Relu(%0) {htp.name = "n"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = qti_aisw.Reshape(%1) {shape = array<i64: 6>} : (tensor<2x3xf32>) -> tensor<6xf32>
  %3 = qti_aisw.Tanh(%2) : (tensor<6xf32>) -> tensor<6xf32>
  %4 = qti_aisw.Reshape(%3) {shape = array<i64: 2, 3>} : (tensor<6xf32>) -> tensor<2x3xf32>
  func.return %4 : tensor<2x3xf32>
"""


def test_names_are_of_nodes_and_views_have_values_too() -> None:
    recorder = TensorRecorder()
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    Session(module(BODY), observers=[recorder]).run({"x": x})
    arrays = recorder.recording().arrays
    assert [*arrays] == [
        *("result0", "x", "n|qti_aisw.Relu", "n", "|qti_aisw.Reshape", "|qti_aisw.Tanh"),
    ]
    np.testing.assert_array_equal(arrays["|qti_aisw.Reshape"], np.arange(6))
    np.testing.assert_allclose(arrays["result0"], np.tanh(x), rtol=1e-6)


def test_a_file_keeps_names_values_and_tolerances(tmp_path: Path) -> None:
    write_recording(tmp_path / "a.npz", recorded("native"))
    again = read_recording(tmp_path / "a.npz")
    assert again.tolerances == recorded("native").tolerances
    for name, array in recorded("native").arrays.items():
        np.testing.assert_array_equal(again.arrays[name], array)


def test_a_file_of_others_is_compared_by_dtype(tmp_path: Path) -> None:
    half = np.ones(3, np.float16)
    np.savez(tmp_path / "a.npz", h=half, f=np.ones(3, np.float32), i=np.ones(3, np.int32))
    assert read_recording(tmp_path / "a.npz").tolerances == {"h": 4e-3, "f": 1e-5, "i": 0.0}


@pytest.mark.parametrize(
    ("dtype", "quant", "allowed"),
    [
        (DType.Float32, None, 1e-5),
        (DType.Float16, None, 4e-3),
        (DType.Int32, None, 0.0),
        (DType.Bool8, None, 0.0),
        (DType.QUInt8, Quant((0.1,), (0,)), 2 / 255),
        (DType.QInt16, Quant((0.1,), (0,)), 2 / 65535),
    ],
)
def test_tolerances_by_dtype(dtype: DType, quant: Quant | None, allowed: float) -> None:
    assert tolerance_of(TensorSpec((2,), dtype, quant)) == allowed


def test_a_tensor_is_as_exact_as_what_it_is_computed_from() -> None:
    text = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = qti_aisw.Cast(%x) {to = f16} : (tensor<4xf32>) -> tensor<4xf16>
      %1 = qti_aisw.Cast(%0) {to = f32} : (tensor<4xf16>) -> tensor<4xf32>
      func.return %1 : tensor<4xf32>
    }"""
    recorder = TensorRecorder()
    session = Session(parse_module(text), observers=[recorder])
    session.run(random_inputs(session.inputs, 0))
    assert recorder.recording().tolerances["arg0"] == 1e-5
    assert recorder.recording().tolerances["result0"] == 4e-3


def test_the_worst_element_is_told() -> None:
    wanted = np.array([[1.0, 2.0], [3.0, -4.0]])
    array = wanted + np.array([[0, 1e-6], [0.5, 0.25]])
    result = difference(array, wanted, 1e-5)
    assert (result.place, result.error, result.count) == ((1, 0), 0.5, 2)
    assert result.allowed == pytest.approx(4e-5)
    assert str(result) == "by 0.5 at [1, 0] of 2x2: 3.5 is not 3; allowed is 4e-05"


@pytest.mark.parametrize(
    ("one", "other", "is_fault"),
    [
        ([np.nan], [np.nan], False),
        ([np.inf], [np.inf], False),
        ([np.inf], [-np.inf], True),
        ([np.nan], [1.0], True),
        ([0.0], [1e-30], True),
        ([], [], False),
    ],
)
def test_what_is_no_number(one: list[float], other: list[float], is_fault: bool) -> None:
    assert difference(np.array(one), np.array(other), 1e-5).is_fault is is_fault


def test_dims_may_be_in_another_order() -> None:
    wanted = np.random.default_rng(0).standard_normal((1, 2, 3, 4))
    moved = best_difference(wanted.transpose(0, 2, 3, 1), wanted, 1e-5)
    assert moved is not None
    assert not moved.is_fault
    wrong = best_difference(wanted.transpose(0, 2, 3, 1) + 1, wanted, 1e-5)
    assert wrong is not None
    assert wrong.is_fault
    assert best_difference(wanted, np.zeros((2, 3)), 1e-5) is None


def test_a_node_may_be_in_parts() -> None:
    left, right, wrong = (np.full(4, value) for value in (1.0, 2.0, 3.0))
    assert str(node_difference([left, right], [right, left], 1e-5)).startswith("by 0 at")
    worst = node_difference([wrong, right], [left, right], 1e-5)
    assert worst is not None
    assert (worst.is_fault, worst.error) == (True, 2.0)
    assert node_difference([left], [np.ones(3)], 1e-5) is None


def test_inner_tensors_are_joined_where_the_names_are_the_same() -> None:
    one = Recording({"n": np.ones(2), "n|htp.Pad": np.ones(2)}, {"n": 1e-5, "n|htp.Pad": 1e-5})
    more = Recording({**one.arrays, "m": np.ones(2)}, {**one.tolerances, "m": 1e-5})
    assert [row.name for row in compare(one, one).rows] == ["n", "n|htp.Pad"]
    assert [row.name for row in compare(one, more).rows] == ["n"]
    assert compare(one, more).there == ("m",)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["compare", "a.npz", "relu.mlir"], "is a model, and there are no inputs"),
        (["run", "a.npz"], "holds tensors, and nothing says"),
        (["probe", "a.npz", "b.npz"], "holds tensors, and nothing says"),
        (["compare", "relu.mlir", "a.npz", "--tolerance", "-1"], "'-1' is no number from 0 on"),
        (["compare", "relu.mlir", "none.npz"], "none.npz: No such file"),
        (["compare", "relu.mlir", "none.mlir"], "none.mlir: no such file"),
        (["compare", "text.npz", "text.npz"], "'x' has no real numbers, but <U1"),
        (["compare", "a.npz", "complex.npz"], "'x' has no real numbers, but complex128"),
        (["compare", "relu.mlir", "a.npz"], "have no tensor of one name"),
        (["probe", "relu.mlir", "relu.mlir"], "'relu.mlir' is what the command reads"),
        (["probe", "relu.mlir", "a.npz", "--resources-from", "a.npz"], "the command reads"),
    ],
)
def test_faults_are_two_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flags: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    relu = BODY.replace('"n"', '"m"')
    text = f"func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {{\n{relu}\n}}"
    Path("relu.mlir").write_text(text)
    np.savez("a.npz", other=np.ones(2))
    np.savez("text.npz", x=np.array(["a"]))
    np.savez("complex.npz", x=np.array([1j]))
    status, out, err = htp.run(flags)
    assert (status, out) == (1, "")
    assert message in err
    assert len(err.splitlines()) == 2


def test_a_stream_is_compared_step_by_step(tmp_path: Path) -> None:
    graph = str(SPOTTER_MODEL)
    frames = np.random.default_rng(0).standard_normal((3, 1, 1, 1, 40)).astype(np.float32)
    np.savez(tmp_path / "x.npz", frame=frames, reset=np.array([False] * 3))
    flags = ["-i", str(tmp_path / "x.npz")]
    status, out, _ = htp.run(["compare", graph, graph, *flags, "-p", "htp-lower"])
    assert status == 0
    assert re.search(r" of 3x1x1x1x48 +spotter\.gru\n", out)


LOCATED = """func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = qti_aisw.Relu(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32> loc("n")
  %1 = qti_aisw.Tanh(%0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %1 : tensor<2x3xf32>
}"""


@pytest.mark.parametrize("flags", [["--print-debuginfo"], []])
def test_text_without_nodes_is_compared_by_its_outputs(tmp_path: Path, flags: list[str]) -> None:
    graph, lowered = str(tmp_path / "graph.mlir"), str(tmp_path / "lowered.mlir")
    Path(graph).write_text(LOCATED)
    assert htp_opt.run([graph, "-p", "htp-lower", "-o", lowered, *flags]).status == 0
    status, out, err = htp.run(["compare", lowered, graph])
    assert status == 0
    assert re.search(r"of 2x3 +result0\n", out)
    assert bool(re.search(r"2x3 +n\n", out)) is bool(flags)
    assert ("is printed with --print-debuginfo" in err) is (not flags)


@pytest.mark.slow
def test_text_without_nodes_is_told_beside_several_outputs(tmp_path: Path) -> None:
    lowered, located = str(tmp_path / "lowered.mlir"), str(tmp_path / "located.mlir")
    htp_opt.run([str(SPOTTER_MODEL), "-p", "htp-lower", "-o", lowered])
    htp_opt.run([str(SPOTTER_MODEL), "-p", "htp-lower", "--print-debuginfo", "-o", located])
    told = htp.run(["compare", lowered, str(SPOTTER_MODEL)])
    assert told.err.startswith(f"note: most tensors of {lowered} are of no node")
    assert htp.run(["compare", located, str(SPOTTER_MODEL)]).err == ""
