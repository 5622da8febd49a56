"""Faults of a rule as a whole: the form of its match, tags out of scope; and what ops it names."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from ....dialects.htp import NATIVE_OPS, NativeOp
from ....dialects.htp.named import named_op
from ..graph.graph import BUILT, DEFAULT_PACKAGE, INPUT, OUTPUT, ROOT, ExprKind, resolve
from ..language.modifiers import ALSO_REPLACE
from ..language.queries import OUTPUT_OF
from ..tree.expr import OUT, Expr, Let, OneOf, OpForm, Tag, Text, tags_in, text_of, walk
from ..tree.function import Call, calls_in
from ..tree.written_out import Written, asked_tags, written_out


def rule_faults(match: Expr, constraint: Expr, replacement: Expr) -> Iterator[str]:
    """Yield the faults of a rule, each once, with every choice of its alternatives."""
    if isinstance(match, OneOf):
        yield from match_faults(match)
        return
    known = {*tags_in(match), ROOT}
    for tag in sorted(asked_tags(constraint, replacement) - known):
        yield f'BOUND asks for "{tag}", which the match never binds'
    # The choices that share a constraint and a replacement are checked together.
    groups: dict[tuple[int, int], list[Written]] = {}
    for written in written_out(match, constraint, replacement):
        groups.setdefault((id(written[1]), id(written[2])), []).append(written)
    if not groups:
        yield f"the constraint {constraint} excludes every choice of alternatives"
    several = any(isinstance(part, OneOf) for part in walk(match))
    faults = (
        f"{fault}, with the alternatives of {group[0][0]}" if several else fault
        for group in groups.values()
        for fault in _written_faults(group)
    )
    yield from dict.fromkeys(faults)


def _written_faults(group: Sequence[Written]) -> Iterator[str]:
    """Yield the faults of rules without alternatives that differ in their matches alone."""
    forms, (_, constraint, replacement) = [form for form, _, _ in group], group[0]
    for form in forms:
        yield from match_faults(form)
    bound = set(tags_in(forms[0])).intersection(*map(tags_in, forms[1:]))
    tags = [*(tag for tag in dict.fromkeys(tags_in(forms[0])) if tag in bound), ROOT]
    lets = {part.tag for part in walk(forms[0]) if isinstance(part, Let)}
    yield from constraint_faults(constraint, tags)
    yield from replacement_faults(replacement, tags)
    yield from further_faults(lets.intersection(tags), replacement)


def match_faults(form: Expr) -> Iterator[str]:
    """Yield the faults of a match."""
    if not isinstance(form, OpForm) or form.name in (INPUT, OUTPUT):
        yield f"the match is {form}; its root must be an Op()"
        return
    lets = [expr.tag for expr in walk(form) if isinstance(expr, Let)]
    for tag in sorted({tag for tag in lets if lets.count(tag) > 1}):
        yield f'there are {lets.count(tag)} LETs for the tag "{tag}"; one is allowed'
    if form.any_output:
        yield f"the match is {form}; a rule replaces the first output of its root"
    for expr in walk(form):
        if not isinstance(expr, OpForm | Let | Tag):
            yield f"{expr} stands in the match; only tags and ops do"
        elif isinstance(expr, Tag) and expr.name == ROOT:
            yield '"*" stands in the match; it is the root itself'
        elif isinstance(expr, Let) and expr.tag == ROOT:
            yield 'LET names "*"; it is the root itself'
        elif isinstance(expr, Let) and expr.tag in tags_in(expr.op):
            yield f'the LET of "{expr.tag}" holds its own tag'


def constraint_faults(constraint: Expr, tags: Collection[str]) -> Iterator[str]:
    """Yield the faults of a constraint."""
    if constraint.kind is not ExprKind.BOOL:
        yield f"the constraint {constraint} is of type {constraint.kind.value}; it must be bool"
    yield from _use_faults(constraint, tags, frozenset())


def further_faults(lets: Collection[str], replacement: Expr) -> Iterator[str]:
    """Yield the faults of what a replacement gives beside the root's: inner ops, each once."""
    calls = list(calls_in(replacement, ALSO_REPLACE.name))
    names = [call.args[0] for call in calls]
    for name in dict.fromkeys(names):
        if not isinstance(name, Tag) or name.name not in lets:
            yield f"ALSO_REPLACE names {name}, which is no LET of the match"
        if names.count(name) > 1:
            yield f"ALSO_REPLACE names {name} {names.count(name)} times; once is allowed"
    at_root = replacement
    while isinstance(at_root, Call) and at_root.function is ALSO_REPLACE:
        calls = [call for call in calls if call is not at_root]
        at_root = at_root.args[-1]
    if calls:
        yield "ALSO_REPLACE stands inside; it belongs at the root of the replacement"


