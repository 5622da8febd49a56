"""A live stream in a process of its own: a pipe that stays open, Ctrl-C, a reader that goes."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

MODEL = """
func.func @main(%x: tensor<1xf32> {htp.name = "x"}) -> (tensor<2xf32> {htp.name = "y"}) {
  %0 = qti_aisw.Buffer(%x) {buffer_dim = 0 : i64, buffer_size = 2 : i64}
      : (tensor<1xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
"""
PROGRAM = """
import signal
from htp_mlir.lowering.tools.htp import main
signal.signal(signal.SIGINT, signal.default_int_handler)
main()
"""
"""The command, with the handler that a process in the background does not get."""


@contextmanager
def streaming(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that takes numbers on stdin and keeps its states."""
    (folder / "m.mlir").write_text(MODEL)
    command = [sys.executable, "-c", PROGRAM, "stream", "m.mlir", "-", "--save-state", "s.npz"]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, cwd=folder, bufsize=0, **pipes) as process:
        try:
            yield process
        finally:
            process.kill()


def feed(process: subprocess.Popen[bytes], *numbers: float) -> None:
    process.stdin.write(np.array(numbers, "<f4").tobytes())


def kept(folder: Path) -> list[float]:
    with np.load(folder / "s.npz") as states:
        return states["Buffer0_content"].tolist()


def test_results_come_with_their_frames_and_ctrl_c_keeps_the_states(tmp_path: Path) -> None:
    with streaming(tmp_path) as process:
        feed(process, 1, 2)
        assert process.stdout.readline() == b"step 1: y 1 2\n"
        feed(process, 3)
        assert process.stdout.readline() == b"step 2: y 2 3\n"
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
        assert (process.stdout.read(), process.stderr.read()) == (b"", b"")
    assert kept(tmp_path) == [2, 3]


@pytest.mark.slow
def test_a_reader_that_goes_away_ends_the_stream(tmp_path: Path) -> None:
    with streaming(tmp_path) as process:
        feed(process, 1, 2)
        process.stdout.readline()
        process.stdout.close()
        feed(process, 3)
        assert process.wait() == 1
        assert process.stderr.read() == b""
    assert kept(tmp_path) == [2, 3]
