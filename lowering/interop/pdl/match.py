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

    `equal` is the tag whose value is of the root's type, if one is.
    """

    package: str
    in_graph: bool
    classes: OpClasses
    text: PatternText
    equal: str | None = None
    tags: dict[str, Typed] = field(default_factory=dict[str, Typed])
    _root_type: str = ""

    def root(self, form: OpForm) -> tuple[str, Typed]:
        """Write the whole match; return the root op and its result."""
        name = self._name(form)
        if name == RESHAPE:
            raise Unsayable("its root is a Reshape, which stays where it makes the signature")
        if not self.classes[name].has_trait(Pure):
            raise Unsayable("its root has an effect")
        self._root_type = self.text.define("type", "pdl.type")
        return self._op(form, self._root_type)

    def op_class(self, name: str) -> type[Operation]:
        """Return the class of an op; Unsayable where nothing declares it, or PDL has no form."""
        if name not in self.classes:
            raise Unsayable(f"nothing declares the op {name}")
        check_op(self.classes[name])
        return self.classes[name]

    def _op(self, form: OpForm, type_: str) -> tuple[str, Typed]:
        operands = [self._input(part).value for part in form.inputs]
        return self.text.operation(self._name(form), operands, type_)

    def _input(self, part: Expr) -> Typed:
        match part:
            case Tag(tag):
                if tag not in self.tags:
                    type_ = self._type(tag)
                    self.tags[tag] = Typed(
                        self.text.define("value", f"pdl.operand : {type_}"), type_
                    )
                return self.tags[tag]
            case Let(tag, OpForm() as form):
                if tag in self.tags:
                    raise Unsayable("a tag stands for an operand before it names an op")
                self.tags[tag] = self._op(form, self._type(tag))[1]
                return self.tags[tag]
            case OpForm():
                return self._op(part, self._type())[1]
            case _:
                raise TypeError(f"{part} is no part of a match")

    def _type(self, tag: str | None = None) -> str:
        """Return the type of an input: the root's where that is asked for, else a new one."""
        is_root = tag is not None and tag == self.equal
        return self._root_type if is_root else self.text.define("type", "pdl.type")

    def _name(self, form: OpForm) -> str:
        """Return the IR name of an op that PDL can match as rules do."""
        name = resolve(form.name, self.package)
        if form.at_least:
            raise Unsayable("it matches an op of any number of inputs")
        if name == INPUT:
            raise Unsayable("it asks for an input of the graph")
        self.op_class(name)
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
