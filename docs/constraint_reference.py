"""The numbered constraints of an op: those of its docstring, and those that its fields declare."""

import re
from collections.abc import Iterator
from inspect import cleandoc

from htp_mlir.dialects.htp.base import NativeOp
from htp_mlir.dialects.htp.constraints import (
    Constraint,
    ParamConstraint,
    ShapeConstraint,
    TensorConstraint,
)
from htp_mlir.dialects.value.dtypes import Kind
from xdsl.irdl import IRDLOperation

_NUMBER = re.compile(r"\(C(\d+)\)")
_NEXT = re.compile(r";\s+(?=\(C\d+\))")
_NUMBERED = re.compile(r"^Constraints: (.*?)(?:\n\n|\Z)", re.M | re.S)


def constraints(op: type[IRDLOperation]) -> tuple[str, ...]:
    """List the constraints of an op, numbered; those of its fields come last.

    An op whose docstring has none has those of its family.
    """
    stated = next(filter(None, map(_stated, op.__mro__)), [])
    declared = list(_declared(op)) if issubclass(op, NativeOp) else []
    last = int(_NUMBER.findall(" ".join(stated))[-1]) if stated else 0
    more = [f"(C{number}) {text}" for number, text in enumerate(declared, last + 1)]
    return (*stated, *more)


def _stated(base: type) -> list[str]:
    match = _NUMBERED.search(cleandoc(vars(base).get("__doc__") or ""))
    return _NEXT.split(" ".join(match[1].split()).rstrip(".")) if match else []


def _declared(op: type[NativeOp]) -> Iterator[str]:
    for name, constraint in op.CONSTRAINTS.items():
        text = _said(constraint)
        if text:
            yield f"`{name}` {text}"
    for index, kind in enumerate(op.RESULT_KINDS):
        if kind is not Kind.ANY:
            yield f"{'the result' if op.RESULTS == 1 else f'result {index}'} is {kind.value[0]}"


def _said(constraint: Constraint) -> str:
    match constraint:
        case TensorConstraint(kin=str(kin)) if kin:
            return f"is a number, and a float where `{kin}` is one"
        case TensorConstraint(kind=kind, like=like, stored=stored):
            other = (
                f"is quantised where `{like}` is so or float" if stored else "both are quantised"
            )
            parts = [
                f"is {kind.value[0]}" if kind is not Kind.ANY else "",
                f"has the element type of `{like}`, or {other}" if like else "",
            ]
            return ", and ".join(filter(None, parts))
        case ShapeConstraint(plane=plane):
            return "is 1xHxWx1, all >= 1" if plane else ""
        case ParamConstraint():
            return _numbers(constraint)


def _numbers(param: ParamConstraint) -> str:
    count = "" if param.count is None else f"{param.count} "
    if param.least is None:
        return f"holds {count}number{'s' * (param.count != 1)}" if count else ""
    bound = f">= {param.least}" if param.most is None else f"from {param.least} to {param.most}"
    noun = "integer" if param.count == 1 else "integers"
    return f"holds {count}{noun} {bound}{', none of them twice' if param.once else ''}"
