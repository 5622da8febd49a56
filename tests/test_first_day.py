"""What goes wrong on the first day: for each mistake the place, the fault and the remedy.

A message is the place and the fault, then the remedy; where it is about a text, the line follows,
with a mark below the place.
"""

import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from htp_mlir.lowering.tools import htp, htp_opt
from htp_mlir.runtime.tools import htp_run

from .support.paths import SPOTTER_MODEL

TOOLS = {"htp": htp.run, "htp-opt": htp_opt.run, "htp-run": htp_run.run}
HEAD = "func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {"
RELU = "  %y = qti_aisw.Relu(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>"
TAIL = "  func.return %y : tensor<2x3xf32>\n}"


def text(body: str = RELU, tail: str = TAIL) -> str:
    """A module of one op."""
    return f"{HEAD}\n{body}\n{tail}\n"


FILES = {
    "m.mlir": text(),
    "mute.mlir": "func.func @main() {\n  func.return\n}\n",
    "undefined.mlir": text(RELU.replace("%x", "%z")),
    "open.mlir": text(tail=TAIL.removesuffix("\n}")),
    "inner.mlir": text(tail=TAIL.removesuffix("\n}")) + text().replace("@main", "@other"),
    "brace.mlir": text(tail=f"{TAIL}\n}}"),
    "garbage.mlir": text(tail=f"{TAIL}\n42"),
    "block.mlir": text(f"{RELU}\n  42"),
    "type.mlir": text(RELU.replace("f32", "f16")),
    "op.mlir": text(RELU.replace("Relu", "Rleu")),
    "own.mlir": text('  %y = "mine.op"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>'),
    "param.mlir": text(
        "  %y = qti_aisw.Pad(%x) {pad_amuont = array<i64: 0, 0, 0, 0>} : "
        "(tensor<2x3xf32>) -> tensor<2x3xf32>"
    ),
    "shape.mlir": text(RELU.replace("-> tensor<2x3", "-> tensor<3x2"), TAIL.replace("2x3", "3x2")),
}


