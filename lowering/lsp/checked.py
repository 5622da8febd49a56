"""Statements of a text under edit: parsed apart from the rest, with what their names mean there."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NoReturn

from xdsl.context import Context
from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Attribute, AttributeInvT, Block, Operation, SSAValue, TypeAttribute, Use
from xdsl.parser import ForwardDeclaredValue, UnresolvedOperand
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.lexer import Input

from ...dialects.diagnostics import Fault, fail
from ...dialects.faults.op_faults import STDIN_NAME, op_at_hand
from ...dialects.text.own_op import OwnOp
from ...dialects.text.printer import source
from ...runtime.tools.errors import explain
from ...runtime.tools.source import REMEDY, LocatingParser, check_text, invalid_in
from .statements import NAME, PLAIN, Statement, StatementKind, has_symbols, names, results

_AROUND = {
    "": ("\n", ""),
    "module": ("builtin.module {\n", "\n}"),
    "func": ("func.func @f() {\n", "\n}"),
}
"""The text around statements that are parsed, by the kind of their scope: a line before them."""
_ARGUMENT = re.compile(rf"({NAME})\s*:")
_ATTRIBUTE = re.compile(r"([!#])(\w+\.[\w$.]+)")
_TENSOR = re.compile(r"tensor<[^<>\"#!]*(?:#htp\.place<[^<>\"#!]*>)?>")
_TYPES: dict[str, TypeAttribute] = {}
"""Types by their text, which no alias is in: most texts have few, and parsing one takes long."""
_MOST_TYPES = 1 << 12


@dataclass(eq=False)
class Definition:
    """The meaning of a name: values, the block of a label, or the attribute of an alias.

    It has none of these where its statement cannot be read.
    """

    item: Checked
    values: Sequence[SSAValue] = ()
    other: Block | Attribute | None = None


class StatementParser(LocatingParser):
    """Parses statements of a scope; values that nothing has defined yet are in `unresolved`.

    Where there are any, only a statement alone is taken.
    """

    def __init__(
        self,
        ctx: Context,
        text: str,
        known: Mapping[str, Definition],
        kind: str,
        is_alone: bool,
    ) -> None:
        super().__init__(ctx, text, STDIN_NAME)
        self.unresolved: dict[str, Attribute] = {}
        self._labels: dict[str, Block] = {}
        self._uses: dict[SSAValue, Use | None] = {}
        for name, each in known.items():
            if each.values:
                self.ssa_values[name[1:]] = tuple(each.values)
                self._uses.update((value, value.first_use) for value in each.values)
            elif isinstance(each.other, Block):
                # A region inside an op may have a label of the same name.
                if not re.search(rf"{re.escape(name)}\s*(?:\([^)]*\))?\s*:", text):
                    self._labels[name[1:]] = each.other
            elif each.other is not None:
                self.attribute_aliases[name] = each.other
        try:
            module = self.module()
            self.is_whole = not (self.handles or self.unresolved)
            if not (self.is_whole or is_alone):
                raise fail(STDIN_NAME, "is not right as one text", REMEDY)
        except Exception:
            self._leave()
            raise
        func = module.body.block.first_op if kind == "func" else None
        region = func.regions[0] if func else module.body
        self.body = [Block(), *region.blocks][-1]
        """The block that has the ops."""
        self.ops = {module} if not kind and module in self.begins else {*self.body.ops}

    def _leave(self) -> None:
        """Have the ops of the text use no known value any more."""
        for value, first in self._uses.items():
            while (use := value.first_use) and use is not first:
                value.remove_use(use)

    def parse_optional_type(self) -> TypeAttribute | None:
        """Parse a type if there is one; equal types are one object, as caches know them by that."""
        match = _TENSOR.match(source(self), self.pos)
        if match and (known := _TYPES.get(match[0])):
            self.lexer.pos = match.end()
            self.parse_keyword("tensor")
            return known
        type_ = super().parse_optional_type()
        if type_ is not None and len(_TYPES) >= _MOST_TYPES:
            _TYPES.clear()
        return type_ and _TYPES.setdefault(match[0] if match else str(type_), type_)

    def parse_optional_successor(self) -> Block | None:
        """Parse a label, maybe one outside of the text."""
        for name, block in self._labels.items():
            self.blocks.setdefault(name, (block, None))
        return super().parse_optional_successor()

    def resolve_operand(
        self, operand: UnresolvedOperand, type: AttributeInvT
    ) -> SSAValue[AttributeInvT]:
        """Return the value of this name, or one without an op where none is defined."""
        if operand.operand_name in self.ssa_values:
            return super().resolve_operand(operand, type)
        self.unresolved[f"%{operand.operand_name}"] = type
        return ForwardDeclaredValue(type)


@dataclass(eq=False, slots=True)
class Checked(Statement):
    """A statement that was read: its ops, what it defines and uses, and its faults.

    The places of faults count from the line before the statement. A head defines the arguments
    inside its function. `scope` is the kind of the one that it was read in.
    """

    scope: str | None = None
    ops: list[Operation] = field(default_factory=list[Operation])
    block: Block = field(default_factory=Block)
    """The block that a head or a label begins."""
    is_open: bool = True
    """A head begins its block even where nothing is in it."""
    behind: str = ""
    """The end of what a head begins."""
    lasts: Sequence[object] = ()
    """The last ops of the blocks of a head, and the types of the arguments."""
    begins: dict[Operation, int] = field(default_factory=dict[Operation, int])
    uses: Mapping[str, Definition | None] = field(default_factory=dict[str, Definition | None])
    defines: dict[str, Definition] = field(default_factory=dict[str, Definition])
    unresolved: Mapping[str, Attribute] = field(default_factory=dict[str, Attribute])
    misread: Sequence[Fault] = ()
    refused: Sequence[tuple[Checked, Fault]] | None = None
    """The faults of verifiers, with the statements that they are in.

    It is None where they have not looked yet, or may say something else.
    """
    home: Block | None = None
    """The first block of the scope where they looked."""
    is_whole: bool = False
    env: dict[str, Definition] = field(default_factory=dict[str, Definition])
    """The names of the scope that a head begins."""
    inside: Sequence[Checked] | None = None
    """The statements of that scope when it was last read; None where it is to be read."""

    def meaning(self, name: str, env: Mapping[str, Definition]) -> Definition | None:
        """Return what a name means here: what is defined before, or a label."""
        each = env.get(name)
        is_here = each and (each.item.line < self.line or isinstance(each.other, Block))
        return each if is_here else None

    def use(self, uses: Mapping[str, Definition | None]) -> None:
        """Take over what names mean; verifiers of what is used, or was, look again."""
        for each in (*self.uses.values(), *uses.values()):
            if each is not None:
                each.item.refused = None
        self.uses = uses

    def drop(self) -> None:
        """Take the ops out of the module."""
        self.use({})
        for op in self.ops:
            if op.parent is not None:
                op.detach()
            if self.kind is not StatementKind.HEAD:
                op.drop_all_references()
        self.ops = []

    def complete(self, behind: str) -> None:
        """Take over the end of what a head begins; the head is read again for another one."""
        if self.behind != behind:
            self.behind, self.scope = behind, None

    def give(self, env: dict[str, Definition]) -> None:
        """Put what the statement defines into its scope; the first definition of a name counts."""
        if self.kind is not StatementKind.HEAD:
            for name, each in self.defines.items():
                if name not in env or env[name].item.line > self.line:
                    env[name] = each

    def take(self, env: dict[str, Definition]) -> None:
        """Take back the values it defines, where they still mean this statement."""
        for name, each in self.defines.items():
            if name in env and env[name].item is self and not isinstance(each.other, Block):
                del env[name]

    def verify(self, inner: Sequence[Checked], home: Block) -> None:
        """Verify the ops, in a scope; a fault may be in one of the statements inside."""
        self.refused, self.home = (), home
        for op in self.ops:
            if not isinstance(op, OwnOp):
                # The note of an error would be all of the text.
                vars(op)["emit_error"] = _refuse
            is_empty = not any(block.first_op for r in op.regions for block in r.blocks)
            try:
                op.verify(self.kind is StatementKind.OP or is_empty)
            except VerifyException as error:
                blamed = op_at_hand(error)
                item = next((each for each in inner if blamed in each.begins), self)
                text = Input("\n" + item.text, STDIN_NAME)
                faults = invalid_in(text, item.begins, error).faults
                self.refused = [(item, fault) for fault in faults]
            except Exception as error:  # a verifier of a plug-in may raise anything
                self.refused = [(self, fault) for fault in explain(error, op.name).faults]


def _refuse(message: str, error: Exception) -> NoReturn:
    raise error


def is_foreign(item: Checked, ctx: Context) -> bool:
    """Tell whether a statement has ops or attributes that a context does not know."""
    known = {"!": ctx.get_optional_type, "#": ctx.get_optional_attr}
    kinds = (known[each[1]](each[2]) for each in _ATTRIBUTE.finditer(item.text))
    return None in kinds or any(isinstance(op, UnregisteredOp) for op in item.begins)


class StatementReader:
    """Reads statements anew: each value takes over the uses of the old value, which `was` has."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.settle()

    def settle(self) -> None:
        """Begin to note what changes."""
        self.was: dict[str, Definition] = {}
        self.names: set[str] = set()
        """The names that may mean something else now, in some scope."""
        self.touched: set[Definition | None] = set()
        """The definitions whose values are others now."""
        self.symbols = False
        """Some of what was read, or is gone, names symbols."""
        self.aliases = False
        """Some of what was read, moved or is gone is an alias, which every scope may use."""

    def read(self, items: Sequence[Checked], kind: str, env: dict[str, Definition]) -> None:
        """Parse statements that follow each other in a scope of this kind, with these names.

        Several are ops, and parsed as one text; where that is not right, each is parsed alone.
        """
        first, (before, after) = items[0].kind, _AROUND[kind]
        text = "\n".join(item.text for item in items)
        behind = "builtin.module {}" if first is StatementKind.ALIAS else items[0].behind
        content = f"{before}{text}\n{behind}{after}"
        used = [(item, dict.fromkeys(each.name for each in names(item))) for item in items]
        meanings = ((name, item.meaning(name, env)) for item, mine in used for name in mine)
        known = {name: each for name, each in meanings if each}
        if first is StatementKind.HEAD:
            known = {name: each for name, each in known.items() if name[0] in "#!"}
        parser, faults = None, tuple[Fault, ...]()
        try:
            label = next(iter(used[0][1]), "") if first is StatementKind.LABEL else ""
            if label and env[label].item is not items[0]:
                raise fail(label, f"re-declaration of block '{label[1:]}'", REMEDY)
            check_text(content, STDIN_NAME)
            parser = StatementParser(self.ctx, content, known, kind, len(items) == 1)
        except Exception as error:  # a parser of a plug-in may raise anything
            faults = tuple(explain(error, STDIN_NAME).faults)
        if len(items) > 1 and not parser:
            for item in items:
                self.read([item], kind, env)
            return
        self.symbols |= has_symbols(text)
        for item in items:
            item.take(env)
            item.drop()
            item.scope, item.misread, item.refused, item.begins = kind, faults, None, {}
            item.is_whole = parser is not None and parser.is_whole
            item.unresolved = parser.unresolved if parser else {}
        if parser:
            _hand_out(parser, items, len(before))
        for item, mine in used:
            item.use({name: item.meaning(name, env) for name in mine})
            self._define(item, parser)
            item.give(env)

    def check(self, item: Checked, kind: str, env: dict[str, Definition]) -> None:
        """Parse a statement again if it would be read otherwise than it was."""
        known, is_plain = item.uses.items(), item.is_whole and PLAIN.match(item.text)
        is_fit = item.scope == kind or (item.scope is not None and is_plain)
        if is_fit and all(item.meaning(name, env) is each for name, each in known):
            item.scope = kind
            item.give(env)
        else:
            self.read([item], kind, env)

    def note(self, items: Sequence[Checked]) -> None:
        """Note that statements come, go or move: their names may mean something else."""
        self.names.update(*(item.defines for item in items))
        self.aliases |= any(item.kind is StatementKind.ALIAS for item in items)

    def is_read(self, items: Sequence[Checked], head: Checked, kind: str) -> bool:
        """Tell whether a scope is as it was when it was last read."""
        is_same = not self.aliases and items == head.inside
        # The block is not yet in a head that was read again.
        is_same = is_same and head.block.parent_op() in head.ops
        return is_same and all(item.scope == kind for item in items)

    def look_again(self, items: Sequence[Checked], moved: set[Checked]) -> None:
        """Have those of a scope verified again whose values are others, or elsewhere, now."""
        self.symbols |= any(has_symbols(item.text) for item in moved)
        changed = self.touched.union(*(item.defines.values() for item in moved))
        # One pass over a long scope, and a closer look at few.
        near = {at + k for at, item in enumerate(items) if item in moved for k in (0, 1)}
        users = [at for at, i in enumerate(items) if not changed.isdisjoint(i.uses.values())]
        for at in near.union(users) - {len(items)}:
            item, known = items[at], items[at].uses.values()
            if not self.touched.isdisjoint(known):
                item.refused = None
            # What moved together is to each other as before.
            for other in (items[max(at - 1, 0)], *(each.item for each in known if each)):
                if (item in moved) is not (other in moved):
                    item.refused = other.refused = None

    def forget(self, gone: Sequence[Checked]) -> None:
        """Take statements out of the module; others may take over the uses of their values."""
        for item in gone:
            item.drop()
            self.was.update(item.defines)
            self.symbols |= has_symbols(item.text)

    def _define(self, item: Checked, parser: StatementParser | None) -> None:
        """Note what a statement defines; what is as before stays the same definition."""
        earlier, item.defines = item.defines, {}
        stale = [*item.block.args]
        for name, new in _definitions(item, parser):
            old = earlier.get(name) or self.was.pop(name, None)
            item.defines[name] = new
            types = [each.type for each in new.values]
            if old and old.other == new.other and [each.type for each in old.values] == types:
                for before, now in zip(old.values, new.values, strict=True):
                    before.replace_all_uses_with(now)
                old.item, old.values = item, new.values
                item.defines[name] = old
                self.touched.add(old)
        self.names.update(earlier)
        self.note([item])
        for argument in stale:
            item.block.erase_arg(argument, safe_erase=False)


