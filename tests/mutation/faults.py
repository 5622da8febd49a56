"""Faults of one expression or statement each, written into the text of a module."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

_SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
"""The operator that stands for another in a fault."""


@dataclass(frozen=True)
class Fault:
    """A module with other text at one place."""

    path: str
    line: int
    old: str
    new: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.old} -> {self.new}"


def faults(path: str, text: str) -> Iterator[Fault]:
    """Yield every fault of a module, in the order of its text."""
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode()))
    data = text.encode()
    for node in ast.walk(ast.parse(text)):
        if (new := _changed(node)) is None:
            continue
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        # Lines stay where they are: rules and messages name them.
        rest = "\n" * data[begin:end].count(b"\n")
        written = f"{new}{rest}" if isinstance(node, ast.Return) else f"({new}{rest})"
        changed = (data[:begin] + written.encode() + data[end:]).decode()
        yield Fault(path, node.lineno, ast.unparse(node), new, changed)


def _changed(node: ast.AST) -> str | None:
    """The text of the fault of a node; None for a node that has none."""
    match node:
        case ast.Compare(left, [op], [right]) if type(op) in _SWAPPED:
            return ast.unparse(ast.Compare(left, [_SWAPPED[type(op)]()], [right]))
        case ast.BinOp(left, op, right) if type(op) in _SWAPPED and not _is_text(left, right):
            return ast.unparse(ast.BinOp(left, _SWAPPED[type(op)](), right))
        case ast.BoolOp(op, values):
            return ast.unparse(ast.BoolOp(_SWAPPED[type(op)](), values))
        case ast.UnaryOp(ast.Not(), operand):
            return ast.unparse(operand)
        case ast.Constant(value) if type(value) is int:
            return repr(value + 1)
        case ast.Constant(value) if type(value) is bool:
            return repr(not value)
        case ast.Return(value) if value is not None and not isinstance(value, ast.Constant):
            return "return None"
    return None


def _is_text(*nodes: ast.expr) -> bool:
    return any(isinstance(getattr(node, "value", None), str) for node in nodes)