MISTAKES: dict[str, tuple[str, str, str]] = {
    "htp-opt undefined.mlir": ("undefined.mlir:2:22", "%z is not defined", "correct the text"),
    "htp-opt open.mlir": ("open.mlir:1:57", "'{' is never closed", "correct the text"),
    "htp-opt inner.mlir": ("inner.mlir:1:57", "'{' is never closed", "correct the text"),
    "htp-opt brace.mlir": ("brace.mlir:5:1", "'}' closes nothing", "correct the text"),
    "htp-opt garbage.mlir": ("garbage.mlir:5:1", "an op is expected", "correct the text"),
    "htp-opt block.mlir": ("block.mlir:3:3", "an op, a block or '}' is expected", "correct"),
    "htp-opt type.mlir": ("type.mlir:2:22", "%x is first at type.mlir:1:17", "correct the text"),
    "htp-opt op.mlir": (
        "op.mlir:2:8",
        "Operation qti_aisw.Rleu is not",
        "did you mean 'qti_aisw.Relu'",
    ),
    "htp-opt own.mlir": (
        "own.mlir:2:9",
        "Operation mine.op is not registered",
        "name its package by --package",
    ),
    "htp-opt param.mlir": (
        "param.mlir:2:3",
        "'pad_amuont' is not one of its params",
        "correct the text",
    ),
    "htp-opt shape.mlir": (
        "shape.mlir:2:3",
        "result 0 has shape 3x2, its inputs give 2x3",
        "correct the text",
    ),
    "htp-opt none.onnx": ("none.onnx", "no such file", "check the path"),
    "htp-opt folder": ("folder", "is a folder", "name a file in it"),
    "htp-opt model": ("model", "has no suffix", "known are .json, .mlir, .onnx, .pt2"),
    "htp-opt m.tflite": (
        "m.tflite",
        "unknown suffix '.tflite'",
        "known are .json, .mlir, .onnx, .pt2",
    ),
    "htp-opt m.mlir -p htp-lowr": (
        "pass pipeline",
        "unknown pass 'htp-lowr'",
        "did you mean 'htp-lower'",
    ),
    "htp-opt m.mlir --pases": (
        "htp-opt",
        "unrecognized arguments: --pases",
        "did you mean '--passes'",
    ),
    "htp-opt m.mlir --bisect": (
        "htp-opt",
        "unrecognized arguments: --bisect",
        "see htp-opt --help",
    ),
    "htp suport m.mlir": ("htp", "invalid choice: 'suport'", "did you mean 'support'"),
    "htp show op Rellu": ("op 'Rellu'", "no package in use has it", "did you mean 'qti_aisw.Relu'"),
    "htp show op Nothing": (
        "op 'Nothing'",
        "no package in use has it",
        "name it as the IR does",
    ),
    "htp lower m.mlir --soc SM9999": ("soc 'SM9999'", "is not known", "SM8650"),
    "htp-run m.mlir -i other.npz": ("input 'z'", "is unknown", "the model's inputs are"),
    "htp-run m.mlir -i none.npz": ("none.npz", "No such file", "check the path"),
    "htp-run m.mlir -o m.mlir": ("-o", "'m.mlir' is what the command reads", "name another file"),
    "htp report memory m.mlir -p htp-lower -o x.pdf": (
        "-o",
        "'x.pdf' is not text",
        "end it in .txt, .mlir or .html",
    ),
    "htp report stream m.mlir -o x.html": ("-o", "is a page by its name", "end it in .txt"),
    "htp-opt m.mlir -o x.svg": ("-o", "'x.svg' is a page by its name", "end it in .txt"),
    "htp support m.mlir -o x.pdf": ("-o", "'x.pdf' is not text", "end it in .txt"),
    "htp show op Relu -o x.pdf": ("-o", "'x.pdf' is not text", "end it in .txt"),
    "htp run m.mlir -o x.pdf": ("x.pdf", "has the unknown suffix '.pdf'", "known are .npz"),
    "htp probe m.mlir x.pdf": ("x.pdf", "has the unknown suffix '.pdf'", "known are .npz"),
    "htp-run m.mlir --save-state s.txt": ("s.txt", "the unknown suffix '.txt'", "known are .npz"),
    "htp lower m.mlir --plan x.pdf": ("--plan", "'x.pdf' is not text", "end it in .csv"),
    "htp stream m.mlir s.wav": ("s.wav", "No such file", "check the path"),
    "htp stream m.mlir short.npy": ("short.npy", "no whole frame of 6", "give a longer stream"),
    "htp stream m.mlir empty.npy": ("empty.npy", "no whole frame of 6", "give a longer stream"),
    "htp-run m.mlir -i empty.npz": ("stream", "holds no inference", "give at least one"),
    "htp numerics m.mlir": ("htp numerics", "-p names none", "add -p PIPELINE"),
    "htp numerics mute.mlir -p cse": (
        "htp numerics",
        "no number was compared: the module has no outputs",
        "look at it with htp-run",
    ),
    "htp-opt m.mlir --package none.py": ("none.py", "o such file", "check the path"),
}
"""For a command that goes wrong the place, the fault and the remedy."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the commands name."""
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        Path(name).write_text(content)
    np.savez("other.npz", z=np.ones((2, 3), np.float32))
    np.savez("empty.npz", arg0=np.ones((0, 2, 3), np.float32))
    np.save("empty.npy", np.ones((0,), np.float32))
    np.save("short.npy", np.ones((5,), np.float32))
    Path("model").write_bytes(SPOTTER_MODEL.read_bytes())
    Path("m.tflite").write_bytes(b"TFL3")
    Path("folder").mkdir()
    return tmp_path


