"""An op of a C++ package as it is declared: its operands and results, as value objects and as text.

The text is a comment:

    // @op Mix(a, b, [bias], share: param=0.5) -> a

What may be left out is in brackets, `name...` represents any number. Behind a colon is what an
operand is: a kind of dtypes, `like` an operand of the same dtype, `param` with how many numbers and
a usual value (`param[3]=1`), `shape`, or `plane`, a stride. After the arrow each result, with `;`
between them: like an operand, or what an access map says, and `as` the kind of its dtypes where
that is another.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import isfinite

from ....dialects.diagnostics import fail, listed
from ....dialects.htp.access import RESULT, Access, Number, access
from ....dialects.htp.base import NativeOp
from ....dialects.htp.constraints import (
    ANY,
    Constraint,
    ParamConstraint,
    ShapeConstraint,
    TensorConstraint,
    Usual,
)
from ....dialects.htp.fields import MANY
from ....dialects.value import Kind, TensorSpec
from ..cpp.text import DECLARES_OP


def _access_faults(access: Access, operands: Mapping[str, Constraint]) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a map among an op's operands, and the remedy.

    Operands have four indices each, letters that run inside have an extent, and numbers are dims
    of an operand or elements of a param that says how many it has.
    """
    for name, indices in access.operands.items():
        if name not in operands:
            known = ", ".join(operands) or "none"
            yield f"has no operand '{name}' for a result", f"it has {known}"
        elif len(indices) != len(RESULT):
            yield f"reads '{name}' by {len(indices)} indices", "write one for each of the four dims"
    for letter in access.summed:
        if letter not in access.extents and not access.holders(letter):
            problem = f"does not say how far '{letter}' runs"
            yield problem, f"make '{letter}' alone an index of an operand"
        elif fault := _number_fault(access.extent(letter), operands):
            yield fault
    for index in (index for indices in access.operands.values() for index in indices):
        for number in (index.by, index.spacing, index.start, index.before, index.after):
            if number is not None and (fault := _number_fault(number, operands)):
                yield fault


def _number_fault(number: Number, operands: Mapping[str, Constraint]) -> tuple[str, str] | None:
    name, place = number.operand, number.place
    constraint = operands.get(name)
    if constraint is None:
        return f"has no operand '{name}' for a number", f"it has {', '.join(operands)}"
    is_param = isinstance(constraint, ParamConstraint)
    count = constraint.count or 0 if isinstance(constraint, ParamConstraint) else len(RESULT)
    if place < count:
        return None
    remedy = "say how many numbers it has" if is_param else f"it has {count} dims"
    return f"has no {name}.{place} for a result", remedy


InferResult = Callable[[NativeOp], TensorSpec]
"""A function of an op to the spec of its result; VerifyException where its operands do not fit."""


@dataclass(frozen=True)
class DeclaredOperand:
    """An operand: its constraint, and whether it may be left out or represents any number."""

    constraint: Constraint
    optional: bool = False
    many: bool = False


@dataclass(frozen=True)
class DeclaredResult:
    """A result: an access map or a function says what it is like; its dtype is one of a kind.

    `text` is the map, or the operand's name, as it was written; empty for a function.
    """

    shape: Access | InferResult
    kind: Kind = Kind.ANY
    text: str = ""


@dataclass(frozen=True)
class OpDeclaration:
    """An op of a C++ package: its operands by name in order, and its results.

    `results` is empty where nobody says what they are like, and the rest was inferred; `count` is
    their number.
    """

    op: str
    operands: Mapping[str, DeclaredOperand]
    results: tuple[DeclaredResult, ...] = ()
    count: int = 1

    @property
    def optional(self) -> tuple[str, ...]:
        """The operands that may be left out."""
        return tuple(name for name, operand in self.operands.items() if operand.optional)

    def suggested(self) -> OpDeclaration:
        """Return the declaration to propose where this was inferred: results like operand 0."""
        operands = {
            n: each for n, each in self.operands.items() if not (each.many and each.optional)
        }
        first = next(iter(operands), "")
        like = DeclaredResult(access(""), text=first.removesuffix("...") or "...")
        return OpDeclaration(self.op, operands, (like,) * self.count, self.count)


def result(shape: str | InferResult, kind: Kind = Kind.ANY) -> DeclaredResult:
    """Declare a result by the operand that it is like, by an access map, or by a function.

    Its dtype is one of the kind, and for any that of the first operand in the map. HtpError where
    the text is neither an operand's name nor a map.

    Example: `result("in", Kind.HTP_FLOAT)`, `result("act[b, h, w, c] * weights[0, 0, c, d]")`
    """
    if callable(shape):
        return DeclaredResult(shape, kind)
    try:
        map_ = access(shape if "[" in shape else f"{shape}[b, h, w, d]")
    except ValueError as error:
        remedy = 'name an operand, or write a map such as "in[b, h, w, d]"'
        raise fail(f"result '{shape}'", str(error), remedy) from error
    return DeclaredResult(map_, kind, shape)


def declared(
    op: str, operands: Mapping[str, DeclaredOperand], results: tuple[DeclaredResult, ...]
) -> OpDeclaration:
    """Return an op's declaration; HtpError where it speaks of what the op does not have."""
    constraints = {name: operand.constraint for name, operand in operands.items()}
    for each in results:
        faults = _access_faults(each.shape, constraints) if isinstance(each.shape, Access) else ()
        for fault in faults:
            raise fail(f"op {op}", *fault)
    for fault in _like_faults(constraints):
        raise fail(f"op {op}", *fault)
    return OpDeclaration(op, operands, results, len(results))


def _like_faults(operands: Mapping[str, Constraint]) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with operands of the dtype of another, and the remedy.

    The other is there, has a dtype, and does not take it from them.
    """
    constraints = {n: c for n, c in operands.items() if isinstance(c, TensorConstraint)}
    likes = {name: constraint.like for name, constraint in constraints.items() if constraint.like}
    for name, like in likes.items():
        if like not in operands:
            known = f"it has {', '.join(operands)}"
            yield f"has no operand '{like}' for '{name}' to be like", known
        elif isinstance(operands[like], ShapeConstraint):
            yield f"has '{name}' like '{like}', and a shape has no dtype", "name a tensor"
        passed = {name}
        while like in likes and like not in passed:
            passed.add(like)
            like = likes[like]
        if like == name:
            yield f"has '{name}' like itself", "say of one operand which dtypes it takes"


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
