"""Large constants in a file beside the text: both come back, together or not at all."""

from collections.abc import Iterator
from mmap import mmap
from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.qti_aisw.ops.const import const
from htp_mlir.dialects.spec_of import Array
from htp_mlir.dialects.text.constant import Constant
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering import lower
from htp_mlir.lowering.tools import htp_opt
from htp_mlir.runtime import Session, load_module, parse_module, save_module
from htp_mlir.runtime.tools import htp_run
from xdsl.dialects.builtin import ModuleOp

from ...support.paths import SPOTTER_MODEL
from ...support.roundtrip import to_text, upstream

DTYPES = [dtype for dtype in DType if not dtype.is_quantized]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def constants(seed: int = 0, count: int = 200) -> ModuleOp:
    """A module with one constant of each dtype, of any bits."""
    rng = np.random.default_rng(seed)
    ops = []
    for dtype in DTYPES:
        bits = rng.integers(0, 256, count * dtype.itemsize, np.uint8)
        array = bits > 127 if dtype is DType.Bool8 else bits.view(dtype.storage)
        ops.append(const(array.reshape(2, -1), TensorSpec((2, count // 2), dtype)))
    return ModuleOp(ops)


def data(module: ModuleOp) -> list[bytes]:
    return [bytes(op.value.data.data) for op in module.walk() if isinstance(op, Constant)]


def test_constants_of_every_dtype_come_back(folder: Path) -> None:
    module = constants()
    save_module(module, "m.mlir", resources="w.safetensors")
    assert Path("m.mlir").read_text().count("dense_resource<") == len(DTYPES)
    again = load_module("m.mlir")
    assert data(again) == data(module)
    assert again.is_structurally_equivalent(module)
    assert module.attributes == again.attributes == {}


def test_constants_are_mapped_not_read(folder: Path) -> None:
    save_module(constants(), "m.mlir", resources="w.safetensors")
    op = next(op for op in load_module("m.mlir").walk() if isinstance(op, Constant))
    view = op.value.data.data
    assert isinstance(view, memoryview)
    assert isinstance(view.obj, mmap)
    assert not op.array.flags.writeable


def test_a_module_lowers_and_runs_like_the_one_with_its_constants_inside(folder: Path) -> None:
    save_module(load_module(SPOTTER_MODEL), "whole.mlir")
    save_module(load_module("whole.mlir"), "m.mlir", resources="w.safetensors")
    inside, beside = (lower(load_module(name)) for name in ("whole.mlir", "m.mlir"))
    assert to_text(beside) == to_text(inside)
    inputs: dict[str, Array] = {"frame": np.ones((1, 1, 1, 40), np.float32), "reset": np.bool_(0)}
    outputs = Session(beside).run(inputs)
    for name, expected in Session(inside).run(inputs).items():
        np.testing.assert_array_equal(outputs[name], expected)


def test_both_files_move_together(folder: Path) -> None:
    Path("text/data").mkdir(parents=True)
    save_module(constants(), "text/m.mlir", resources="text/data/w.safetensors")
    assert 'file = "data/w.safetensors"' in Path("text/m.mlir").read_text()
    Path("moved").mkdir()
    Path("text").rename("moved/text")
    assert data(load_module("moved/text/m.mlir")) == data(constants())


def test_a_file_outside_of_the_texts_folder_must_be_named(folder: Path) -> None:
    Path("text").mkdir()
    save_module(constants(), "text/m.mlir", resources="w.safetensors")
    with pytest.raises(HtpError, match="not inside its folder"):
        load_module("text/m.mlir")
    assert data(load_module("text/m.mlir", resources="w.safetensors")) == data(constants())


def test_equal_constants_are_stored_once_and_short_ones_stay(folder: Path) -> None:
    spec = TensorSpec((101,), DType.Float32)
    long = np.arange(101, dtype=np.float32)
    short = TensorSpec((100,), DType.Float32)
    ops = [const(long, spec), const(long, spec), const(long[:100], short), const(long * 0, spec)]
    save_module(ModuleOp(ops), "m.mlir", resources="w.safetensors")
    assert Path("m.mlir").read_text().count("dense_resource<constant_0>") == 2
    assert Path("m.mlir").read_text().count("dense<") == 2
    assert Path("w.safetensors").stat().st_size < 2 * 404
    assert data(load_module("m.mlir")) == data(ModuleOp([op.clone() for op in ops]))


def test_all_tools_read_and_write(folder: Path) -> None:
    save_module(constants(), "whole.mlir")
    assert htp_opt.run(["whole.mlir", "--resources", "w.safetensors", "-o", "m.mlir"]) == (
        0,
        "",
        "",
    )
    whole = htp_opt.run(["whole.mlir"]).out
    assert htp_opt.run(["m.mlir"]).out == whole
    generic = htp_opt.run(["m.mlir", "--print-op-generic", "--resources", "x.safetensors"]).out
    assert htp_opt.run(["-"], generic).out == whole
    assert htp_opt.run(["-", "--resources-from", "w.safetensors"], generic).out == whole
    few = htp_opt.run(
        ["whole.mlir", "--resources", "y.safetensors", "--resources-above", "200"]
    ).out
    assert "dense_resource" not in few


def test_a_text_and_its_file_are_written_over_themselves(folder: Path) -> None:
    save_module(constants(), "m.mlir", resources="w.safetensors")
    before = Path("m.mlir").read_bytes(), Path("w.safetensors").read_bytes()
    write = ["m.mlir", "--resources", "w.safetensors", "-o", "m.mlir"]
    assert htp_opt.run(write) == (0, "", "")
    assert (Path("m.mlir").read_bytes(), Path("w.safetensors").read_bytes()) == before


@pytest.mark.needs("mlir-opt")
def test_text_with_handles_goes_through_upstream(folder: Path) -> None:
    save_module(constants(), "whole.mlir")
    text = htp_opt.run(["whole.mlir", "--print-op-generic", "--resources", "w.safetensors"]).out
    assert data(parse_module(upstream(text))) == data(constants())


def test_a_file_of_another_name_is_given_by_flag(folder: Path) -> None:
    save_module(load_module(SPOTTER_MODEL), "m.mlir", resources="w.safetensors")
    Path("w.safetensors").rename("x.safetensors")
    flag = ["--resources-from", "x.safetensors"]
    assert htp_run.run(["m.mlir", *flag]).status == htp_opt.run(["m.mlir", *flag]).status == 0
    assert data(load_module("m.mlir", resources="x.safetensors"))


def test_a_handle_under_an_alias_may_stand_twice(folder: Path) -> None:
    save_module(constants(), "m.mlir", resources="w.safetensors")
    handle = "dense_resource<constant_0> : tensor<2x100xf32>"
    const_ = f"qti_aisw.Const {handle} -> tensor<2x100xf32>"
    text = Path("m.mlir").read_text().replace(const_, const_.replace(handle, "#w"))
    twice = text.replace("{\n", "{\n  %w = qti_aisw.Const #w -> tensor<2x100xf32>\n", 1)
    first, second, *_ = data(parse_module(f"#w = {handle}\n{twice}"))
    assert first == second == data(constants())[0]


def remove() -> None:
    Path("w.safetensors").unlink()


def cut_off() -> None:
    whole = Path("w.safetensors").read_bytes()
    Path("w.safetensors").write_bytes(whole[:-1])


def change_one_bit() -> None:
    whole = bytearray(Path("w.safetensors").read_bytes())
    whole[-1] ^= 1
    Path("w.safetensors").write_bytes(whole)


def other_weights() -> None:
    save_module(constants(seed=1), "other.mlir", resources="w.safetensors")


def edit(old: str, new: str) -> None:
    text = Path("m.mlir").read_text()
    assert old in text
    Path("m.mlir").write_text(text.replace(old, new, 1))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (remove, "w.safetensors: no such file"),
        (cut_off, "w.safetensors: is cut off"),
        (change_one_bit, "is not the file that m.mlir was written with"),
        (other_weights, "is not the file that m.mlir was written with"),
        (lambda: edit("<constant_1>", "<constant_99>"), "has no tensor 'constant_99'"),
        (lambda: edit("tensor<2x100xf32>", "tensor<1x200xf32>"), "is 2x100 of F32, the text has"),
        (lambda: edit("100xf32", "100xi32"), "is 2x100 of F32, the text has"),
        (lambda: edit("<constant_0>", "<__elided__>"), "left out by --elide-constants"),
        (lambda: edit("sha256 = ", "sha1 = "), "attribute 'htp.resources' is {"),
        (lambda: edit("htp.resources", "lost"), "names no file with their data"),
        (
            lambda: edit("} {", ", x = [dense_resource<constant_0> : tensor<2x100xf32>]} {"),
            "stands",
        ),
    ],
)
def test_what_does_not_fit_takes_two_lines(folder: Path, damage: object, message: str) -> None:
    save_module(constants(), "m.mlir", resources="w.safetensors")
    assert callable(damage)
    damage()
    for run in (htp_opt.run, htp_run.run):
        outcome = run(["m.mlir"])
        assert (outcome.status, outcome.out) == (1, "")
        assert message in outcome.err
        assert len(outcome.err.splitlines()) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--resources-above 3", "there is no file to write"),
        ("--resources w --resources-above few", "'few' is no number"),
        ("--resources w --elide-constants 3", "--elide-constants leaves out"),
        ("--resources w --split-input-file", "one file goes with one module"),
        ("--resources w -t memory-report", "writes no module as text"),
        ("--resources out", "'out' is to have the text"),
        ("--resources absent/w", "absent/w: No such file"),
        ("--resources-from w", "holds its constants itself"),
    ],
)
def test_flags_that_do_not_fit_change_nothing(folder: Path, arguments: str, message: str) -> None:
    save_module(constants(), "m.mlir")
    Path("out").write_text("as it was")
    outcome = htp_opt.run(["m.mlir", "-o", "out", *arguments.split()])
    assert (outcome.status, outcome.out) == (1, "")
    assert message in outcome.err
    assert Path("out").read_text() == "as it was"
    assert not Path("w").exists()


def test_text_and_constants_are_two_files(folder: Path) -> None:
    save_module(constants(), "m.mlir")
    before = Path("m.mlir").read_bytes()
    with pytest.raises(HtpError, match="is to have the text"):
        save_module(constants(), "m.mlir", resources="./m.mlir")
    assert Path("m.mlir").read_bytes() == before


def test_a_model_has_no_file_of_constants(folder: Path) -> None:
    for run in (htp_opt.run, htp_run.run):
        assert (
            "holds its constants itself" in run([str(SPOTTER_MODEL), "--resources-from", "w"]).err
        )
    with pytest.raises(HtpError, match="holds its constants itself"):
        load_module(SPOTTER_MODEL, resources="w")
