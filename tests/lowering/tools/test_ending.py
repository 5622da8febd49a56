"""The line of each pass as it ends: before the passes behind it run, and on a terminal unasked."""

import sys
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path

import pytest
from htp_mlir.lowering.tools import htp_opt
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.transforms.dead_code_elimination import DeadCodeElimination

TEXT = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { func.return %x : tensor<2xf32> }"


class Terminal(StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_the_line_is_there_while_the_next_pass_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def apply(step: DeadCodeElimination, ctx: Context, op: ModuleOp) -> None:
        assert isinstance(sys.stderr, StringIO)
        seen.append(sys.stderr.getvalue())

    monkeypatch.setattr(DeadCodeElimination, "apply", apply)
    htp_opt.run(["-p", "cse,dce", "--follow-passes"], TEXT)
    assert [line.split()[1:] for line in seen[0].splitlines()] == [["s", "cse"]]


@pytest.mark.parametrize("stream", [Terminal, StringIO])
def test_times_follow_the_passes_on_a_terminal(stream: type[StringIO], tmp_path: Path) -> None:
    path, errors = tmp_path / "in.mlir", stream()
    path.write_text(TEXT)
    with redirect_stderr(errors):
        htp_opt.main.run_arguments(
            [str(path), "-p", "cse", "--time-passes", "-o", str(tmp_path / "out.mlir")]
        )
    assert (" s  cse\n" in errors.getvalue()) is errors.isatty()
