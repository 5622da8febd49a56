"""The match of a rule in PDL: a tree of operations over operands."""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, VarOperandDef
from xdsl.traits import Pure

from ....dialects.qti_aisw.base import GraphOp
from ....dialects.qti_aisw.ops.const import ConstOp as GraphConst
from ...rules.graph.graph import CONST, INPUT, RESHAPE
from ...rules.graph.inputs import params_of
from ...rules.graph.names import resolve
from ...rules.tree.build import OpClasses
from ...rules.tree.expr import Expr, Let, OpForm, Tag
from .text import PatternText, Typed, Unsayable


@dataclass
class Matched:
    """The text of a match as it grows, and what its tags are bound to.

    `equal` are the tags whose values are of the root's type.
    """

    package: str
    in_graph: bool
    classes: OpClasses
    text: PatternText
    equal: frozenset[str] = frozenset()
    tags: dict[str, Typed] = field(default_factory=dict[str, Typed])

    def root(self, form: OpForm) -> tuple[str, Typed]:
        """Write the whole match; return the root op and its result."""
        name = self._name(form)
        if name == RESHAPE:
            raise Unsayable("its root is a Reshape, which stays where it makes the signature")
        if not self.classes[name].has_trait(Pure):
            raise Unsayable("its root has an effect")
        return self._op(form, self.text.define("type", "pdl.type"))

    def _op(self, form: OpForm, type_: str) -> tuple[str, Typed]:
        operands = [self._input(part, type_).value for part in form.inputs]
        return self.text.operation(self._name(form), operands, type_)

    def _input(self, part: Expr, root_type: str) -> Typed:
        match part:
            case Tag(tag):
                if tag not in self.tags:
                    equal = tag in self.equal
                    type_ = root_type if equal else self.text.define("type", "pdl.type")
                    operand = self.text.define("value", f"pdl.operand : {type_}")
                    self.tags[tag] = Typed(operand, type_)
                return self.tags[tag]
            case Let(tag, form):
                if tag in self.tags:
                    raise Unsayable("a tag stands for an operand before it names an op")
                self.tags[tag] = self._input(form, root_type)
                return self.tags[tag]
            case OpForm():
                return self._op(part, self.text.define("type", "pdl.type"))[1]
            case _:
                raise TypeError(f"{part} is no part of a match")

    def _name(self, form: OpForm) -> str:
        """Return the IR name of an op that PDL can match as rules do."""
        name = resolve(form.name, self.package)
        if form.at_least:
            raise Unsayable("it matches an op of any number of inputs")
        if name == INPUT:
            raise Unsayable("it asks for an input of the graph")
        check_op(self.classes[name])
        return GraphConst.name if name == CONST and self.in_graph else name


def check_op(op: type[Operation]) -> None:
    """Raise Unsayable for an op of several results, or with params that rules see as inputs."""
    if not issubclass(op, IRDLOperation):
        raise TypeError(f"{op.name} has no definition")
    definition = op.get_irdl_definition()
    if len(definition.results) != 1:
        raise Unsayable("an op of it has several results")
    if issubclass(op, GraphOp):
        if params_of(op):
            raise Unsayable("the params of a graph op are inputs to it, and attributes to PDL")
        if any(isinstance(operand, VarOperandDef) for _, operand in definition.operands):
            raise Unsayable("it matches an op of any number of inputs")
