"""The declaration of an op of a C++ package in Python: its operands and results, said once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from keyword import iskeyword

from ....dialects.diagnostics import fail
from ....dialects.htp.constraints import ParamConstraint, ShapeConstraint
from ....dialects.htp.fields import MANY, Field
from ..def_package.declared import (
    DeclaredOperand,
    DeclaredResult,
    InferResult,
    OpDeclaration,
    declared,
    result,
)

_IMPORTS = {
    "htp_mlir.dialects.htp": ("param_def", "shape_def", "tensor_def", "tensors_def"),
    "htp_mlir.lowering.packages": ("optional",),
}
"""The words of a declaration in Python, by where they are."""


def optional(operand: Field[object]) -> DeclaredOperand:
    """Declare an operand that may be left out.

    Example: `bodies.op("Conv", "act", act=tensor_def(), bias=optional(tensor_def()))`
    """
    return replace(_operand(operand), optional=True)


def declaration(
    op: str,
    results: tuple[str | InferResult | DeclaredResult, ...],
    operands: Mapping[str, Field[object] | DeclaredOperand],
) -> OpDeclaration:
    """Return an op's declaration; HtpError where a result speaks of an operand that is not there.

    A name that Python keeps to itself takes a `_`: `in_` is the operand `in`.
    """
    named = {
        name.removesuffix("_") + MANY * operand.many: operand
        for name, operand in ((n, _operand(each)) for n, each in operands.items())
    }
    own = tuple(each if isinstance(each, DeclaredResult) else result(each) for each in results)
    if not own:
        raise fail(f"op {op}", "is declared without a result", f'name one: op("{op}", "in", ...)')
    return declared(op, named, own)


def python_text(op: OpDeclaration) -> str:
    """Return the lines of Python that declare an op, each result by its text."""
    results = ("..." if each.text == "..." else f'"{each.text}"' for each in op.results)
    parts = [f'"{op.op}"', *results]
    parts += [f"{_keyword(name)}={_text(operand)}" for name, operand in op.operands.items()]
    text = f"@bodies.op({', '.join(parts)})"
    used = {module: [w for w in words if f"{w}(" in text] for module, words in _IMPORTS.items()}
    lines = [f"from {module} import {', '.join(words)}" for module, words in used.items() if words]
    return "\n".join([*lines, text])


def _operand(operand: Field[object] | DeclaredOperand) -> DeclaredOperand:
    if isinstance(operand, DeclaredOperand):
        return operand
    return DeclaredOperand(operand.constraint, many=operand.many)


def _keyword(name: str) -> str:
    word = name.removesuffix(MANY)
    return f"{word}_" if iskeyword(word) else word


def _text(operand: DeclaredOperand) -> str:
    text = "".join(_calls(operand))
    return f"optional({text})" if operand.optional else text


def _calls(operand: DeclaredOperand) -> Iterator[str]:
    if operand.many:
        yield "tensors_def()"
    elif isinstance(operand.constraint, ShapeConstraint):
        yield "shape_def()"
    elif isinstance(operand.constraint, ParamConstraint):
        usual = operand.constraint.usual
        yield f"param_def({'' if usual is None else f'usual={usual!r}'})"
    else:
        yield "tensor_def()"
