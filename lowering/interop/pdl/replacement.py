"""The replacement of a rule in PDL: new operations, whose types are those of matched values."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO

import numpy as np
from xdsl.ir import Attribute, Operation

from ....dialects.htp.ops.const import const
from ....dialects.text.printer import ModulePrinter
from ....dialects.value.dtypes import DType
from ....dialects.value.spec import TensorSpec
from ...rules.graph.env import Env
from ...rules.graph.names import resolve
from ...rules.graph.options import GraphOptions
from ...rules.graph.tables import ROOT
from ...rules.tree.build import Builder, Reference
from ...rules.tree.expr import OUT, Expr, Let, OpForm, Tag
from ...rules.tree.function import Call
from ...rules.tree.walk import options_in, walk
from .match import Matched
from .text import Typed, Unsayable

_ONE = TensorSpec((1, 1, 1, 1), DType.Float32)


class Replacement:
    """Writes the body of a rewrite."""

    def __init__(self, matched: Matched, root: Typed) -> None:
        self._matched = matched
        self._text = matched.text
        self._tags = {**matched.tags, ROOT: root}

    def value(self, expr: Expr, type_: str) -> Typed:
        """Write an expression, whose ops give the type; return its value."""
        match expr:
            case Tag(tag):
                return self._tags[tag]
            case OpForm(name, inputs) if name != OUT:
                operands = [self.value(part, type_).value for part in inputs]
                full = resolve(name, self._matched.package)
                self._matched.op_class(full)
                return self._text.operation(full, operands, type_)[1]
            case Call(function, (Tag(tag), body)) if function.name == "WITH_SAME_OUTPUT":
                return self.value(body, self._tags[tag].type)
            case Call(function):
                # What reads neither the match nor an option is the same constant for each match.
                reads = any(isinstance(part, Tag | Let | OpForm) for part in walk(expr))
                if not reads and not options_in(expr):
                    return self._constant(expr)
                raise Unsayable(f"its replacement computes {function.name}")
            case _:
                raise Unsayable("its replacement takes one of several outputs")

    def _constant(self, expr: Expr) -> Typed:
        """Write the constant that the engine would make."""
        if self._matched.in_graph:
            raise Unsayable("it makes a constant of the graph")
        model = const(np.zeros(_ONE.shape), _ONE)
        env = Env({}, GraphOptions(), self._matched.package)
        builder = Builder(env, model, self._matched.classes)
        op = expr.build(builder, Reference(_ONE)).owner
        if not isinstance(op, Operation):
            raise TypeError(f"{expr} makes no op")
        type_ = self._text.define("type", f"pdl.type : {_text(op.results[0].type)}")
        return self._text.operation(op.name, [], type_, list(self._attributes(op)))[1]

    def _attributes(self, op: Operation) -> Iterator[str]:
        for name, value in op.properties.items():
            yield f'"{name}" = {self._text.define("attribute", f"pdl.attribute = {_text(value)}")}'


def _text(attribute: Attribute) -> str:
    stream = StringIO()
    ModulePrinter(stream).print_attribute(attribute)
    return stream.getvalue()
