"""Ops in a rule: the same `Op` matches and builds."""

from dataclasses import replace

from ..tree.expr import OUT, Absent, Arg, Expr, Let, OneOf, OpForm, Tag, as_exprs, ill_typed
from .constants import gen_Shape
from .modifiers import MAX_OUTPUTS, WITH_MULTI_OUT


def Op(name: str, *inputs: Arg) -> OpForm:
    """Match an op with exactly these inputs, tags or nested ops; in a replacement, build it.

    Example: `Op("Add", Op("Relu", "X"), "B")`
    """
    return _op(name, inputs, at_least=False)


def OpVarIn(name: str, *inputs: Arg) -> OpForm:
    """Match an op with at least these inputs; a replacement cannot build it.

    Example: `OpVarIn("Concat", "Axis", "First")`
    """
    return _op(name, inputs, at_least=True)


def OpAnyOrder(name: str, *inputs: Arg) -> OpForm:
    """Match an op with exactly these inputs in any order; in a replacement, build it.

    The orders are tried as written first, until the constraint holds for one.

    Example: `OpAnyOrder("Mul", "X", Op("Sigmoid", "X"))`
    """
    return replace(_op(name, inputs, at_least=False), any_order=True)


def OpAnyOutput(name: str, *inputs: Arg) -> OpForm:
    """Match any output of an inner op, where `Op` matches its first one alone.

    Example: `LET("Gate", OpAnyOutput("Split", "X", "Axis", "At"))`
    """
    return replace(_op(name, inputs, at_least=False), any_output=True)


def LET(tag: str, op: Expr) -> Let:
    """Name the output of an inner op of a match; HtpError for anything but an op.

    Example: `LET("C", Op("Conv2d_valid", "A", "W", "S"))`
    """
    if not isinstance(op, OpForm | OneOf):
        raise ill_typed(f'LET("{tag}", {op}): names no op', "its second operand is an Op()")
    return Let(tag, op)


def ONE_OF(*ways: Arg) -> OneOf:
    """Match an input in one of several ways, the alternatives; HtpError for none.

    They are tried in the order of writing until the constraint holds. `BOUND` says which tags the
    match has bound.

    Example: `Op("Relu", ONE_OF(Op("Add", "X", "B"), "X"))`
    """
    if not ways:
        raise ill_typed("ONE_OF(): has no alternative", "give the ways to match the input")
    return OneOf(as_exprs(ways))


def OPCONST(tag: str) -> Let:
    """Match a constant, and name it.

    Example: `OPCONST("B")`
    """
    return LET(tag, Op("$Const"))


def OpMultiOut(count: int, index: int, name: str, *inputs: Arg) -> OpForm:
    """Build an op of `count` outputs and take one; HtpError for an index that is not there.

    Example: `OpMultiOut(2, 1, "Gru", "X", "W", "R")`
    """
    if not 0 <= index < count <= MAX_OUTPUTS:
        remedy = f"indices start at 0, and an op has at most {MAX_OUTPUTS} outputs"
        raise ill_typed(f"OpMultiOut: output {index} of {count}", remedy)
    return Op(OUT, WITH_MULTI_OUT(count, Op(name, *inputs)), gen_Shape(0, 0, count, index))


def Operand(tag: str) -> Tag:
    """Take a node of the match as a replacement.

    Example: `Operand("X")`
    """
    return Tag(tag)


ABSENT = Absent()
"""No operand, or no param, where a graph op that is built has further ones behind it."""


def _op(name: str, inputs: tuple[Arg, ...], at_least: bool) -> OpForm:
    if not name or any(char.isspace() for char in name):
        raise ill_typed(f"Op: {name!r} is no op name", "op names hold no space")
    return OpForm(name, as_exprs(inputs), at_least)
