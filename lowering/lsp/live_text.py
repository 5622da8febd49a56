"""A text under edit as IR: statements that an edit does not touch are not read again.

Each statement keeps what its names meant when it was read, and an edit notes the names that may
mean something else. Statements that have such a name are looked at in their order, and read again
where it does. An op that is read again with the same types takes over the uses of the old one, so
its users stay, and are verified again. Cost of an edit: a comparison of sets for each statement of
the function, one of lists for each other function, and the statements that changed.

Example: in `%a = P(%x)`, `%b = Q(%a)`, an edit of P reads the first line, and verifies both.
"""

import re
from bisect import bisect, bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from functools import cache, partial
from itertools import count, groupby, islice, takewhile
from operator import attrgetter, eq

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.diagnostics import Fault, Position
from ...dialects.value.limits import MAX_NESTING
from ...runtime.tools.source import CLOSES_NOTHING, REMEDY, too_deep
from ..packages.loading import packages_of
from ..packages.packages import registered
from .checked import Checked, Definition, StatementReader, is_foreign
from .statements import (
    IS_MODULE,
    Statement,
    StatementKind,
    has_symbols,
    names,
    statements,
    too_many_ends,
)

_FIRST = re.compile(r"(%[\w$.-]+) is first at .*")
_SLICE = 50
"""Statements that are read before something else may be done."""
_LINE = attrgetter("line")


@dataclass(eq=False)
class LiveScope:
    """The statements of a function, of a module or of a piece of the file, and their names.

    `end` is the line behind the last one; `depth` counts the scopes around.
    """

    kind: str
    head: Checked
    end: int
    depth: int
    items: list[Checked] = field(default_factory=list[Checked])

    @property
    def env(self) -> dict[str, Definition]:
        """The meanings of names at the end of the scope."""
        return self.head.env

    def arrange(self) -> set[Checked]:
        """Put the ops of the statements into their blocks; return those that were elsewhere."""
        block, last, before, label = self.head.block, self.head, None, StatementKind.LABEL
        is_open = self.head.is_open
        if self.items and self.kind and not block.args:
            is_open = self.items[0].kind is not label
        blocks, ends, moved = [block] * is_open, [self.head], set[Checked]()
        for item in self.items:
            if item.kind is label and self.kind:
                ends.append(last)
                block, before = item.block, None
                blocks.append(block)
            for op in item.ops:
                if op.parent is not block or (item.refused is None and op.prev_op is not before):
                    if op.parent is not None:
                        op.detach()
                        moved.add(item)
                    else:
                        last.refused = None
                    place = InsertPoint.after(before) if before else InsertPoint.at_start(block)
                    Rewriter.insert_op(op, place)
                before, last = op, item
        region = self.head.ops[0].regions[0] if self.head.ops else None
        arguments = [each.type for block in blocks[:1] for each in block.args]
        lasts: list[object] = [*arguments, *(each.last_op for each in blocks)]
        if region is not None and [*region.blocks] != blocks:
            for each in (*region.blocks, *blocks):
                if each.parent is not None:
                    each.parent.detach_block(each)
            region.add_block(blocks)
            lasts.append(None)
        if lasts != self.head.lasts:
            # The verifiers look for terminators.
            self.head.lasts = lasts
            for item in (*ends, last):
                item.refused = None
        return moved


def _taken_over(
    before: Sequence[Checked], new: Sequence[Statement]
) -> tuple[list[Checked], list[Checked]]:
    """Return the new statements, as before where the text is the same, and those that are gone.

    A new head has the block of one that is gone, with what is in it, so that the ops stay there.
    """
    pool: dict[str, list[Checked]] = {each.text: [] for each in new}
    for item in reversed(before):
        pool.setdefault(item.text, []).append(item)
    after = [
        pool[each.text].pop() if pool[each.text] else Checked(each.kind, each.line, each.text)
        for each in new
    ]
    gone = [item for known in pool.values() for item in known]
    heads = [item for item in gone if item.kind is StatementKind.HEAD]
    for item in after:
        if item.kind is StatementKind.HEAD and not item.ops and heads:
            head = heads.pop()
            item.block, item.env, item.inside = head.block, head.env, head.inside
    return after, gone


