"""State: kept between runs, reset, saved and loaded; a failed run leaves it as it was."""

from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.runtime import prepare
from htp_mlir.runtime.files.arrays import write_npz
from htp_mlir.runtime.session.session import Session
from htp_mlir.runtime.tools.loading import parse_module

SUM = """
htp.State @sum : tensor<1x1x1x2xf32>
func.func @main(%x: tensor<2xf32> {htp.name = "x"}, %r: tensor<i1> {htp.name = "reset"})
    -> (tensor<2xf32> {htp.name = "y"}) {
  %a = htp.Reshape(%x) : (tensor<2xf32>) -> tensor<1x1x1x2xf32>
  %b = htp.Reshape(%r) : (tensor<i1>) -> tensor<1x1x1x1xi1>
  %init = htp.Const dense<10.0> : tensor<1x1x1x2xf32> -> tensor<1x1x1x2xf32>
  %old = htp.StateRead @sum, %init, %b
      : tensor<1x1x1x2xf32>, tensor<1x1x1x1xi1> -> tensor<1x1x1x2xf32>
  %new = htp.Add(%old, %a)
      : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  htp.StateWrite @sum, %new : tensor<1x1x1x2xf32>
  %y = htp.Reshape(%new) : (tensor<1x1x1x2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
"""

FAILING = """
htp.State @sum : tensor<1x1x1x1xi32>
func.func @main(%i: tensor<1x1x1x1xi32> {htp.name = "i"})
    -> (tensor<1x1x1x1xf32> {htp.name = "y"}, tensor<1x1x1x1xi32> {htp.name = "old"}) {
  %a = htp.Reshape(%i) : (tensor<1x1x1x1xi32>) -> tensor<1x1x1x1xi32>
  %false = htp.Const dense<false> : tensor<1x1x1x1xi1> -> tensor<1x1x1x1xi1>
  %init = htp.Const dense<-1> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  %old = htp.StateRead @sum, %init, %false
      : tensor<1x1x1x1xi32>, tensor<1x1x1x1xi1> -> tensor<1x1x1x1xi32>
  htp.StateWrite @sum, %a : tensor<1x1x1x1xi32>
  %data = htp.Const dense<[[[[5.0, 6.0]]]]> : tensor<1x1x1x2xf32> -> tensor<1x1x1x2xf32>
  %axis = htp.Const dense<3> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  %g = htp.Gather(%data, %a, %axis)
      : (tensor<1x1x1x2xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x1x1x1xf32>
  %y = htp.Reshape(%g) : (tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  %z = htp.Reshape(%old) : (tensor<1x1x1x1xi32>) -> tensor<1x1x1x1xi32>
  return %y, %z : tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>
}
"""


def buffer(mode: str, size: int = 3, stride: int = 1, padding: int = 0) -> str:
    return f"""
func.func @main(%x: tensor<1xf32> {{htp.name = "x"}}, %r: tensor<i1> {{htp.name = "reset"}})
    -> (tensor<{size}xf32> {{htp.name = "y"}}, tensor<1xf32> {{htp.name = "direct"}}) {{
  %0 = qti_aisw.Buffer(%x, reset = %r) {{buffer_dim = 0 : i64, buffer_size = {size} : i64,
      stride = {stride} : i64, buffer_padding = {padding} : i64,
      mode = #qti_aisw.buffer_mode<{mode}>}}
      : (tensor<1xf32>, tensor<i1>) -> tensor<{size}xf32>
  %1 = qti_aisw.ElementWiseNeg(%0) : (tensor<{size}xf32>) -> tensor<{size}xf32>
  return %1, %x : tensor<{size}xf32>, tensor<1xf32>
}}
"""


def step(session: Session, value: float, reset: bool = False) -> list[float] | None:
    out = session.run({"x": np.full(session.inputs["x"].shape, value), "reset": reset})["y"]
    return None if out is None else out.tolist()


@pytest.mark.parametrize("check", [False, True])
def test_state_is_kept_from_run_to_run(check: bool) -> None:
    session = Session(parse_module(SUM), check=check)
    assert [step(session, 1.0) for _ in range(3)] == [[11, 11], [12, 12], [13, 13]]


def test_reset_as_an_input_and_as_a_method_go_back_to_init() -> None:
    session = Session(parse_module(SUM))
    step(session, 1.0)
    assert step(session, 2.0, reset=True) == [12, 12]
    session.reset()
    assert step(session, 3.0) == [13, 13]


def test_sessions_of_one_program_have_states_of_their_own() -> None:
    program = prepare(parse_module(SUM))
    one, other = Session(program), Session(program)
    step(one, 1.0)
    assert step(other, 5.0) == [15, 15]
    assert step(one, 1.0) == [12, 12]


@pytest.mark.parametrize("check", [False, True])
def test_a_failed_run_leaves_the_state_as_it_was(check: bool) -> None:
    session = Session(parse_module(FAILING), check=check)
    with pytest.raises(HtpError, match="9"):
        session.run({"i": [[[[9]]]]})
    assert session.run({"i": [[[[1]]]]})["old"].item() == -1
    with pytest.raises(HtpError, match="9"):
        session.run({"i": [[[[9]]]]})
    assert session.run({"i": [[[[0]]]]})["old"].item() == 1


def test_refused_inputs_leave_the_state_as_it_was() -> None:
    session = Session(parse_module(SUM))
    step(session, 1.0)
    with pytest.raises(HtpError, match="is missing"):
        session.run({"x": [1.0, 1.0]})
    assert step(session, 1.0) == [12, 12]


