"""Files that claim what is not so: each is refused in two lines, before memory is taken."""

import json
import os
import resource
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_LZMA, ZipFile

import numpy as np
import onnx
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.tools import htp, htp_opt
from htp_mlir.runtime.files.arrays import read_npy, read_npz
from htp_mlir.runtime.files.budget import budget
from htp_mlir.runtime.files.safetensors import map_tensors
from htp_mlir.runtime.memory_plan import PlanRow, verify
from htp_mlir.runtime.tools import htp_run
from htp_mlir.runtime.tools.flags import refuse_overwriting
from htp_mlir.runtime.tools.tool import ToolOutcome
from onnx import TensorProto, helper

from .support.timing import least_seconds

RELU = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = qti_aisw.Relu(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
"""
ELSEWHERE = """module attributes {htp.resources = {file = "FILE", sha256 = "HASH"}} {
  func.func @main() -> tensor<2xf32> {
    %0 = htp.Const dense_resource<c> : tensor<2xf32> -> tensor<2xf32>
    func.return %0 : tensor<2xf32>
  }
}
"""


def npy(dims: str, data: bytes = b"") -> bytes:
    """An array file that claims these dims."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({dims}), }}".encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + data


def zipped(member: bytes, method: int = ZIP_DEFLATED) -> bytes:
    """An archive with this array."""
    memory = BytesIO()
    with ZipFile(memory, "w", method) as archive:
        archive.writestr("x.npy", member)
    return memory.getvalue()


def damaged(content: bytes) -> bytes:
    """Content whose middle is something else."""
    middle = bytes(byte ^ 0x5A for byte in content[60:-80])
    return content[:60] + middle + content[-80:]


ARRAYS = {
    "dims of 40 digits": (zipped(npy("9" * 40 + ",")), "an input may take"),
    "zeros that unpack to 3 GB": (zipped(npy("805306368,", bytes(1 << 20))), "3221225472 bytes"),
    "dims below zero": (zipped(npy("-4,")), "cannot be read as arrays"),
    "a damaged LZMA member": (
        damaged(zipped(npy("1000,", os.urandom(4000)), ZIP_LZMA)),
        "cannot be read as arrays",
    ),
    "objects": (zipped(npy("1,").replace(b"<f4", b"|O ")), "cannot be read as arrays"),
    "no archive": (b"PK\x03\x04" + bytes(100), "cannot be read as arrays"),
    "nothing": (b"", "cannot be read as arrays"),
}


@pytest.mark.parametrize(("content", "message"), ARRAYS.values(), ids=ARRAYS)
def test_arrays_are_refused(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "x.npz").write_bytes(content)
    with pytest.raises(HtpError, match=message):
        read_npz(tmp_path / "x.npz")


def test_an_array_alone_is_held_to_the_budget_too(tmp_path: Path) -> None:
    (tmp_path / "x.npy").write_bytes(npy("9" * 40 + ","))
    with pytest.raises(HtpError, match="an input may take"):
        read_npy(tmp_path / "x.npy")


def test_headers_of_python_2_are_taken_without_a_warning(tmp_path: Path) -> None:
    array = npy("2L, 3L", np.arange(6, dtype=np.float32).tobytes())
    (tmp_path / "x.npy").write_bytes(array)
    (tmp_path / "x.npz").write_bytes(zipped(array))
    for taken in (read_npy(tmp_path / "x.npy"), read_npz(tmp_path / "x.npz")["x"]):
        np.testing.assert_array_equal(taken, [[0, 1, 2], [3, 4, 5]])


def test_the_budget_can_be_raised_and_lowered(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "x.npz", x=np.zeros(1 << 20, np.uint8))
    assert read_npz(tmp_path / "x.npz")["x"].size == 1 << 20
    token = budget.set(1 << 19)
    try:
        with pytest.raises(HtpError, match="--limit input-bytes=10487"):
            read_npz(tmp_path / "x.npz")
    finally:
        budget.reset(token)


TENSORS: dict[str, dict[str, object]] = {
    "overlapping": {
        "a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]},
        "b": {"dtype": "F32", "shape": [2], "data_offsets": [4, 12]},
    },
    "unaligned": {"a": {"dtype": "F32", "shape": [2], "data_offsets": [1, 9]}},
    "a dim that is a float": {"a": {"dtype": "F32", "shape": [2.0], "data_offsets": [0, 8]}},
    "a dim that is a truth value": {"a": {"dtype": "F32", "shape": [True], "data_offsets": [0, 4]}},
}


def tensor_file(path: Path, header: dict[str, object]) -> Path:
    """A safetensors file of 12 bytes of data."""
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + bytes(12))
    return path


