"""Models from files: what is wrong is said with its place, in two lines."""

from pathlib import Path

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.runtime.tools import loading
from htp_mlir.runtime.tools.loading import load_module, parse_module
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

RELU = """
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = qti_aisw.Relu(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
"""

UNTYPED = '"func.func"() <{sym_name = "f"}> ({ "func.return"() : () -> () }) : () -> ()'
CALLER = "func.func @g() { func.call @f() : () -> () func.return }"


def error_of(path: Path) -> list[str]:
    with pytest.raises(HtpError) as caught:
        load_module(path)
    return str(caught.value).splitlines()


def test_text_is_parsed_and_verified(tmp_path: Path) -> None:
    (tmp_path / "m.mlir").write_text(RELU)
    assert [op.name for op in load_module(tmp_path / "m.mlir").walk()][2] == "qti_aisw.Relu"


def test_a_parse_error_has_file_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "m.mlir"
    path.write_text(RELU.replace("Relu", "Rlu"))
    assert error_of(path) == [
        f"{path}:3:8: Operation qti_aisw.Rlu is not registered",
        "  did you mean 'qti_aisw.Relu'?",
        "    %0 = qti_aisw.Rlu(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>",
        "         ^^^^^^^^^^^^",
    ]


def test_a_verifier_error_is_the_ops_own_line(tmp_path: Path) -> None:
    path = tmp_path / "m.mlir"
    wider = RELU.replace("-> tensor<2x3xf32>", "-> tensor<2x4xf32>")
    path.write_text(wider.replace("%0 : tensor<2x3xf32>", "%0 : tensor<2x4xf32>"))
    assert error_of(path) == [
        f"{path}:3:3: %0 = qti_aisw.Relu: result 0 has shape 2x4, its inputs give 2x3",
        "  correct the text",
        "    %0 = qti_aisw.Relu(%x) : (tensor<2x3xf32>) -> tensor<2x4xf32>",
        "    ^^^^^^^^^^^^^^^^^^",
    ]


@pytest.mark.parametrize("text", [UNTYPED, f"{CALLER}\n{UNTYPED}", f"{UNTYPED}\n{CALLER}"])
def test_a_function_without_a_type_is_refused_before_others_read_it(text: str) -> None:
    with pytest.raises(HtpError, match=r"func\.func: property 'function_type' expected"):
        parse_module(text)


def test_an_unknown_suffix_lists_the_known_ones(tmp_path: Path) -> None:
    lines = error_of(tmp_path / "m.tflite")
    assert lines[0].endswith("has the unknown suffix '.tflite'")
    assert ".mlir" in lines[1]
    assert ".onnx" in lines[1]


@pytest.mark.parametrize("name", ["none.mlir", "none.onnx"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    assert error_of(tmp_path / name)[0] == f"{tmp_path / name}: no such file"


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "m.mlir").write_bytes(b"\xff\xfe\x00")
    assert error_of(tmp_path / "m.mlir")[0].endswith("is no UTF-8 text")


def test_nesting_without_end_is_an_error() -> None:
    deep = "builtin.module {" * 3000 + "}" * 3000
    with pytest.raises(HtpError, match="is nested too deeply"):
        parse_module(deep)


@pytest.mark.parametrize("dims", ["99999x99999", "9999999x9999999x9999999"])
def test_a_tensor_that_no_memory_holds_is_refused_before_it_is_made(dims: str) -> None:
    text = f"\n%0 = htp.Const dense<1.0> : tensor<{dims}xf32> -> tensor<{dims}xf32>"
    with pytest.raises(HtpError, match=r"<text>:2:29: tensor<9.* bytes, at most"):
        parse_module(text)


def test_a_frontend_gets_the_path_and_the_dims(tmp_path: Path, monkeypatch) -> None:
    seen = []

    def read(path: Path, **options: object) -> ModuleOp:
        seen.append((path, options))
        return ModuleOp([])

    class Entry:
        def load(self, make):
            return make("toy", read)

    monkeypatch.setattr(loading, "frontends", lambda: {"toy": Entry()})
    (tmp_path / "m.toy").write_text("")
    load_module(tmp_path / "m.toy")
    load_module(tmp_path / "m.toy", dims={"batch": 2})
    assert seen == [
        (tmp_path / "m.toy", {}),
        (tmp_path / "m.toy", {"dims": {"batch": 2}}),
    ]


def test_text_may_use_dialects_of_xdsl() -> None:
    module = parse_module("func.func private @f()\n%0 = arith.constant 1 : i32")
    assert any(isinstance(op, FuncOp) for op in module.walk())


@pytest.mark.parametrize("text", ["% = foo", "'x"])
def test_a_text_that_begins_with_no_token_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(HtpError, match=r"^<text>:1:1: "):
        parse_module(text)


def test_an_error_of_a_verifier_holds_the_op_and_not_its_module() -> None:
    good = "%a = htp.Const dense<[1.0, 2.0]> : tensor<2xf32> -> tensor<2xf32>"
    bad = "%b = htp.Const dense<1> : tensor<1xi32> -> tensor<1xf32>"
    with pytest.raises(HtpError) as raised:
        parse_module(f"{good}\n{bad}")
    (note,) = raised.value.__cause__.__notes__
    assert "htp.Const dense<1>" in note
    assert "2.0" not in note