def test_saved_state_goes_on_in_another_session(tmp_path: Path) -> None:
    program = prepare(parse_module(SUM))
    one, other = Session(program), Session(program)
    step(one, 1.0)
    one.save_state(tmp_path / "s.npz")
    other.load_state(tmp_path / "s.npz")
    assert step(other, 1.0) == [12, 12]


def test_a_state_saved_before_the_first_run_is_none_again(tmp_path: Path) -> None:
    session = Session(parse_module(SUM))
    session.save_state(tmp_path / "s.npz")
    step(session, 1.0)
    session.load_state(tmp_path / "s.npz")
    assert step(session, 1.0) == [11, 11]


WRONG = [
    ({"sum": np.zeros((1, 1, 1, 2), np.float32)}, "is no file of saved states"),
    ({"htp.states": np.array(["other"])}, "has no state 'sum'"),
    (
        {"htp.states": np.array(["sum"]), "sum": np.zeros((2, 1), np.float32)},
        "state 'sum' is 2x1 float32, not 1x1x1x2 float32",
    ),
    (
        {"htp.states": np.array(["sum"]), "sum": np.zeros((1, 1, 1, 2), np.float64)},
        "state 'sum' is 1x1x1x2 float64, not 1x1x1x2 float32",
    ),
]


@pytest.mark.parametrize(("content", "message"), WRONG)
def test_a_file_that_does_not_fit_changes_nothing(tmp_path: Path, content, message: str) -> None:
    session = Session(parse_module(SUM))
    step(session, 1.0)
    write_npz(tmp_path / "s.npz", content)
    with pytest.raises(HtpError, match=message):
        session.load_state(tmp_path / "s.npz")
    assert step(session, 1.0) == [12, 12]


def test_pickled_and_broken_files_are_refused(tmp_path: Path) -> None:
    session = Session(parse_module(SUM))
    np.savez(tmp_path / "pickled.npz", **{"htp.states": np.array([{}], dtype=object)})
    (tmp_path / "broken.npz").write_bytes(b"PK\x03\x04 nothing")
    np.save(tmp_path / "one.npy", np.zeros(3))
    for name in ("pickled.npz", "broken.npz", "one.npy", "absent.npz"):
        with pytest.raises(HtpError, match=name):
            session.load_state(tmp_path / name)
    (tmp_path / "folder.npz").mkdir()
    with pytest.raises(HtpError, match="is not a file"):
        session.load_state(tmp_path / "folder.npz")


BLOCKING = {
    (1, 0): [None, None, [1, 2, 3], [2, 3, 4], [3, 4, 5]],
    (2, 0): [None, None, [1, 2, 3], None, [3, 4, 5]],
    (1, 2): [[0, 0, 1], [0, 1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 5]],
}


@pytest.mark.parametrize(("stride", "padding"), BLOCKING)
@pytest.mark.parametrize("check", [False, True])
def test_outputs_behind_a_blocking_buffer_are_none(stride: int, padding: int, check: bool) -> None:
    session = Session(parse_module(buffer("BLOCKING", 3, stride, padding)), check=check)
    for t, expected in enumerate(BLOCKING[stride, padding], start=1):
        out = session.run({"x": [t], "reset": False})
        assert out["direct"].tolist() == [t]
        values = None if out["y"] is None else (-out["y"]).tolist()
        assert values == expected


def test_a_reset_empties_a_blocking_buffer() -> None:
    session = Session(parse_module(buffer("BLOCKING", 2)))
    assert [step(session, 1.0), step(session, 2.0)] == [None, [-1, -2]]
    assert step(session, 3.0, reset=True) is None
    assert step(session, 4.0) == [-3, -4]


def test_stateful_ops_behind_a_blocking_buffer_wait_too() -> None:
    text = """
func.func @main(%x: tensor<1xf32> {htp.name = "x"}) -> (tensor<2xf32> {htp.name = "y"}) {
  %0 = qti_aisw.Buffer(%x) {buffer_dim = 0 : i64, buffer_size = 2 : i64, stride = 2 : i64}
      : (tensor<1xf32>) -> tensor<2xf32>
  %1 = qti_aisw.ReduceSum(%0) {axes = array<i64: 0>, keep_dims = true}
      : (tensor<2xf32>) -> tensor<1xf32>
  %2 = qti_aisw.Buffer(%1) {buffer_dim = 0 : i64, buffer_size = 2 : i64}
      : (tensor<1xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}"""
    session = Session(parse_module(text))
    outs = [session.run({"x": [t]})["y"] for t in range(1, 9)]
    assert [t for t, out in enumerate(outs, start=1) if out is not None] == [4, 6, 8]
    assert [out.tolist() for out in outs if out is not None] == [[3, 7], [7, 11], [11, 15]]


def test_graph_states_are_saved_and_named_by_op_and_role(tmp_path: Path) -> None:
    module = parse_module(buffer("BLOCKING", 2))
    one, other = Session(module), Session(module)
    step(one, 1.0)
    one.save_state(tmp_path / "s.npz")
    with np.load(tmp_path / "s.npz") as saved:
        assert set(saved.files) == {"htp.states", "Buffer0_content", "Buffer0_counters"}
    other.load_state(tmp_path / "s.npz")
    assert step(other, 2.0) == [-1, -2]