@pytest.mark.parametrize("header", TENSORS.values(), ids=TENSORS)
def test_tensors_are_refused(header: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(HtpError, match="its header is damaged"):
        map_tensors(tensor_file(tmp_path / "x.safetensors", header))


def one_hot(depth: int) -> bytes:
    """A small model of a constant with this many classes."""
    tensors = [
        helper.make_tensor("i", TensorProto.INT64, [1], [0]),
        helper.make_tensor("d", TensorProto.INT64, [], [depth]),
        helper.make_tensor("v", TensorProto.FLOAT, [2], [0, 1]),
    ]
    output = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    node = helper.make_node("OneHot", ["i", "d", "v"], ["y"])
    return saved(helper.make_graph([node], "g", [], [output], tensors))


def twice() -> bytes:
    """A model that lists its output twice."""
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in "xy")
    return saved(helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "g", [x], [y, y]))


def saved(graph: onnx.GraphProto) -> bytes:
    """The bytes of a model."""
    opset = helper.make_opsetid("", 17)
    return helper.make_model(graph, opset_imports=[opset]).SerializeToString()


Main = Callable[[list[str]], ToolOutcome]
SMALL, TILES = ["--limit", "input-bytes=1000"], ["--options", 'tiles="/dev/zero"']
LONG = ["--options", "tiles=long.txt"]
OVER = "is what the command reads"
OPT, RUN, HTP = htp_opt.run, htp_run.run, htp.run
TOOLS: dict[str, tuple[Main, list[str], str]] = {
    "one hot of 2^27 classes": (OPT, ["27.onnx"], "makes 134217728 elements of its depth"),
    "one hot of 2^30 classes": (OPT, ["30.onnx"], "makes 1073741824 elements of its depth"),
    "an output twice": (OPT, ["twice.onnx"], "output 'y': is listed twice"),
    "constants in another folder": (OPT, ["in/r.mlir"], "which is not inside its folder"),
    "constants behind a link": (OPT, ["in/link.mlir"], "which is not inside its folder"),
    "a plan over the model": (HTP, ["lower", "relu.mlir", "--plan", "relu.mlir"], OVER),
    "a plan over a name of the model": (HTP, ["lower", "relu.mlir", "--plan", "hard.mlir"], OVER),
    "tiles over the model": (HTP, ["lower", "relu.mlir", "--save-tiles", "./relu.mlir"], OVER),
    "a report over the model": (HTP, ["support", "relu.mlir", "-o", "relu.mlir"], OVER),
    "a module over the model": (HTP, ["lower", "relu.mlir", "-o", "relu.mlir"], OVER),
    "constants over the model": (OPT, ["27.onnx", "--resources", "27.onnx"], OVER),
    "constants over others": (OPT, ["own.mlir", "--resources", "w.safetensors"], OVER),
    "outputs over the model": (RUN, ["relu.mlir", "-o", "relu.mlir"], OVER),
    "states over the model": (RUN, ["relu.mlir", "--save-state", "relu.mlir"], OVER),
    "an endless plan": (HTP, ["plan", "relu.mlir", "/dev/zero"], "--limit input-bytes="),
    "an endless text": (OPT, [*SMALL, "-f", "mlir", "/dev/zero"], "takes 1001 bytes"),
    "an endless pipeline": (OPT, [*SMALL, "relu.mlir", "-p", "@/dev/zero"], "takes 1001 bytes"),
    "a deep pipeline": (OPT, ["relu.mlir", "-p", "@deep.txt"], "deep.txt: is nested too deeply"),
    "endless tiles": (HTP, ["lower", *SMALL, "relu.mlir", *TILES], "takes 1001 bytes"),
    "endless arrays": (RUN, ["relu.mlir", "-i", "/dev/zero"], "is not a file"),
    "the whole disk": (HTP, ["package", "show", "/"], "holds more than 10000 files"),
    "a name that hides a package": (HTP, ["package", "new", "numpy", "--pass", "p"], "would hide"),
    "one in small letters": (HTP, ["package", "new", "Numpy", "--pass", "p"], "would hide"),
    "a long dim": (OPT, ["27.onnx", "--dim", f"x={'9' * 5000}"], "a number has too many digits"),
    "no number": (RUN, ["relu.mlir", "--limit", "input-bytes=x"], "is not input-bytes=N"),
    "a long line of inputs": (RUN, ["relu.mlir", "-i", "long.txt"], "names x, x, x,"),
    "a long line of tiles": (HTP, ["lower", "relu.mlir", *LONG], "names no node and tiles"),
    "a name that is no text": (OPT, ["\udcff.mlir", "-t", "report"], r"has '\udcff.mlir'"),
}


