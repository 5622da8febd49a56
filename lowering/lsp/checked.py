"""One statement of a text under edit: parsed alone, in the scope of the values around it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache

from xdsl.context import Context
from xdsl.ir import Attribute, AttributeInvT, Block, Operation, OpResult, SSAValue, TypeAttribute
from xdsl.parser import ForwardDeclaredValue, UnresolvedOperand
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.lexer import Input

from ...dialects.diagnostics import Fault
from ...dialects.faults.source_lines import STDIN_NAME
from ...runtime.tools.errors import explain
from ...runtime.tools.source import LocatingParser, invalid_in
from ...runtime.tools.text_guard import check_text
from .statements import NAME, Statement, StatementKind, names, results

Values = tuple[SSAValue, ...]
_AROUND = {
    "": ("\n", ""),
    "module": ("builtin.module {\n", "\n}"),
    "func": ("func.func @f() {\n", "\n}"),
}
"""The text around a statement that is parsed, by the kind of its scope: a line before it."""
_BEHIND = {StatementKind.HEAD: "\n}", StatementKind.ALIAS: "\nbuiltin.module {}"}
"""The text that completes a statement."""
_ALIAS = re.compile(r"[#!][A-Za-z_][\w$]*(?![\w$.])")
_ARGUMENT = re.compile(rf"({NAME})\s*:")


@lru_cache(maxsize=1 << 12)
def one_of(type_: TypeAttribute) -> TypeAttribute:
    """Return one object for all types that are equal: caches know types by their identity."""
    return type_


class StatementParser(LocatingParser):
    """Parses one statement; values that nothing has defined yet are kept in `unresolved`."""

    def __init__(
        self,
        ctx: Context,
        text: str,
        values: Mapping[str, Values],
        aliases: Mapping[str, Attribute],
    ) -> None:
        super().__init__(ctx, text, STDIN_NAME)
        self.ssa_values.update(values)
        self.attribute_aliases.update(aliases)
        self.unresolved: dict[str, Attribute] = {}

    def parse_optional_type(self) -> TypeAttribute | None:
        """Parse a type if there is one."""
        type_ = super().parse_optional_type()
        return None if type_ is None else one_of(type_)

    def resolve_operand(
        self, operand: UnresolvedOperand, type: AttributeInvT
    ) -> SSAValue[AttributeInvT]:
        """Return the value of this name, or one without an op where none is defined."""
        if operand.operand_name in self.ssa_values:
            return super().resolve_operand(operand, type)
        self.unresolved[operand.operand_name] = type
        return ForwardDeclaredValue(type)


@dataclass(eq=False)
class Checked:
    """A statement that was read: its ops, the values of its names, and its faults.

    The places of faults count from the line before the statement. `aliases` are those that it
    names; `arguments` are the values that a head or a label defines inside.
    """

    statement: Statement
    content: str = ""
    ops: Sequence[Operation] = ()
    begins: Mapping[Operation, int] = field(default_factory=dict[Operation, int])
    defines: Mapping[str, Values] = field(default_factory=dict[str, Values])
    arguments: Mapping[str, Values] = field(default_factory=dict[str, Values])
    unresolved: Mapping[str, Attribute] = field(default_factory=dict[str, Attribute])
    aliases: Mapping[str, Attribute | None] = field(default_factory=dict[str, Attribute | None])
    new_aliases: Mapping[str, Attribute] = field(default_factory=dict[str, Attribute])
    misread: Sequence[Fault] = ()
    refused: Sequence[Fault] | None = None
    """The faults of verifiers; None where they have not looked yet, or may say something else."""
    is_whole: bool = True

    @property
    def owned(self) -> Operation | None:
        """The function or module that the statement begins."""
        is_head = self.statement.kind is StatementKind.HEAD
        return self.ops[0] if is_head and self.ops else None

    def is_stale(self, aliases: Mapping[str, Attribute], taken: Set[str]) -> bool:
        """Tell whether the statement may read otherwise now; `taken` are names of others."""
        return bool(
            self.misread
            or self.unresolved
            or (self.aliases and any(aliases.get(n) is not v for n, v in self.aliases.items()))
            or not taken.isdisjoint(self.defines)
        )

    def read(
        self,
        ctx: Context,
        kind: str,
        env: Mapping[str, Values],
        aliases: Mapping[str, Attribute],
    ) -> None:
        """Parse the statement, in a scope of this kind with these values."""
        text, self.is_whole = self.statement.text, False
        before, after = _AROUND[kind]
        self.content = f"{before}{text}{_BEHIND.get(self.statement.kind, '')}{after}"
        self.aliases = {name: aliases.get(name) for name in _ALIAS.findall(text)}
        self.ops, self.misread, self.refused = (), (), None
        self.defines, self.arguments, self.unresolved, self.new_aliases = {}, {}, {}, {}
        used = {token.name[1:] for token in names(self.statement)}
        known = {} if self.statement.kind is StatementKind.HEAD else env
        try:
            check_text(self.content, STDIN_NAME)
            values = {name: known[name] for name in used if name in known}
            parser = StatementParser(ctx, self.content, values, aliases)
            module = parser.module()
        except Exception as error:  # a parser of a plug-in may raise anything
            self.misread = explain(error, STDIN_NAME).faults
            return
        self.unresolved, self.begins = parser.unresolved, parser.begins
        self.is_whole = not (parser.handles or parser.unresolved)
        every = parser.attribute_aliases.items()
        self.new_aliases = {name: value for name, value in every if name not in aliases}
        outer = module.body.block.first_op if kind == "func" else module
        if self.statement.kind is StatementKind.ALIAS or outer is None:
            return
        if not kind and module in self.begins:
            self.ops = [module]
        elif self.statement.kind is StatementKind.LABEL:
            self.arguments = self._arguments(outer.regions[0].blocks[-1])
        else:
            self.ops = list(outer.regions[0].block.ops)
        self._name()

    def _name(self) -> None:
        """Give the results, and the arguments of a head, their names in the text."""
        for op in self.ops:
            if op.parent is not None:
                op.detach()
        left = [result for op in self.ops[:1] for result in op.results]
        defines = {}
        for name, size in results(self.statement.text):
            defines[name[1:]], left = tuple(left[:size]), left[size:]
        self.defines = defines
        if self.owned and self.owned.regions[0].blocks:
            self.arguments = self._arguments(self.owned.regions[0].blocks[0])

    def _arguments(self, block: Block) -> Mapping[str, Values]:
        texts = _ARGUMENT.findall(self.statement.text)
        return {name[1:]: (value,) for name, value in zip(texts, block.args, strict=False)}

    def verify(self) -> None:
        """Verify the ops, unless nothing that counts has changed since."""
        if self.refused is not None:
            return
        self.refused = ()
        for op in self.ops:
            is_empty = not any(block.first_op for r in op.regions for block in r.blocks)
            try:
                op.verify(self.statement.kind is StatementKind.OP or is_empty)
            except VerifyException as error:
                text = Input(self.content, STDIN_NAME)
                self.refused = invalid_in(text, self.begins, error).faults
            except Exception as error:  # a verifier of a plug-in may raise anything
                self.refused = explain(error, op.name).faults

    def makers(self) -> Iterator[Operation]:
        """Yield the ops that the statement reads: their verifiers may look at their readers."""
        for op in self.ops:
            yield from (value.op for value in op.operands if isinstance(value, OpResult))

    def drop(self) -> None:
        """Take the ops out of the module; the body of a head is left alone."""
        for op in self.ops:
            if op.parent is not None:
                op.detach()
            if op is not self.owned:
                op.drop_all_references()
