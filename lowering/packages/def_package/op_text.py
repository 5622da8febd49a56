"""Declarations of ops as comments of C++ text.

    // @op Mix(a, b, [bias], share: param=0.5) -> a

What may be left out is in brackets, `name...` represents any number. Behind a colon is what an
operand is: a kind of dtypes, `like` an operand of the same dtype, `param` with how many numbers and
a usual value (`param[3]=1`), `shape`, or `plane`, a stride. After the arrow each result, with `;`
between them: like an operand, or what an access map says, and `as` the kind of its dtypes where
that is another.
"""

import json
import re
from collections.abc import Iterator
from math import isfinite

from ....dialects.diagnostics import fail
from ....dialects.htp.constraints import (
    ANY,
    Constraint,
    ParamConstraint,
    ShapeConstraint,
    TensorConstraint,
    Usual,
)
from ....dialects.htp.fields import MANY
from ....dialects.suggestions import listed
from ....dialects.value import Kind
from ..cpp.text import DECLARES_OP
from .declared import DeclaredOperand, DeclaredResult, OpDeclaration, declared, result

FORM = "Op(a, b, [bias], share: param=0.5) -> a"
"""An example, for messages."""
_OP = re.compile(
    r"(?P<op>[A-Za-z_][\w.]*)\s*\((?P<operands>.*)\)\s*->\s*(?P<results>.+)", re.DOTALL
)
_OPERAND = re.compile(r"(?P<name>[A-Za-z_]\w*)(?P<many>\.\.\.)?\s*(?::\s*(?P<what>.+))?", re.DOTALL)
_PARAM = re.compile(r"param(\[(?P<count>\d{1,6})\])?\s*(=\s*(?P<usual>.+))?", re.DOTALL)
_PART = re.compile(r'(?:"[^"]*"|\{[^}]*\}|\[[^\]]*\]|[^,])+')
_LIKE = "like "
_SHAPES = {"shape": ShapeConstraint(), "plane": ShapeConstraint(plane=True)}
_KINDS = {kind.name.lower(): kind for kind in Kind}


def read_op(text: str) -> OpDeclaration:
    """Return the op that a comment declares behind its mark; HtpError for other text.

    Example: `read_op("Gain(in, factor: param[1]=2.0) -> in")`
    """
    match = _OP.fullmatch(text.strip())
    if match is None:
        raise fail("@op", f"'{' '.join(text.split())}' declares no op", f"write // @op {FORM}")
    op = match["op"]
    operands: dict[str, DeclaredOperand] = {}
    for part in filter(None, map(str.strip, _PART.findall(match["operands"]))):
        name, operand = _operand(op, part)
        if name in operands:
            raise fail(f"op {op}", f"has two operands '{name}'", "name them apart")
        operands[name] = operand
    return declared(op, operands, tuple(_result(op, part) for part in match["results"].split(";")))


def _operand(op: str, text: str) -> tuple[str, DeclaredOperand]:
    optional = text.startswith("[") and text.endswith("]")
    match = _OPERAND.fullmatch(text[1:-1].strip() if optional else text)
    if match is None:
        raise fail(f"op {op}", f"'{text}' is no operand", f"write {FORM}")
    constraint = _constraint(op, (match["what"] or "any").strip())
    many = match["many"] is not None
    return match["name"] + MANY * many, DeclaredOperand(constraint, optional, many)


def _constraint(op: str, what: str) -> Constraint:
    if what in _SHAPES:
        return _SHAPES[what]
    param = _PARAM.fullmatch(what)
    if param is not None:
        count, usual = param["count"], param["usual"]
        return ParamConstraint(int(count) if count else None, usual=_usual(op, usual))
    if what.startswith(_LIKE):
        return TensorConstraint(like=what.removeprefix(_LIKE).strip())
    return TensorConstraint(_kind(op, what, ("param", *_SHAPES)))


def _kind(op: str, word: str, others: tuple[str, ...] = ()) -> Kind:
    if word not in _KINDS:
        known = listed(word, (*others, *_KINDS))
        raise fail(f"op {op}", f"'{word}' is no kind of operand or result", known)
    return _KINDS[word]


def _usual(op: str, text: str | None) -> Usual | None:
    """Read a value as C writes it: a number, true or false, a string, integers in braces."""
    if text is None:
        return None
    try:
        value = json.loads(text.strip().replace("{", "[").replace("}", "]").removesuffix("f"))
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, list) and all(type(each) is int for each in value):
        return tuple(value)
    if isinstance(value, bool | int | str) or (isinstance(value, float) and isfinite(value)):
        return value
    raise fail(
        f"op {op}", f"'{text}' is no value of a param", 'write 1, 0.5, true, "text" or {1, 2}'
    )


def _result(op: str, text: str) -> DeclaredResult:
    shape, mark, kind = text.rpartition(" as ")
    return result((shape if mark else text).strip(), _kind(op, kind.strip()) if mark else Kind.ANY)


def op_comment(op: OpDeclaration) -> str:
    """Return a declaration as a comment, whose text `read_op` reads back to an equal one."""
    operands = ", ".join(_written(name, each) for name, each in op.operands.items())
    kinds = (
        "" if each.kind is Kind.ANY else f" as {each.kind.name.lower()}" for each in op.results
    )
    results = "; ".join(each.text + kind for each, kind in zip(op.results, kinds, strict=True))
    return f"// {DECLARES_OP}{op.op}({operands}) -> {results}"


def _written(name: str, operand: DeclaredOperand) -> str:
    what = "".join(_what(operand.constraint))
    text = f"{name}: {what}" if what else name
    return f"[{text}]" if operand.optional else text


def _what(constraint: Constraint) -> Iterator[str]:
    match constraint:
        case ShapeConstraint(plane):
            yield "plane" if plane else "shape"
        case ParamConstraint(count, usual=usual):
            yield "param"
            yield "" if count is None else f"[{count}]"
            yield "" if usual is None else f"={_value(usual)}"
        case TensorConstraint(kind, like):
            yield "" if constraint == ANY else f"{_LIKE}{like}" if like else kind.name.lower()


def _value(value: Usual) -> str:
    if isinstance(value, tuple):
        return f"{{{', '.join(map(str, value))}}}"
    return json.dumps(value)