@pytest.mark.parametrize(("main", "arguments", "message"), TOOLS.values(), ids=TOOLS)
def test_tools_refuse_in_two_lines(
    main: Main, arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_files()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    status, _, errors = main(arguments)
    assert status == 1
    assert message in errors
    assert "internal error" not in errors
    assert [len(line) < 1000 for line in errors.splitlines()] == [True, True]
    assert Path("relu.mlir").read_text() == RELU
    # In KiB; the endless plan is read up to the budget.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 3 << 20


@pytest.mark.parametrize("page", ["memory", "passes"])
def test_a_page_shows_names_and_runs_none(page: str, tmp_path: Path) -> None:
    name = "<script>alert(1)</script>"
    x, y = (helper.make_tensor_value_info(f"{n}{name}", TensorProto.FLOAT, [4]) for n in "xy")
    node = helper.make_node("Relu", [x.name], [y.name], name=name)
    path, html = tmp_path / "<script>alert.onnx", tmp_path / "p.html"
    path.write_bytes(saved(helper.make_graph([node], name, [x], [y])))
    outcome = htp.run(["report", page, str(path), "-p", "htp-lower", "-o", str(html)])
    assert (outcome.err, "<script>alert" in html.read_text(encoding="utf-8")) == ("", False)


def test_a_folder_is_written_to_where_a_flag_is_empty() -> None:
    refuse_overwriting({"-o": ".", "--plan": "-"}, ["", ".", "-", None, 3])


def write_files() -> None:
    """The inputs of the cases, in the folder that we are in."""
    for bits in (27, 30):
        Path(f"{bits}.onnx").write_bytes(one_hot(2**bits))
    Path("twice.onnx").write_bytes(twice())
    for name in ("relu.mlir", "\udcff.mlir"):
        Path(name).write_text(RELU)
    os.link("relu.mlir", "hard.mlir")
    Path("long.txt").write_text("x:=a " * 1000)
    Path("deep.txt").write_text("[" * 100_000)
    Path("in").mkdir()
    shapes = {"c": ([2], [0, 8]), "d": ([1], [8, 12])}
    header = {n: {"dtype": "F32", "shape": s, "data_offsets": o} for n, (s, o) in shapes.items()}
    digest = sha256(tensor_file(Path("w.safetensors"), header).read_bytes()).hexdigest()
    Path("in/link.safetensors").symlink_to("../w.safetensors")
    texts = {"in/r": "../w.safetensors", "in/link": "link.safetensors", "own": "w.safetensors"}
    for name, file in texts.items():
        text = ELSEWHERE.replace("FILE", file).replace("HASH", digest)
        Path(f"{name}.mlir").write_text(text)


def grows_evenly(work: Callable[[int], object], count: int) -> bool:
    """Tell whether eight times as much takes less than three times as long as that would be."""
    small, large = (least_seconds(partial(work, each)) for each in (count // 8, count))
    return large < 24 * small


@pytest.mark.parametrize("same", [True, False])
def test_the_time_to_verify_a_plan_grows_with_its_rows(same: bool) -> None:
    def work(count: int) -> None:
        rows = [PlanRow(f"t{n}", 64, 0, 1000, 0 if same else 64 * n) for n in range(count)]
        assert len(verify(rows, 1 << 30, 64)) == (count - 1 if same else 0)

    assert grows_evenly(work, 40_000)


@pytest.mark.parametrize("ring", [True, False])
def test_the_time_to_verify_tensors_inside_one_another_grows_with_them(ring: bool) -> None:
    def work(count: int) -> None:
        names = [f"t{n}" for n in range(count)]
        wholes = [names[-1] if ring else "", *names]
        rows = [PlanRow(n, 64, 0, 9, 0, inside=i) for n, i in zip(names, wholes, strict=False)]
        assert len(verify(rows, 64, 1)) == (count if ring else 0)

    assert grows_evenly(work, 40_000)


def test_the_time_to_find_a_name_twice_grows_with_the_names(tmp_path: Path) -> None:
    def work(count: int) -> None:
        names = (f'"n{n}":0' for n in range(count))
        header = f'{{{",".join(names)},"z":0,"z":0}}'.encode()
        (tmp_path / "x.safetensors").write_bytes(len(header).to_bytes(8, "little") + header)
        with pytest.raises(HtpError, match="names 'z' twice"):
            map_tensors(tmp_path / "x.safetensors")

    assert grows_evenly(work, 60_000)


@pytest.mark.parametrize("command", ["htp-opt", "htp-run", "htp support"])
def test_stdin_is_held_to_the_budget_too(command: str) -> None:
    tool, *words = command.split()
    main = {"htp-opt": htp_opt.run, "htp-run": htp_run.run, "htp": htp.run}[tool]
    outcome = main([*words, *SMALL], RELU + " " * 1000)
    assert "takes 1001 bytes when it is read" in outcome.err
    assert (outcome.status, len(outcome.err.splitlines())) == (1, 2)