def _hand_out(parser: StatementParser, items: Sequence[Checked], begin: int) -> None:
    """Give ops to the statements that have them; the first statement begins at a place."""
    starts = [*accumulate((len(item.text) + 1 for item in items), initial=begin)]
    for op, place in parser.begins.items():
        if 0 <= (at := bisect(starts, place) - 1) < len(items):
            items[at].begins[op] = place - starts[at] + 1
            items[at].ops += [op] * (op in parser.ops)


def _definitions(item: Checked, parser: StatementParser | None) -> Iterator[tuple[str, Definition]]:
    """Yield what a statement defines; without a parser, it could not be read."""
    first, known, kind = next(iter(item.uses), ""), len(item.block.args), item.kind
    if kind is StatementKind.OP:
        left = [result for op in item.ops[:1] for result in op.results]
        for name, size in results(item.text):
            yield name, Definition(item, left[:size])
            left = left[size:]
        return
    blocks: Sequence[Block] = ()
    if kind is StatementKind.LABEL:
        yield first, Definition(item, other=item.block)
        blocks = [parser.body] if parser else ()
    elif kind is StatementKind.HEAD:
        blocks = [block for op in item.ops for block in op.regions[0].blocks]
        item.is_open = bool(blocks)
    elif parser and first in parser.attribute_aliases:
        yield first, Definition(item, other=parser.attribute_aliases[first])
    for argument in blocks[0].args if blocks else ():
        item.block.insert_arg(argument.type, len(item.block.args))
    arguments = item.block.args[known:]
    for name, argument in zip(_ARGUMENT.findall(item.text), arguments, strict=False):
        yield name, Definition(item, [argument])