def replacement_faults(replacement: Expr, tags: Collection[str]) -> Iterator[str]:
    """Yield the faults of a replacement."""
    if replacement.kind not in (ExprKind.NODE, ExprKind.OP):
        kind = replacement.kind.value
        yield f"the replacement {replacement} is of type {kind}; it must be a node or build an op"
    yield from _use_faults(replacement, tags, frozenset())
    yield from _root_faults(replacement, built=True)


def _use_faults(expr: Expr, tags: Collection[str], splits: frozenset[str]) -> Iterator[str]:
    match expr:
        case Tag(name) if name not in tags:
            known = ", ".join(f'"{tag}"' for tag in tags)
            yield f'unknown tag "{name}"; the match has {known}'
        case Let() | OneOf():
            yield f"{expr} stands outside the match"
        case OpForm():
            yield from _form_faults(expr)
        case Text(name, ExprKind.VAR) if name not in splits:
            yield f'split tag "{name}" is used outside its split'
    # The last operand of a split sees its tag, the others do not.
    parts = expr.parts()
    if isinstance(expr, Call) and expr.function.binds:
        own = next(part for part in parts if part.kind is ExprKind.VAR)
        yield from _use_faults(parts[-1], tags, splits | {text_of(own)})
        parts = tuple(part for part in parts[:-1] if part is not own)
    for part in parts:
        yield from _use_faults(part, tags, splits)


def _form_faults(form: OpForm) -> Iterator[str]:
    """Yield the faults of an op that is built, without those of its inputs."""
    if form.at_least or form.any_output:
        yield f"{form} is built; {'OpVarIn' if form.at_least else 'OpAnyOutput'} only matches"
    if form.name == OUT and [part.kind for part in form.inputs[1:]] != [ExprKind.SHAPE]:
        yield f"{form} takes an op and a shape; OpMultiOut() writes it"
    for part in form.inputs:
        if part.kind not in BUILT:
            yield f"{part} is of type {part.kind.value}; an input is a node, a shape or a new op"


def _root_faults(expr: Expr, built: bool) -> Iterator[str]:
    """Yield a fault where `*` is built into the replacement, which would be a cycle.

    Its shape and type may be read.
    """
    if built and _is_root(expr):
        yield 'the replacement reads "*", the very node that it replaces'
    for index, part in enumerate(expr.parts()):
        inside = built
        if isinstance(expr, Call):
            parameter = expr.function.parameter(index)
            inside = built and ExprKind.OP in parameter.kinds and not parameter.copied
        yield from _root_faults(part, inside)


def _is_root(expr: Expr) -> bool:
    if isinstance(expr, Call) and expr.function is OUTPUT_OF:
        return _is_root(expr.args[0])
    return expr == Tag(ROOT)


_NAMING = {"WrapOp": 0, "WrapOpAlways": 0, "PRODUCER_FOR": 1}
"""Functions of the language with the index of the operand that is an op's name."""


def ops_of(package: str, expr: Expr) -> dict[str, str]:
    """Return the ops that a part of a package's rule names, by IR name, as the rule writes them."""
    return {resolve(name, package): name for name in _written(expr)}


def named_ops(package: str, trees: Iterable[Expr]) -> dict[str, type[NativeOp]]:
    """Return the native ops without a class of their own that a package's rule names."""
    mnemonics = (
        op.removeprefix(f"{DEFAULT_PACKAGE}.")
        for tree in trees
        for op in ops_of(package, tree)
        if op.startswith(f"{DEFAULT_PACKAGE}.")
    )
    classes = (named_op(mnemonic) for mnemonic in mnemonics if mnemonic not in NATIVE_OPS)
    return {op.name: op for op in classes if op is not None}


def _written(expr: Expr) -> Iterator[str]:
    """Yield the op names of an expression."""
    for part in walk(expr):
        if isinstance(part, OpForm):
            yield part.name
        elif isinstance(part, Call) and part.function.name in _NAMING:
            yield text_of(part.args[_NAMING[part.function.name]])
