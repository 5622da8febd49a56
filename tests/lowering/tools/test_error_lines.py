"""An error of a pass shows the line that the user wrote, the nodes of a model, else the op."""

import re
from pathlib import Path

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.levels import Level
from htp_mlir.lowering.passes.checks.check_level import check_level
from htp_mlir.lowering.tools.htp_opt import run
from htp_mlir.runtime import load_module, parse_module
from xdsl.dialects.builtin import ModuleOp

from tests.support.paths import SPOTTER

TEXT = """// A comment.
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %17 = qti_aisw.Relu(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>  // as it was written
  func.return %17 : tensor<2x3xf32>
}
"""
LINE = [
    "    %17 = qti_aisw.Relu(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>  // as it was written",
    "    ^^^^^^^^^^^^^^^^^^^",
]


def told(module: ModuleOp) -> list[str]:
    """The lines about the first op, which is a graph op and no native one."""
    with pytest.raises(HtpError) as error:
        check_level(module, Level.NATIVE)
    return error.value.lines()


@pytest.mark.parametrize("before", ["", f"{TEXT}// -----\n"], ids=["whole", "piece"])
def test_the_line_of_standard_input_is_shown(before: str) -> None:
    passes = ["-p", "htp-check-level{level=native}", "--split-input-file"]
    first, _, *excerpt = run(passes, before + TEXT).err.splitlines()[-4:]
    line = before.count("\n") + 3
    assert first.startswith(f"<stdin>:{line}:3: qti_aisw.Relu: does not belong to the native level")
    assert excerpt == LINE


def test_the_line_of_a_file_is_shown_until_the_file_changes(tmp_path: Path) -> None:
    path = tmp_path / "model.mlir"
    path.write_text(TEXT)
    module = load_module(path)
    assert told(module)[2:] == LINE
    path.write_text(f"// Another line.\n{TEXT}")
    assert told(module)[2].startswith("    qti_aisw.Relu(%x) : (tensor<2x3xf32>)")


def test_the_line_is_that_of_the_op_which_a_pass_replaced(tmp_path: Path) -> None:
    path = tmp_path / "model.mlir"
    path.write_text(TEXT.replace("%17", "%y"))
    told = run([str(path), "-p", "htp-lower{level=native},htp-check-level{level=placed}"]).err
    assert told.startswith(f"{path}:3:3: htp.Reshape: does not belong to the placed level")
    assert "\n    %y = qti_aisw.Relu(%x) : " in told


def test_values_of_a_model_are_called_by_their_nodes() -> None:
    first, _, excerpt, mark, *_ = told(load_module(SPOTTER / "stateless.onnx"))
    assert first.startswith("qti_aisw.")
    assert not re.search("%[0-9]", excerpt)
    assert excerpt.strip().startswith("qti_aisw.")
    assert mark.strip("^ ") == ""


def test_numbers_are_those_of_ops_that_nothing_else_tells() -> None:
    module = parse_module(TEXT.replace(" // as it was written", " loc(unknown)"))
    first, _, excerpt, _ = told(module)
    assert first.startswith("%0 = qti_aisw.Relu: does not belong")
    assert excerpt.startswith("    %0 = qti_aisw.Relu(%x) : ")
