"""Dumps, reproducers, round trips, progress and interrupts of a run of passes."""

import io
import os
import signal
import subprocess
import sys
import time
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.qti_aisw import GRAPH_OPS
from htp_mlir.lowering.tools import htp_opt
from htp_mlir.lowering.tools.instruments.printing import WholeModule, check_roundtrip
from htp_mlir.runtime import parse_module
from htp_mlir.runtime.installed.environment import installed
from htp_mlir.runtime.passes.run import Pipeline, instrumented, run_pass
from htp_mlir.runtime.tools.following import following
from htp_mlir.runtime.tools.tool import progress_on, run_in_process
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.passes import ModulePass
from xdsl.transforms.dead_code_elimination import DeadCodeElimination

TEXT = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %7 = qti_aisw.Relu(%x) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %7 : tensor<2xf32>
}
"""
NO_FOLDER = "No such file or directory; name a file to write"
POOL = """func.func @main(%x: tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32> {
  %0 = qti_aisw.PoolMax2d(%x) {filter_size = array<i64: 2, 2>, stride = array<i64: 2, 2>}
    : (tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32>
  func.return %0 : tensor<1x2x2x2xf32>
}
"""
BLOCKING = """func.func @main(%x: tensor<1x4xf32>) -> tensor<3x4xf32> {
  %0 = qti_aisw.Buffer(%x) {buffer_dim = 0 : i64, buffer_size = 3 : i64}
    : (tensor<1x4xf32>) -> tensor<3x4xf32>
  func.return %0 : tensor<3x4xf32>
}
"""


def test_a_folder_gets_the_module_after_each_pass(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "dump"
    flags = ["-p", "dce,htp-lower{level=native}", "--dump-dir", str(folder)]
    assert htp_opt.run(flags, TEXT).status == 0
    names = sorted(path.name for path in folder.iterdir())
    assert names[:4] == [
        "00-input.mlir",
        "01-dce.mlir",
        "02-htp-lower.mlir",
        "02.01-htp-check-level.mlir",
    ]
    assert "02.03.01-cse.mlir" in names
    last = max(name for name in names if name.startswith("02."))
    assert (folder / last).read_text() == (folder / "02-htp-lower.mlir").read_text()
    again = htp_opt.run(flags, TEXT)
    assert (again.status, again.out) == (1, "")
    assert again.err.splitlines() == [
        f"{folder}: is not empty",
        "  name a new folder, or clear this one",
    ]


def test_a_folder_gets_some_passes_of_each_piece(tmp_path: Path) -> None:
    flags = ["-p", "dce,cse", "--dump-dir", str(tmp_path), "--filter-passes", "c*"]
    assert htp_opt.run([*flags, "--split-input-file"], f"{TEXT}// -----\n{TEXT}").status == 0
    files = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.mlir"))
    pieces = (f"piece-{number}/{name}.mlir" for number in (1, 2) for name in ("00-input", "02-cse"))
    assert files == list(pieces)


def test_a_reproducer_repeats_the_error(tmp_path: Path) -> None:
    path = tmp_path / "crash.mlir"
    failed = htp_opt.run(["-p", "dce,htp-lower", "--crash-reproducer", str(path)], BLOCKING)
    assert failed.status == 1
    assert f"note: {path} reproduces it with --run-reproducer\n" in failed.err
    assert "// pipeline: convert-qti-aisw-to-htp\n" in path.read_text()
    again = htp_opt.run([str(path), "--run-reproducer"])
    assert again.status == 1
    assert "mode BLOCKING cannot run on HTP" in again.err
    assert again.err.splitlines()[1] == failed.err.splitlines()[2]


def test_a_reproducer_keeps_the_places_of_the_text(tmp_path: Path) -> None:
    model, path = tmp_path / "model.mlir", tmp_path / "crash.mlir"
    model.write_text(BLOCKING)
    flags = [str(model), "-p", "htp-lower", "--crash-reproducer", str(path)]
    first = next(line for line in htp_opt.run(flags).err.splitlines() if "BLOCKING" in line)
    assert first.startswith(f"{model}:")
    assert htp_opt.run([str(path), "--run-reproducer"]).err.splitlines()[0] == first


@dataclass(frozen=True)
class Break(ModulePass):
    """A pass that leaves an op behind that is not valid."""

    name = "break"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        relu = next(inner for inner in op.walk() if inner.name == "qti_aisw.Relu")
        relu.attributes["htp.name"] = IntegerAttr(1, 32)


@dataclass(frozen=True)
class Around(ModulePass):
    """A pass that breaks the module inside itself and puts the whole one back."""

    name = "around"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        whole = op.clone()
        run_pass(ctx, op, Break())
        op.body.detach_block(op.body.block)
        op.body.add_block(whole.body.detach_block(whole.body.block))


def test_each_pass_inside_another_is_verified_if_asked() -> None:
    for each in (False, True):
        with instrumented(WholeModule("it", each)):
            refused = pytest.raises(HtpError, match="pass 'break' left it so")
            with refused if each else nullcontext():
                Pipeline((Around(),)).apply(Context(), parse_module(TEXT))
    with instrumented(WholeModule("it", False)), pytest.raises(HtpError, match="'break' left"):
        Pipeline((Break(),)).apply(Context(), parse_module(TEXT))


@pytest.mark.parametrize("flag", ["--filter-passes=dce", "--filter-functions=main"])
def test_a_filter_that_filters_nothing_is_refused(flag: str) -> None:
    status, out, err = htp_opt.run(["-p", "dce", flag], TEXT)
    assert (status, out) == (1, "")
    assert err.splitlines()[0] == (
        f"{flag.partition('=')[0]}: says what IR is shown, and this run shows none"
    )


def test_a_run_that_ends_well_has_no_reproducer(tmp_path: Path) -> None:
    path = tmp_path / "crash.mlir"
    assert htp_opt.run(["-p", "htp-lower", "--crash-reproducer", str(path)], TEXT).status == 0
    assert not path.exists()


def test_a_reproducer_that_cannot_be_written_hides_no_error(tmp_path: Path) -> None:
    path = tmp_path / "none" / "crash.mlir"
    alone = htp_opt.run(["-p", "htp-lower"], BLOCKING)
    status, out, err = htp_opt.run(["-p", "htp-lower", "--crash-reproducer", str(path)], BLOCKING)
    assert (status, out) == (1, "")
    assert err == f"note: no reproducer: {path}: {NO_FOLDER}\n{alone.err}"


def test_the_order_of_attributes_is_no_part_of_a_round_trip() -> None:
    ctx, module = installed().context(), parse_module(POOL)
    (pool,) = (op for op in module.walk() if op.name == "qti_aisw.PoolMax2d")
    pool.properties = dict(reversed(pool.properties.items()))
    kept = list(pool.properties)
    check_roundtrip(ctx, module, "it")
    assert list(pool.properties) == kept


@pytest.mark.parametrize(
    ("content", "flags", "problem"),
    [
        (TEXT, [], "states no pipeline and flags in its first lines"),
        ("// pipeline: dce\n// flags: [1]\n", [], "states other flags"),
        ('// pipeline: dce\n// flags: {"debug": true}\n', [], "states other flags"),
        ("// pipeline: dce\n// flags: {\n", [], "is no JSON"),
        ("// pipeline: dcex\n// flags: {}\n", [], "unknown pass 'dcex'"),
        ("// pipeline: dce\n// flags: {}\n", ["-p", "cse"], "the file states the passes"),
    ],
)
def test_what_is_no_reproducer(
    tmp_path: Path, content: str, flags: list[str], problem: str
) -> None:
    path = tmp_path / "crash.mlir"
    path.write_text(content)
    status, out, err = htp_opt.run([str(path), "--run-reproducer", *flags])
    assert (status, out) == (1, "")
    assert problem in err.splitlines()[0]
    assert len(err.splitlines()) == 2


def test_a_reproducer_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "crash.mlir"
    missing = htp_opt.run([str(path), "--run-reproducer"])
    assert missing.err.splitlines()[0] == f"{path}: No such file or directory"
    path.write_bytes(b"\xff\xfe")
    assert htp_opt.run([str(path), "--run-reproducer"]).err.splitlines() == [
        f"{path}: is no UTF-8 text",
        "  name a file that --crash-reproducer wrote",
    ]


def test_a_round_trip_that_holds() -> None:
    assert htp_opt.run(["-p", "htp-lower", "--verify-roundtrip", "--verify-each"], TEXT).status == 0


def test_a_round_trip_that_does_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    ctx, module = installed().context(), parse_module(TEXT)
    check_roundtrip(ctx, module, "it")
    kind = GRAPH_OPS["Relu"]
    monkeypatch.setattr(
        kind, "print", lambda op, printer: printer.print_string("() : () -> tensor<2xf32>")
    )
    with pytest.raises(HtpError, match="its pretty form does not read back: it, pretty form:3:"):
        check_roundtrip(ctx, module, "it")


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("stream", [Terminal(), io.StringIO()], ids=["terminal", "pipe"])
def test_the_pass_that_runs_is_shown_on_a_terminal_only(stream: io.StringIO) -> None:
    with progress_on(stream), following():
        steps = (DeadCodeElimination(), DeadCodeElimination())
        Pipeline(steps).apply(Context(), parse_module(TEXT))
    shown = stream.getvalue()
    assert ("1 pass done; dce" in shown) is stream.isatty()
    assert shown.endswith("\r\x1b[K") is stream.isatty()


@dataclass(frozen=True)
class Interrupted(ModulePass):
    """A pass at which Ctrl-C is pressed."""

    name = "slow"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        raise KeyboardInterrupt


def test_an_interrupt_tells_where_the_run_was() -> None:
    def work(argv: object) -> None:
        with following():
            Pipeline((DeadCodeElimination(), Interrupted())).apply(Context(), parse_module(TEXT))

    assert run_in_process(work, []) == (
        130,
        "",
        "interrupted in slow, 1 pass done\n"
        "  no output was written; reports and dumps tell of what was done\n",
    )


@pytest.mark.slow
def test_ctrl_c_ends_htp_opt_cleanly(tmp_path: Path) -> None:
    """It waits for its input, a pipe that nobody writes to."""
    source = tmp_path / "text.mlir"
    os.mkfifo(source)
    # Where tests run in the background, SIGINT is ignored, and children inherit that.
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from htp_mlir.lowering.tools.htp_opt import main; main()"
    )
    command = [sys.executable, "-c", code]
    process = subprocess.Popen(
        [*command, str(source), "-p", "dce"], stderr=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with source.open("w"):
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, out) == (130, b"")
    assert err.decode().splitlines()[0] == "interrupted outside the passes"
    assert len(err.splitlines()) == 2