@pytest.mark.parametrize("command", MISTAKES)
def test_a_mistake_is_said_with_its_place_and_remedy(folder: Path, command: str) -> None:
    place, fault, remedy = MISTAKES[command]
    tool, *arguments = command.split()
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    outcome = TOOLS[tool](arguments)
    assert (outcome.status, outcome.out) == (1, "")
    lines = outcome.err.splitlines()
    said = next((n for n, line in enumerate(lines) if line.strip().startswith(place)), None)
    assert said is not None, outcome.err
    assert fault in lines[said]
    assert remedy in " ".join(lines[said : said + 2])
    if place.count(":") == 2:
        file, line, column = place.split(":")
        *_, shown, marks = lines
        marked = shown[marks.index("^") : marks.rindex("^") + 1]
        source = Path(file).read_text().splitlines()[int(line) - 1]
        assert source.startswith(marked, int(column) - 1), outcome.err
    assert "Traceback" not in outcome.err
    assert {path: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


@pytest.mark.parametrize("level", ["native", "allocated"])
def test_a_module_that_is_lowered_already_is_named(folder: Path, level: str) -> None:
    first = htp.run(["lower", "m.mlir", "--level", level, "-o", "l.mlir"])
    again = htp.run(["lower", "l.mlir", "--level", level, "-o", "l2.mlir"])
    assert (first.err, again.status) == ("", 0)
    assert again.err.splitlines() == [
        f"warning: module: is at the {level} level already",
        "  htp-lower changed nothing: ask for a level below, or run it",
    ]
    assert Path("l.mlir").read_text() == Path("l2.mlir").read_text()


def test_a_pass_that_is_put_where_its_ops_are_gone_is_named(folder: Path) -> None:
    command = ["m.mlir", "-o", "l.mlir", "-p"]
    outcome = htp_opt.run([*command, "htp-lower{after=allocated:canonicalize}"])
    assert outcome.err.splitlines() == [
        "warning: pass 'canonicalize' changed nothing where it was put",
        "  put it where its ops still are: -p 'htp-lower{before=...}'",
    ]
    assert outcome.status == 0


@pytest.mark.parametrize("name", ["narrow", "fold-empty", "reduce-ranks", "raise-block-ops"])
def test_a_pass_for_graphs_behind_the_lowering_is_named(folder: Path, name: str) -> None:
    outcome = htp_opt.run(["m.mlir", "-o", "l.mlir", "-p", f"htp-lower{{level=native}},qti-{name}"])
    assert outcome.err.splitlines() == [
        "note: module: is at the native level, where qti passes find no graph op; "
        "run them before htp-lower"
    ]


@pytest.mark.parametrize("name", ["plan-tiles", "in-place", "schedule", "select-kernels"])
def test_a_pass_for_native_ops_in_front_of_the_lowering_is_named(folder: Path, name: str) -> None:
    outcome = htp_opt.run(["m.mlir", "-o", "l.mlir", "-p", f"htp-{name}"])
    assert outcome.err.splitlines() == [
        f"note: module: is at the graph level, where htp-{name} finds no native op; "
        "run convert-qti-aisw-to-htp before it, or htp-lower"
    ]
    assert outcome.status == 0


@pytest.mark.parametrize("name", ["in-place", "refetch", "allocate", "prefetch"])
def test_a_pass_for_places_in_front_of_them_is_named(folder: Path, name: str) -> None:
    outcome = htp_opt.run(["m.mlir", "-o", "l.mlir", "-p", f"htp-lower{{level=native}},htp-{name}"])
    assert outcome.err.splitlines() == [
        f"note: module: has no places, so that htp-{name} finds no tensor in TCM; "
        "run htp-assign-places, then htp-realise-places before it, or htp-lower"
    ]
    assert htp_opt.run(["m.mlir", "-o", "l.mlir", "-p", "htp-lower"]).err == ""


def test_a_module_that_is_allocated_already_is_not_allocated_again(folder: Path) -> None:
    htp.run(["lower", "m.mlir", "-o", "l.mlir"])
    outcome = htp_opt.run(["l.mlir", "-p", "htp-allocate", "-o", "l2.mlir"])
    assert "is allocated already: its result has an offset in TCM" in outcome.err
    assert "\n  run htp-lower with other tcm-bytes on what it was made from\n" in outcome.err
    assert (outcome.status, Path("l2.mlir").exists()) == (1, False)


def test_pytorch_that_is_absent_is_said_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "htp_mlir.lowering.frontend.torch", raising=False)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'htp-mlir\[torch\]'"):
        import_module("htp_mlir.lowering.frontend.torch")


def test_a_suffix_in_capitals_is_a_suffix(folder: Path) -> None:
    Path("model").rename("MODEL.ONNX")
    assert htp_opt.run(["MODEL.ONNX", "-o", "m.mlir"]).status == 0


def test_a_name_that_is_looked_up_in_the_whole_is_said_to_be_in_a_part() -> None:
    with pytest.raises(AttributeError, match=r"import it from htp_mlir\.lowering or"):
        import_module("htp_mlir").import_model("x.onnx")
