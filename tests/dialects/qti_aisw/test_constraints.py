"""The documented constraints of graph ops: a module that breaks one is refused by its verifier.

The block ops' are a table from their published definitions. Those of all ops are tried by changes
of one operand of their examples: what a verifier takes is never refused by a lower level's.
"""

from __future__ import annotations

import re

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.qti_aisw import GRAPH_OPS
from htp_mlir.lowering import lower
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import ParseError, VerifyException

from ...support.examples import example_of, module_of
from ...support.roundtrip import parse
from .changes import changes

QUANTISED = "!quant.uniform<u8:f32, 0.05:128>"


@pytest.mark.sampled("name")
@pytest.mark.parametrize("name", GRAPH_OPS)
def test_what_a_graph_op_takes_the_conversion_takes_or_explains(name: str) -> None:
    for words, module in changes(name):
        if module is not None:
            assert "left it so" not in refusal(module), words


def refusal(module: ModuleOp) -> str:
    """The message of a module that does not get to the native level."""
    try:
        lower(module, level="native")
    except HtpError as error:
        return str(error)
    return ""


BIASED = {
    "Conv2d": ("1x8x8x4", "3x3x4x8", "8", "1x6x6x8"),
    "DepthWiseConv2d": ("1x8x8x4", "3x3x1x4", "4", "1x6x6x4"),
    "TransposeConv2d": ("1x8x8x4", "3x3x4x8", "8", "1x10x10x8"),
    "FullyConnected": ("1x8", "4x8", "4", "1x4"),
}


@pytest.mark.parametrize("name", BIASED)
@pytest.mark.parametrize("element", ["f32", "f16", "i32", QUANTISED])
def test_a_bias_of_quantised_data_is_no_float(name: str, element: str) -> None:
    data, weights, bias, result = BIASED[name]
    types = f"tensor<{data}x{QUANTISED}>, tensor<{weights}x{QUANTISED}>, tensor<{bias}x{element}>"
    text = f"%y = qti_aisw.{name}(%x, %w, bias = %b) : ({types}) -> tensor<{result}x{QUANTISED}>"
    if element in ("i32", QUANTISED):
        parse(module_of(text))
        return
    with pytest.raises(VerifyException, match=r"operand .bias. is .* must be quantised or i32"):
        parse(module_of(text))


BLOCK_OPS = {
    "Buffer": {
        "C1": ("x16xf32", "x16xi32"),
        "C2": ("buffer_dim = 1", "buffer_dim = 3"),
        "C3": ("buffer_size = 8", "buffer_size = 7"),
        "C4": ("stride = 2", "stride = 10"),
        "C5": ("stride = 2", "buffer_padding = 9 : i64, stride = 2"),
        "C6": ("tensor<i1>", "tensor<2xi1>"),
    },
    "MaskedSoftmax": {
        "C1": ("2x4x8x8x", "4x8x8x"),
        "C2": ("2x3xi32", "2x3xi64"),
        "C3": ("COMPRESSED", "UNCOMPRESSED"),
        "C4": ("2x4x8x8x", "2x4x7x8x"),
    },
    "StatefulLstm": {
        "C1": ("5x2x4xf32", "5x2x4xi32"),
        "C2": ("hidden_size = 8", "hidden_size = 0"),
        "C3": ("1x32x4x", "1x31x4x"),
        "C4": ("1x32x8x", "1x32x7x"),
        "C5": ("reset = %s", "B = %s", "tensor<i1>", "tensor<1x63xf32>"),
        "C6": ("reset = %s", "sequence_lens = %s", "tensor<i1>", "tensor<3xi32>"),
        "C7": ("reset = %s", "initial_c = %s", "tensor<i1>", "tensor<1x2x7xf32>"),
        "C8": ("hidden_size", "clip = 0.0 : f32, hidden_size"),
        "C9": ("hidden_size", "input_forget = 2 : i64, hidden_size"),
        "C10": ("reset = %s", "P = %s", "tensor<i1>", "tensor<1x23xf32>"),
        "C11": ("tensor<i1>", "tensor<i32>"),
    },
    "StatefulGru": {
        "C1": ("5x2x4xf32", "2x4xf32"),
        "C2": ("hidden_size = 8", "hidden_size = 0"),
        "C3": ("2x24x4x", "2x32x4x"),
        "C4": ("2x24x8x", "1x24x8x"),
        "C5": ("initial_h = %i", "B = %i"),
        "C6": ("initial_h = %i", "sequence_lens = %i"),
        "C7": ("(tensor<5x2x4xf32>", "(tensor<5x3x4xf32>"),
        "C8": ("direction =", "clip = -1.0 : f32, direction ="),
        "C9": ("direction =", "linear_before_reset = 2 : i64, direction ="),
        "C11": ("tensor<1xi1>", "tensor<2xi1>"),
    },
}
"""For each constraint of a block op an edit of its example that breaks it, as old and new text."""

BROKEN = [(name, rule, edit) for name, edits in BLOCK_OPS.items() for rule, edit in edits.items()]


@pytest.mark.parametrize(("name", "rule", "edit"), BROKEN)
def test_a_block_op_that_breaks_a_constraint_is_refused(
    name: str, rule: str, edit: tuple[str, ...]
) -> None:
    statement = example_of(GRAPH_OPS[name])
    parse(module_of(statement))
    for old, new in zip(edit[::2], edit[1::2], strict=True):
        assert old in statement
        statement = statement.replace(old, new)
    with pytest.raises((VerifyException, ParseError), match=rf"\({rule}\)"):
        parse(module_of(statement))


@pytest.mark.parametrize("name", BLOCK_OPS)
def test_each_constraint_of_a_block_op_has_a_case(name: str) -> None:
    assert set(re.findall(r"\((C\d+)\)", GRAPH_OPS[name].__doc__ or "")) == set(BLOCK_OPS[name])
