"""The documented constraints of graph ops: a module that breaks one is refused by its verifier.

Tables hold the edits of an op's example that break a constraint. Changes of one operand of the
examples are tried, too: what a verifier takes is never refused by a lower level's.
"""

import re
from collections.abc import Iterator
from inspect import cleandoc

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.qti_aisw import GRAPH_OPS, ConstOp
from htp_mlir.lowering import lower
from xdsl.dialects.builtin import ModuleOp
from xdsl.irdl import IRDLOperation
from xdsl.utils.exceptions import ParseError, VerifyException

from ...support.examples import example_of, module_of
from ...support.roundtrip import parse
from .broken_families import FAMILIES, Row
from .broken_movement import MOVEMENT
from .broken_states import STATES
from .broken_values import VALUES
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


OPS: dict[str, type[IRDLOperation]] = {"Const": ConstOp, **GRAPH_OPS}
TABLE = VALUES | MOVEMENT | STATES
TAKES_ALL = "is of any type"
"""A constraint that nothing breaks."""


def rows(name: str) -> Iterator[Row]:
    """The edits of an op's example that break a constraint: its own, and those of its family."""
    op = OPS[name]
    for base, family in FAMILIES:
        if issubclass(op, base):
            yield from family(op, example_of(op))
    yield from TABLE.get(name, ())


BROKEN = [(name, *row[:2], row[2:]) for name in OPS for row in rows(name)]


@pytest.mark.parametrize(("name", "rule", "words", "edit"), BROKEN)
def test_an_op_that_breaks_a_constraint_is_refused(
    name: str, rule: str, words: str, edit: tuple[str, ...]
) -> None:
    statement = example_of(OPS[name])
    for old, new in zip(edit[::2], edit[1::2], strict=True):
        assert old in statement, f"({rule}) {old}"
        statement = statement.replace(old, new)
    with pytest.raises((VerifyException, ParseError), match=re.escape(words)):
        parse(module_of(statement))


@pytest.mark.parametrize("name", OPS)
def test_each_constraint_of_an_op_has_a_case(name: str) -> None:
    documented = [re.findall(r"\((C\d+)\)([^(]*)", stated(base)) for base in OPS[name].__mro__]
    first = next(filter(None, documented))
    rules = {rule for rule, text in first if TAKES_ALL not in text}
    assert rules == {rule for rule, *_ in rows(name)}


def stated(base: type) -> str:
    """The constraints that the docstring of a class itself holds."""
    return cleandoc(vars(base).get("__doc__") or "").partition("Constraints: ")[2]
