"""State at the allocated level: a run is a transaction, and state is a session's own."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.qti_aisw.choices import BufferMode
from htp_mlir.dialects.spec_of import Array
from htp_mlir.lowering import lower
from htp_mlir.runtime import Session
from htp_mlir.runtime.program.preparation import prepare
from xdsl.dialects.builtin import ModuleOp

from tests.support.faults import told
from tests.support.feeds import assert_same
from tests.support.graph import BOOL, I32, Graph, Model

SEQUENCE, HIDDEN = 3, 4
GOOD, BAD = 2, SEQUENCE + 1

Outputs = dict[str, Array | None]


@cache
def model() -> Model:
    """A buffer and a GRU side by side: the buffer has written when a wrong length stops the GRU."""
    graph = Graph()
    row = graph.input(1, 5)
    lengths = graph.input(1, of=I32, draw=lambda _: np.array([GOOD], np.int32))
    reset = graph.input(of=BOOL, draw=lambda _: np.asarray(False))
    mode = BufferMode.NON_BLOCKING_LEFT
    window = graph.op("Buffer", row, reset, buffer_size=4, buffer_dim=0, mode=mode)
    steps = graph.op("Reshape", graph.op("ElementWiseMultiply", window, window), shape=(4, 1, 5))
    taken = graph.op("StridedSlice", steps, ranges=(0, SEQUENCE, 1, 0, 1, 1, 0, 5, 1))
    weights = graph.weights(1, 3 * HIDDEN, 5), graph.weights(1, 3 * HIDDEN, HIDDEN)
    y, _ = graph.ops("StatefulGru", taken, *weights, None, lengths, None, reset, hidden_size=HIDDEN)
    graph.give("held", window)
    graph.give("y", y)
    return graph.model()


@cache
def allocated() -> ModuleOp:
    return lower(model().module, tcm_bytes=64 * 1024)


def feeds(step: int, length: int = GOOD) -> dict[str, Array]:
    return {**model().feeds(step), "x1": np.array([length], np.int32)}


@cache
def expected() -> list[Outputs]:
    session = Session(model().module)
    return [session.run(feeds(step)) for step in range(8)]


@pytest.mark.one_per("level")
@pytest.mark.parametrize("check", [False, True])
@pytest.mark.parametrize("level", ["graph", "native", "allocated"])
def test_a_run_that_fails_leaves_every_state(level: str, check: bool) -> None:
    module = model().module if level == "graph" else lower(model().module, level=level)
    session = Session(module, check=check)
    for step in range(4):
        assert_same(session.run(feeds(step)), expected()[step])
        with pytest.raises(HtpError, match=r"Gru.*4") as error:
            session.run(feeds(99, BAD))
        assert told(str(error.value))[1] == "  no output and no state was changed"


def test_a_first_run_that_fails_counts_for_nothing() -> None:
    session = Session(allocated())
    with pytest.raises(HtpError):
        session.run(feeds(99, BAD))
    assert_same(session.run(feeds(0)), expected()[0])


def test_sessions_of_one_program_keep_their_own_state() -> None:
    program = prepare(allocated())
    first, second = Session(program, check=True), Session(program)
    for step in range(6):
        assert_same(first.run(feeds(step)), expected()[step])
        if step >= 2:
            assert_same(second.run(feeds(step - 2)), expected()[step - 2])


@pytest.mark.parametrize("maker", ["native", "allocated"])
def test_saved_state_goes_on_in_another_session(tmp_path: Path, maker: str) -> None:
    session = Session(lower(model().module, level=maker))
    for step in range(5):
        session.run(feeds(step))
    session.save_state(tmp_path / "s.npz")
    other = Session(allocated(), check=True)
    other.run(feeds(77))
    other.load_state(tmp_path / "s.npz")
    for step in range(5, 8):
        assert_same(other.run(feeds(step)), expected()[step])


def test_state_of_another_model_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    graph = Graph()
    window = graph.op(
        "Buffer", graph.input(1), buffer_size=2, buffer_dim=0, mode=BufferMode.NON_BLOCKING_LEFT
    )
    graph.give("held", window)
    stranger = Session(lower(graph.model().module))
    stranger.run({"x0": np.ones(1, np.float32)})
    stranger.save_state(tmp_path / "s.npz")
    session = Session(allocated())
    session.run(feeds(0))
    with pytest.raises(HtpError, match="state"):
        session.load_state(tmp_path / "s.npz")
    assert_same(session.run(feeds(1)), expected()[1])


def test_reset_of_the_session_starts_again() -> None:
    session = Session(allocated())
    for step in range(4):
        session.run(feeds(step))
    session.reset()
    assert_same(session.run(feeds(0)), expected()[0])


def test_inputs_that_do_not_fit_change_nothing() -> None:
    session = Session(allocated())
    session.run(feeds(0))
    with pytest.raises(HtpError, match="x0"):
        session.run({**feeds(1), "x0": np.zeros((1, 6), np.float32)})
    assert_same(session.run(feeds(1)), expected()[1])
