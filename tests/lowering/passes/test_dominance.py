"""A value is defined before it is used; xDSL's own verifier lets the rest pass."""

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.passes.checks.check_level import check_dominance
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.cf import Cf
from xdsl.dialects.test import Test
from xdsl.parser import Parser

from tests.support.faults import told

from ...support.roundtrip import context, parse
from .kit import Model

T = "tensor<1x1x1x4xf32>"


def foreign(text: str) -> ModuleOp:
    """Parse with ops of other dialects, which have regions and branches."""
    known = context()
    known.load_dialect(Cf)
    known.load_dialect(Test)
    return Parser(known, text).parse_module()


def test_a_module_in_order() -> None:
    model = Model(1, 1, 1, 4)
    check_dominance(model.module(model.op("Relu", model.x)))


def test_a_use_in_front_of_its_definition_is_named() -> None:
    module = parse(f"""
      func.func @main(%x: {T}) -> {T} {{
        %y = htp.Relu(%z) : ({T}) -> {T}
        %z = htp.Neg(%x) : ({T}) -> {T}
        func.return %y : {T}
      }}""")
    with pytest.raises(HtpError) as error:
        check_dominance(module)
    assert told(str(error.value)) == [
        "%y = htp.Relu: operand 0 is used before it is defined",
        "  it is made by htp.Neg; move that in front of the use",
    ]


def test_an_op_that_reads_itself() -> None:
    model = Model(1, 1, 1, 4)
    value = model.op("Relu", model.x)
    value.owner.operands = [value]
    with pytest.raises(HtpError, match=r"htp\.Relu: operand 0 is used before it is defined"):
        check_dominance(model.module(value))


@pytest.mark.parametrize(("inner", "legal"), [("%a", True), ("%b", False)])
def test_a_region_sees_what_stands_in_front_of_its_op(inner: str, legal: bool) -> None:
    module = foreign(f"""
      func.func @main(%x: {T}) {{
        %a = htp.Neg(%x) : ({T}) -> {T}
        "test.op"() ({{
          %c = htp.Relu({inner}) : ({T}) -> {T}
        }}) : () -> ()
        %b = htp.Neg(%x) : ({T}) -> {T}
        func.return
      }}""")
    if legal:
        check_dominance(module)
    else:
        with pytest.raises(HtpError, match=r"made by htp\.Neg"):
            check_dominance(module)


@pytest.mark.parametrize(("use", "legal"), [("%a", True), ("%b", False)])
def test_a_block_sees_the_blocks_that_lead_to_it(use: str, legal: bool) -> None:
    module = foreign(f"""
      func.func @main(%x: {T}) -> {T} {{
        %a = htp.Neg(%x) : ({T}) -> {T}
        %c = "test.op"() : () -> i1
        cf.cond_br %c, ^aside, ^last
      ^aside:
        %b = htp.Neg(%x) : ({T}) -> {T}
        "cf.br"() [^last] : () -> ()
      ^last:
        func.return {use} : {T}
      }}""")
    if legal:
        check_dominance(module)
    else:
        with pytest.raises(HtpError, match=r"func\.return: operand 0"):
            check_dominance(module)
