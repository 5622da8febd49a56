"""A text under edit as IR: statements that an edit does not touch are not read again.

Each statement is parsed alone, and its ops go into the block where they belong. Of a scope the
statements before and behind an edit keep their ops. An op that is read again with the same types
takes over the uses of the old one, whose users are verified again; users of a value that is gone or
has another type are read again. Cost of an edit: a comparison of the lines, and the statements that
changed with their users.

Example: in `%a = P(%x)`, `%b = Q(%a)`, an edit of P reads the first line, and verifies both.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Block, Operation

from ...dialects.diagnostics import Fault, Position
from .checked import Checked, Values
from .statements import LineShape, NameToken, Statement, StatementKind, names, results, statements

Key = tuple[str, int]
"""The symbol of a function, empty for a piece of the file, and its number among those alike."""
_FIRST = re.compile(r"(%[\w$.-]+) is first at .*")
_REMEDY = "correct the text"
_MANY = 1000
"""Statements of a text that is read as a whole."""


@dataclass(eq=False)
class LiveScope:
    """The statements of a function, of a module or of a piece of the file, and their values.

    `definers` has the statement that defines each value, also those that cannot be read. `line` is
    that of the head, `end` the one behind the last.
    """

    kind: str = ""
    block: Block = field(default_factory=lambda: ModuleOp([]).body.block)
    head: Checked | None = None
    owner: Operation | None = None
    """The function or module that the block is in; None where the head cannot be read."""
    line: int = 0
    end: int = 0
    depth: int = 0
    """Functions and modules around the statements."""
    statements: list[Statement] = field(default_factory=list[Statement])
    children: list[LiveScope] = field(default_factory=list["LiveScope"])
    items: list[Checked] = field(default_factory=list[Checked])
    env: dict[str, Values] = field(default_factory=dict[str, Values])
    definers: dict[str, Checked] = field(default_factory=dict[str, Checked])
    aliases: dict[str, Attribute] = field(default_factory=dict[str, Attribute])
    """The aliases of the piece, which all its scopes share."""
    arguments: Mapping[str, Values] = field(default_factory=dict[str, Values])
    last: Operation | None = None
    is_plain: bool = True
    """The body is a block without labels."""

    def read(self, item: Checked, ctx: Context, was: Mapping[str, Values]) -> list[Operation]:
        """Parse a statement; return the users of those of the old values that it replaces."""
        item.read(ctx, self.kind, self.env, self.aliases)
        self.aliases.update(item.new_aliases)
        for name, _ in results(item.statement.text):
            self.definers.setdefault(name[1:], item)
        is_label = item.statement.kind is StatementKind.LABEL
        return self.define(item, item.arguments if is_label else item.defines, was)

    def define(
        self, item: Checked, values: Mapping[str, Values], was: Mapping[str, Values]
    ) -> list[Operation]:
        """Add values, with the uses of old ones of the same types; return their users."""
        users: list[Operation] = []
        for name, new in values.items():
            old = was.get(name, ())
            if [each.type for each in old] == [each.type for each in new]:
                for before, now in zip(old, new, strict=True):
                    users += [use.operation for use in before.uses]
                    before.replace_all_uses_with(now)
            self.env[name], self.definers[name] = new, item
        return users

    def forget(self, item: Checked, values: Mapping[str, Values]) -> dict[str, Values]:
        """Take the values of a statement out of the scope, and return them."""
        for name, _ in results(item.statement.text):
            if self.definers.get(name[1:]) is item:
                del self.definers[name[1:]]
        for alias in item.new_aliases:
            self.aliases.pop(alias, None)
        mine = {name: old for name, old in values.items() if self.env.get(name) is old}
        for name in mine:
            del self.env[name]
        return mine

    def arrange(self) -> None:
        """Put the ops of the statements into the block, in their order."""
        before: Operation | None = None
        for item in self.items:
            for op in item.ops:
                if op.parent is not self.block or op.prev_op is not before:
                    if op.parent is not None:
                        op.detach()
                    if before is not None:
                        self.block.insert_op_after(op, before)
                    elif self.block.first_op is not None:
                        self.block.insert_op_before(op, self.block.first_op)
                    else:
                        self.block.add_op(op)
                before = op


class LiveText:
    """The IR of a text, kept up to date: its statements by scope, and the faults of all."""

    def __init__(self, name: str, ctx: Context) -> None:
        self.name, self.ctx = name, ctx
        self.lines: Sequence[str] = ()
        self.scopes: dict[Key, LiveScope] = {}
        self._shapes: dict[str, LineShape] = {}
        self._of: dict[Operation, Checked] = {}

    def update(self, text: str) -> list[Fault]:
        """Take a new text; return the faults of all statements, in the order of their places."""
        self.lines = text.split("\n")
        is_free = "--allow-unregistered-dialect" in text
        if is_free != self.ctx.allow_unregistered:
            self.ctx.allow_unregistered, self.scopes = is_free, {}
        faults = self._part()
        is_balanced = not faults
        changed = [item for scope in self.scopes.values() for item in self._settle(scope)]
        if len(changed) > _MANY:
            # What is read once stays for long: the collector need not look at it again.
            gc.freeze()
        symbols = any("@" in item.statement.text for item in changed)
        for scope in self.scopes.values():
            for item in scope.items:
                if symbols and "@" in item.statement.text:
                    item.refused = None
                if item.refused != ():
                    faults += self._faults(item, scope, is_balanced)
        return sorted(faults, key=_place)

    def _part(self) -> list[Fault]:
        """Part the text into scopes; return the faults of brackets around them."""
        faults: list[Fault] = []
        before, self.scopes = self.scopes, {}
        stack: list[LiveScope] = []

        self._open(stack, before, "", "", 0)
        heads: list[Statement] = []
        for statement in statements(self.lines, self._shapes):
            if statement.kind is StatementKind.CUT:
                faults += self._unclosed(heads)
                stack[0].end = statement.line
                stack, heads = [], []
                self._open(stack, before, "", "", statement.end)
            elif statement.kind is StatementKind.END:
                if heads:
                    heads.pop()
                    stack.pop().end = statement.end
                else:
                    faults.append(self._fault(statement, "}", "Could not parse entire input!"))
            elif statement.kind is not StatementKind.METADATA:
                stack[-1].statements.append(statement)
                stack[-1].is_plain &= statement.kind is not StatementKind.LABEL
                if statement.kind is StatementKind.HEAD:
                    heads.append(statement)
                    kind = "func" if statement.text.lstrip().startswith("func") else "module"
                    symbols = (each.name for each in names(statement) if each.name[0] == "@")
                    self._open(stack, before, next(symbols, kind), kind, statement.line)
        for key in before.keys() - self.scopes.keys():
            for op in [op for item in before[key].items for op in item.ops]:
                self._of.pop(op, None)
        return [*faults, *self._unclosed(heads)]

    def _open(
        self,
        stack: list[LiveScope],
        before: Mapping[Key, LiveScope],
        symbol: str,
        kind: str,
        line: int,
    ) -> None:
        """Put a scope on the stack; that of a function of the same name is the same as before."""
        key = next(key for n in count() if (key := (symbol, n)) not in self.scopes)
        scope = self.scopes[key] = before.get(key) or LiveScope()
        scope.kind, scope.line, scope.end = kind, line, len(self.lines)
        scope.depth = len(stack)
        scope.statements, scope.children, scope.is_plain = [], [], True
        if stack:
            scope.aliases = stack[0].aliases
            stack[-1].children.append(scope)
        stack.append(scope)

    def _unclosed(self, heads: Sequence[Statement]) -> list[Fault]:
        return [self._fault(head, "{", "'{' is never closed") for head in heads[-1:]]

    def _settle(self, scope: LiveScope) -> list[Checked]:
        """Read what changed in a scope; return the statements that were read, or are gone."""
        pool: dict[str, list[Checked]] = {}
        for item in reversed(scope.items):
            pool.setdefault(item.statement.text, []).append(item)
        scope.items = []
        for each in scope.statements:
            known = pool.get(each.text)
            item = known.pop() if known else Checked(each)
            item.statement = each
            scope.items.append(item)
        gone = [item for known in pool.values() for item in known]
        fresh = [item for item in scope.items if not item.content]
        was = self._enter(scope)
        if gone or fresh or was is not None:
            gone += self._read(scope, gone, fresh, was or {})
            scope.arrange()
            if scope.block.last_op is not scope.last:
                # The verifiers look for a terminator.
                self._mark(op for op in (scope.last, scope.block.last_op, scope.owner) if op)
                scope.last = scope.block.last_op
        heads = (item for item in scope.items if item.statement.kind is StatementKind.HEAD)
        for child, head in zip(scope.children, heads, strict=True):
            child.head = head
        return gone

    def _enter(self, scope: LiveScope) -> dict[str, Values] | None:
        """Take the block and the arguments of another head; return the old arguments."""
        owner = scope.head.owned if scope.head else scope.owner
        if scope.head is None or owner is scope.owner:
            return None
        scope.owner = owner
        was = scope.forget(scope.head, scope.arguments)
        if owner is None:
            scope.block, scope.arguments = ModuleOp([]).body.block, {}
            return was
        if not owner.regions[0].blocks:
            owner.regions[0].add_block(Block())
        scope.block, scope.arguments = owner.regions[0].blocks[0], scope.head.arguments
        self._mark(scope.define(scope.head, scope.arguments, was))
        return was

    def _read(
        self,
        scope: LiveScope,
        gone: Sequence[Checked],
        fresh: Sequence[Checked],
        was: dict[str, Values],
    ) -> list[Checked]:
        """Read statements, and those that hang on them; return all that were read.

        `was` are values that are gone from the scope already.
        """
        taken = {name[1:] for each in fresh for name, _ in results(each.statement.text)}
        taken.update(scope.arguments)
        stale = [
            item for item in scope.items if item.content and item.is_stale(scope.aliases, taken)
        ]
        for item in (*gone, *stale):
            was.update(self._forget(scope, item))
        todo, done = [*fresh, *stale], set[Checked]()
        while todo:
            done.update(todo)
            for item in sorted(todo, key=lambda item: item.statement.line):
                self._mark(scope.read(item, self.ctx, was))
                self._of.update(dict.fromkeys(item.ops, item))
                self._mark(item.makers())
            uses = [use for values in was.values() for value in values for use in value.uses]
            users = dict.fromkeys(self._item(use.operation) for use in uses)
            todo = [item for item in users if item and item not in done]
            for item in todo:
                was.update(self._forget(scope, item))
        return list(done)

    def _forget(self, scope: LiveScope, item: Checked) -> dict[str, Values]:
        is_label = item.statement.kind is StatementKind.LABEL
        self._mark(item.makers())
        for op in item.ops:
            self._of.pop(op, None)
        item.drop()
        return scope.forget(item, item.arguments if is_label else item.defines)

    def _item(self, op: Operation | None) -> Checked | None:
        """Return the statement that has an op, maybe in a region of its own op."""
        while op is not None and op not in self._of:
            op = op.parent_op()
        return self._of[op] if op is not None else None

    def _mark(self, users: Iterable[Operation]) -> None:
        """Have the statements of ops verified again."""
        for item in map(self._item, users):
            if item is not None:
                item.refused = None

    def _fault(self, statement: Statement, name: str, problem: str) -> Fault:
        """Make a fault about the last place of a text in a statement."""
        at = max(statement.text.rfind(name), 0)
        line = statement.line + statement.text.count("\n", 0, at) + 1
        place = Position(self.name, line, at - statement.text.rfind("\n", 0, at))
        return Fault(str(place), problem, _REMEDY, place=place, width=len(name))

    def _faults(self, item: Checked, scope: LiveScope, is_balanced: bool) -> Iterator[Fault]:
        """Yield the faults of a statement, with their places in the file.

        Verifiers look at what stands in its place: in no text whose brackets do not match.
        """
        for fault in item.misread:
            yield self._placed(fault, item.statement)
        if scope.head and scope.head.misread:
            return
        for name, type_ in item.unresolved.items():
            yield from self._unresolved(item, scope, name, type_)
        # A head looks at all that is in it.
        inner = [each for child in scope.children if child.head is item for each in child.items]
        if item.ops and item.ops[-1].next_op is None:
            # What should end the block may be what cannot be read.
            inner += [each for each in scope.items if each.misread]
        if is_balanced and scope.is_plain and all(each.is_whole for each in (item, *inner)):
            item.verify()
            for fault in item.refused or ():
                yield self._placed(fault, item.statement)

    def _unresolved(
        self, item: Checked, scope: LiveScope, name: str, type_: Attribute
    ) -> Iterator[Fault]:
        """Yield a fault about a value that nothing defines, or that has another type later."""
        value = f"%{name}"
        if name in scope.env:
            defined = scope.env[name][0].type
            if defined != type_:
                problem = (
                    f"Result {value} is defined with type {defined}, but used with type {type_}"
                )
                yield self._fault(scope.definers[name].statement, value, problem)
        elif name not in scope.definers:
            yield self._fault(item.statement, value, f"{value} is not defined")

    def _placed(self, fault: Fault, statement: Statement) -> Fault:
        """Move a fault of a statement to its place in the file."""
        place = fault.place or Position("", 2, 1)
        line = min(statement.line + place.line - 1, statement.end)
        now = replace(place, file=self.name, line=line)
        if line < statement.line + place.line - 1:
            now = replace(now, column=len(self.lines[line - 1]) or 1)
        problem = _FIRST.sub(lambda match: self._first(match[1]), fault.problem)
        return replace(fault, where=str(now), place=now, problem=problem)

    def _first(self, name: str) -> str:
        """Say where a name is first in the text."""
        pattern = re.compile(rf"{re.escape(name)}(?![\w.$-])")
        for number, line in enumerate(self.lines, 1):
            if match := pattern.search(line):
                return f"{name} is first at {self.name}:{number}:{match.start() + 1}"
        return name

    def scope_at(self, line: int) -> LiveScope:
        """Return the innermost scope that has a line, which counts from 0."""
        around = [scope for scope in self.scopes.values() if scope.line <= line < scope.end]
        return around[-1] if around else next(iter(self.scopes.values()))

    def tokens(self, scope: LiveScope | None = None) -> Iterator[NameToken]:
        """Yield the names in a scope and its head, or in all of the text."""
        for each in [scope] if scope else self.scopes.values():
            heads = [scope.head.statement] if scope and scope.head else []
            for statement in (*heads, *each.statements):
                yield from names(statement)


def _place(fault: Fault) -> tuple[int, int]:
    return (fault.place.line, fault.place.column) if fault.place else (0, 0)
