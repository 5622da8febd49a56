"""What all tools share: two lines for a fault, exit status 1, a traceback only on request."""

import argparse
import sys
from collections.abc import Callable, Sequence
from os import openpty
from pathlib import Path

import pytest
from htp_mlir.dialects.diagnostics import Fault, HtpError
from htp_mlir.runtime.tools.loading import parse_module
from htp_mlir.runtime.tools.tool import Tool, run_in_process, write_text
from htp_mlir.runtime.tools.verbs import ToolParser
from xdsl.utils.arg_spec import parse_pipeline
from xdsl.utils.exceptions import VerifyException


def raising(error: BaseException) -> Callable[[Sequence[str]], None]:
    def main(argv: Sequence[str]) -> None:
        raise error

    return main


def test_a_tool_that_succeeds() -> None:
    outcome = run_in_process(lambda argv: print(*argv, sys.stdin.read()), ["a"], "text")
    assert outcome == (0, "a text\n", "")


COMMANDS = "name\x1b]0;title\x07\x9b2J"
SHOWN = "name?]0;title??2J"


def test_a_terminal_gets_colours_and_no_command_of_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, its = openpty()
    with open(ours, "rb", buffering=0) as shown, open(its, "w", encoding="utf-8") as out:
        monkeypatch.setattr(sys, "stdout", out)
        tool = Tool("tool", lambda argv: print(f"\x1b[31mred\x1b[0m {COMMANDS}"))
        monkeypatch.setattr(sys, "argv", ["tool"])
        with pytest.raises(SystemExit):
            tool()
        assert shown.read(99).decode() == f"\x1b[31mred\x1b[0m {SHOWN}\r\n"


def test_no_fault_has_a_command_for_terminals() -> None:
    fault = Fault(COMMANDS, COMMANDS, COMMANDS, [COMMANDS])
    assert "\n".join([fault.line(), *fault.lines()]) == (
        f"{SHOWN}: {SHOWN}; {SHOWN}\n{SHOWN}: {SHOWN}\n  {SHOWN}\n{SHOWN}"
    )


CASES = [
    (HtpError(Fault("model", "is odd", "mend it")), ["model: is odd", "  mend it"]),
    (HtpError(Fault("m" * 9999, "is odd", "mend it")), [f"{'m' * 1000}...: is odd", "  mend it"]),
    (
        FileNotFoundError(2, "No such file or directory", "m.mlir"),
        ["m.mlir: No such file or directory", "  check the path and what may be done there"],
    ),
    (
        VerifyException("htp.Add: has 1 operand"),
        ["error: htp.Add: has 1 operand", "  correct the module or the passes before"],
    ),
    (RecursionError("deep"), ["error: is nested too deeply", "  flatten it"]),
    (
        MemoryError(),
        ["error: does not fit into memory", "  use smaller constants or tensors"],
    ),
    (
        KeyError("x"),
        ["internal error: KeyError: 'x'", "  run with --debug to see where"],
    ),
]


@pytest.mark.parametrize(("error", "lines"), CASES)
def test_every_error_is_two_lines_and_status_one(error: Exception, lines: list[str]) -> None:
    outcome = run_in_process(raising(error), [])
    assert (outcome.status, outcome.out) == (1, "")
    assert outcome.err.splitlines() == lines


def test_several_faults_are_counted_and_listed() -> None:
    faults = [Fault(f"op {number}", "is odd", "make it even") for number in range(12)]
    lines = run_in_process(raising(HtpError(*faults)), []).err.splitlines()
    assert lines[0] == "12 errors:"
    assert lines[-1] == "  ... and 2 more"
    assert len(lines) == 12


def test_debug_shows_the_traceback() -> None:
    shown = run_in_process(raising(ValueError("boom")), ["--debug"]).err
    assert "Traceback" in shown
    assert shown.splitlines()[-2] == "internal error: ValueError: boom"


def test_a_parse_error_and_a_pipeline_error_are_short() -> None:
    def parse(argv: Sequence[str]) -> None:
        parse_module("%0 = nothing")

    def pipeline(argv: Sequence[str]) -> None:
        list(parse_pipeline("a{"))

    assert run_in_process(parse, []).err.startswith("<text>:1:")
    outcome = run_in_process(pipeline, [])
    assert outcome.status == 1
    assert len(outcome.err.splitlines()) == 2


@pytest.mark.parametrize("parser", [argparse.ArgumentParser, ToolParser])
def test_wrong_arguments_are_status_one_and_two_lines(parser: type) -> None:
    def main(argv: Sequence[str]) -> None:
        flags = parser("tool")
        flags.add_argument("--count", type=int)
        flags.parse_args(argv)

    outcome = run_in_process(main, ["--count", "x"])
    assert outcome.status == 1
    assert len(outcome.err.splitlines()) == 2
    assert "argument --count: invalid int value: 'x'" in outcome.err


def test_help_is_no_error() -> None:
    outcome = run_in_process(lambda argv: ToolParser("tool").parse_args(argv), ["--help"])
    assert outcome.status == 0
    assert outcome.out.startswith("usage: tool")


def test_a_reader_that_left_is_met_with_silence() -> None:
    assert run_in_process(raising(BrokenPipeError()), []).err == ""


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "out.mlir"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "\udcff")
    assert path.read_text() == "old"
    write_text(path, "new")
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("out.mlir", "new")]


def test_a_file_keeps_its_permissions_and_a_link_its_target(tmp_path: Path) -> None:
    path, link = tmp_path / "real", tmp_path / "link"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_text(link, "new")
    assert link.is_symlink()
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_device_is_written_to_and_not_replaced() -> None:
    write_text("/dev/null", "gone")
    assert not Path("/dev/null").is_file()


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(HtpError, match=r"absent/out: No such file or directory"):
        write_text(tmp_path / "absent" / "out", "text")