def _alike(old: Sequence[object], new: Sequence[object]) -> tuple[int, int]:
    """Return how many elements two sequences begin with, and how many more they end with."""
    low = len([*takewhile(bool, map(eq, old, new))])
    same = len([*takewhile(bool, map(eq, reversed(old), reversed(new)))])
    return low, min(same, len(old) - low, len(new) - low)


class LiveText:
    """The IR of a text, kept up to date: its statements by scope, and the faults of all."""

    def __init__(self, name: str, ctx: Context) -> None:
        self.name, self.ctx = name, ctx
        self.lines = [""]
        self.scopes: list[LiveScope] = []
        self.faults: Sequence[Fault] = ()
        self.items: list[Checked] = []
        # All rules are looked through for an op.
        self.registered = cache(partial(registered, packages_of(ctx)))
        self._roots: list[Checked] = []
        self._inner: Mapping[Checked, LiveScope] = {}
        self._reader = StatementReader(ctx)

    def write(self, text: str) -> None:
        """Take over a new text where it differs."""
        new = text.split("\n")
        low, same = _alike(self.lines, new)
        self.edit(low, len(self.lines) - same, new[low : len(new) - same])

    def edit(self, low: int, high: int, lines: Sequence[str]) -> None:
        """Replace lines, and part what that touches into statements anew."""
        items, end = self.items, low + len(lines)
        shift = end - high
        self.lines[low:high] = lines
        # The statement before the edit may go on in it.
        first, last = max(bisect_left(items, low, key=_LINE) - 1, 0), len(items)
        new: list[Statement] = []
        for each in statements(self.lines, items[first].line if first else 0):
            at = bisect_left(items, each.line - shift, key=_LINE)
            if each.line >= end and [*map(_LINE, items[at : at + 1])] == [each.line - shift]:
                last = at
                break
            new.append(each)
        before = items[first:last]
        after, gone = _taken_over(before, new)
        for item in items[last:] if shift else ():
            item.line += shift
        for item, each in zip(after, new, strict=True):
            item.line, item.refused = each.line, None
        items[first:last] = after
        self._reader.note(before)
        self._reader.note(after)
        self._reader.forget(gone)

    def read(self) -> Iterator[None]:
        """Read part by part what edits touched; another one may come before the end of this."""
        reader = self._reader
        is_free = "--allow-unregistered-dialect" in "\n".join(self.lines)
        if is_free != self.ctx.allow_unregistered:
            self.ctx.allow_unregistered = False
            for item in self.items:
                if item.misread or is_foreign(item, self.ctx):
                    item.scope = None
            self.ctx.allow_unregistered = is_free
        faults = self._part()
        is_balanced = not faults
        for scope in [each for each in self.scopes if not each.depth]:
            yield from self._walk(scope, {})
        if reader.symbols:
            # A module looks for symbols that are there twice.
            for item in (*self._inner, *self.items):
                if item in self._inner or has_symbols(item.text):
                    item.refused = None
        reader.settle()
        for scope in self.scopes:
            root = () if scope.depth else (scope.head,)
            for number, item in enumerate((*root, *scope.items)):
                if item.refused != () or item.home is not scope.head.block:
                    faults += self._faults(item, scope, is_balanced)
                    if number % _SLICE == 0:
                        yield
        self.faults = sorted(faults, key=lambda each: astuple(each.place) if each.place else ())

    def _part(self) -> list[Fault]:
        """Part the statements into scopes; return the faults of brackets around them."""
        unmatched, early = too_many_ends(self.items)
        faults = [self._fault(item, "}", CLOSES_NOTHING) for item in unmatched]
        for item in early:
            faults.append(self._fault(item, "}", "'}' closes a function that goes on", "remove it"))
        self.scopes = []
        pieces = count()
        stack = [self._root(0, next(pieces))]
        for kind, group in groupby(self.items, attrgetter("kind")):
            if kind is StatementKind.OP:
                stack[-1].items += group
                continue
            for item in group:
                if kind is StatementKind.CUT:
                    faults += self._unclosed(stack)
                    stack[0].end = item.line
                    stack = [self._root(item.end, next(pieces))]
                elif kind is StatementKind.END:
                    if len(stack) > 1 and item not in early:
                        stack[-1].head.complete(item.text)
                        stack.pop().end = item.end
                else:
                    head = stack[-1].head
                    if kind is StatementKind.LABEL and "%" in head.text and not stack[-1].items:
                        problem = "invalid block name in region with named arguments"
                        faults.append(self._fault(item, "^", problem))
                    stack[-1].items.append(item)
                if kind is StatementKind.HEAD:
                    if len(stack) == MAX_NESTING + 1:
                        # No deeper one is read.
                        faults.append(self._fault(item, "{", *too_deep(len(stack))))
                    scope = "module" if IS_MODULE.match(item.text) else "func"
                    stack.append(self._open(scope, item, len(stack)))
        self._inner = {each.head: each for each in self.scopes}
        return [*faults, *self._unclosed(stack)]

    def _open(self, kind: str, head: Checked, depth: int) -> LiveScope:
        self.scopes.append(LiveScope(kind, head, len(self.lines), depth))
        return self.scopes[-1]

    def _root(self, line: int, index: int) -> LiveScope:
        """Begin a piece of the file; they are counted from 0."""
        if index == len(self._roots):
            module = ModuleOp([])
            root = Checked(StatementKind.HEAD, line, "", "", [module], module.body.block)
            root.is_whole = True
            self._roots.append(root)
        self._roots[index].line = line
        return self._open("", self._roots[index], 0)

    def _unclosed(self, stack: Sequence[LiveScope]) -> list[Fault]:
        heads = [scope.head for scope in stack[1:]]
        for head in heads:
            head.complete("}) : () -> ()" if head.is_generic else "}")
        return [self._fault(head, "{", "'{' is never closed") for head in heads[-1:]]

    def _walk(self, scope: LiveScope, outer: Mapping[str, Definition]) -> Iterator[None]:
        """Read the statements of a scope that are new, or whose names mean something else.

        A scope with the statements of its last reading is passed over, but for the scopes in it.
        """
        if scope.depth > MAX_NESTING:
            return
        head, env, changed = scope.head, scope.env, self._reader.names
        if self._reader.is_read(scope.items, head, scope.kind):
            for item in scope.items:
                if item.kind is StatementKind.HEAD:
                    yield from self._walk(self._inner[item], env)
            return
        moved = self._begin(scope, outer)
        for (known, kind), group in groupby(scope.items, attrgetter("scope", "kind")):
            is_new = known is None and kind is StatementKind.OP
            is_other, is_head = known != scope.kind, kind is StatementKind.HEAD
            while part := [*islice(group, _SLICE)]:
                if is_new:
                    self._reader.read(part, scope.kind, env)
                for item in () if is_new else part:
                    if is_other or item in moved or not changed.isdisjoint(item.uses):
                        self._reader.check(item, scope.kind, env)
                    if is_head:
                        yield from self._walk(self._inner[item], env)
                yield
        self._reader.look_again(scope.items, scope.arrange())
        head.inside = scope.items
        yield

    def _begin(self, scope: LiveScope, outer: Mapping[str, Definition]) -> set[Checked]:
        """Enter what is known where a scope begins; return the statements that came or went.

        Its labels are known, too; the first of several counts.
        """
        head, env, changed = scope.head, scope.env, self._reader.names
        before, now = head.inside or [], scope.items
        low, same = _alike(before, now)
        moved = {*now[low : len(now) - same]} ^ {*before[low : len(before) - same]}
        for item in moved:
            if item.kind is StatementKind.HEAD:
                # Other aliases may be around it.
                item.scope = None
            changed.update(item.defines)
        head.inside = None
        every = (*outer, *env) if scope.depth else ()
        aliases = {name for name in every if name[0] in "#!"}
        changed.update(name for name in aliases if env.get(name) is not outer.get(name))
        for name in changed & env.keys():
            del env[name]
        env.update((name, outer[name]) for name in aliases & outer.keys())
        env.update(head.defines)
        for item in reversed([each for each in scope.items if each.kind is StatementKind.LABEL]):
            label = next(names(item)).name
            block = item.defines.setdefault(label, Definition(item, other=item.block))
            if env.get(label) is not block:
                changed.add(label)
                env[label] = block
        return moved

    def _fault(self, statement: Statement, name: str, problem: str, remedy: str = REMEDY) -> Fault:
        """Make a fault about the last place of a text in a statement."""
        line, column = statement.place(max(statement.text.rfind(name), 0))
        place = Position(self.name, line + 1, column + 1)
        return Fault(str(place), problem, remedy, place=place, width=len(name))

    def _faults(self, item: Checked, scope: LiveScope, is_balanced: bool) -> Iterator[Fault]:
        """Yield the faults of a statement, with their places in the file.

        Verifiers look at what stands in its place: in no text whose brackets do not match.
        """
        for fault in item.misread:
            yield self._placed(fault, item)
        if scope.head.misread:
            return
        for name, type_ in item.unresolved.items():
            definition = scope.env.get(name)
            if definition is None:
                yield self._fault(item, name, f"{name} is not defined")
            elif definition.values and definition.values[0].type != type_:
                types = f"{definition.values[0].type}, but used with type {type_}"
                problem = f"Result {name} is defined with type {types}"
                yield self._fault(definition.item, name, problem)
        # A head looks at all that is in it.
        inner = self._inner[item].items if item in self._inner else []
        if item.ops and item.ops[-1].next_op is None:
            # What should end the block may be what cannot be read.
            inner = [*inner, *(each for each in scope.items if each.misread)]
        if is_balanced and all(each.is_whole for each in (item, *inner)):
            if item.refused is None or item.home is not scope.head.block:
                item.verify(inner, scope.head.block)
            for where, fault in item.refused or ():
                yield self._placed(fault, where)

    def _placed(self, fault: Fault, statement: Checked) -> Fault:
        """Move a fault of a statement to its place in the file."""
        place, end = fault.place or Position("", 2, 1), statement.end
        if place.line < 2:
            # The end of the text around the statement closed its brace.
            return self._fault(statement, "{", fault.problem, fault.remedy)
        line = statement.line + place.line - 1
        if line > end and statement in self._inner:
            # It is in the end of what a head begins.
            behind = self._inner[statement].end
            line, end = line + behind - end - statement.behind.count("\n") - 1, behind
        last = len(self.lines[end - 1]) or 1
        now = Position(self.name, min(line, end), place.column if line <= end else last)
        problem = _FIRST.sub(lambda match: self._first(match[1]), fault.problem)
        return replace(fault, where=str(now), place=now, problem=problem)

    def _first(self, name: str) -> str:
        """Say where a name is first in the text."""
        pattern = re.compile(rf"{re.escape(name)}(?![\w.$-])")
        for number, line in enumerate(self.lines, 1):
            if match := pattern.search(line):
                return f"{name} is first at {self.name}:{number}:{match.start() + 1}"
        return name

    def piece_at(self, line: int) -> Sequence[Checked]:
        """Return the statements of the piece of the file that has a line."""
        begins = [scope.head.line for scope in self.scopes if not scope.depth]
        at = bisect(begins, line)
        ends = bisect_left(self.items, begins[at], key=_LINE) if at < len(begins) else None
        return self.items[bisect_left(self.items, begins[at - 1], key=_LINE) : ends]

    def scope_at(self, line: int) -> LiveScope:
        """Return the innermost scope that has a line, which counts from 0."""
        around = [scope for scope in self.scopes if scope.head.line <= line < scope.end]
        return around[-1] if around else self.scopes[0]
