"""The imports of `htp_mlir.dialects.htp` name every native op."""

from runpy import run_path

from ..support.paths import ROOT

SCRIPT = run_path(str(ROOT / "docs" / "generate_exports.py"))
TEXT = SCRIPT["MODULE"].read_text(encoding="utf-8")


def test_exports_are_what_the_script_writes() -> None:
    assert SCRIPT["with_exports"](TEXT) == TEXT, "run: python docs/generate_exports.py"


def test_an_op_without_an_import_gets_one_in_its_place() -> None:
    line = "from .ops.unary import SinOp as SinOp\n"
    assert line in TEXT
    assert SCRIPT["with_exports"](TEXT.replace(line, "")) == TEXT


def test_other_names_stay() -> None:
    line = "from .ops.elementwise import UnaryOp as UnaryOp\n"
    assert SCRIPT["with_exports"](TEXT.replace(line, "")) == TEXT.replace(line, "")
