"""Lints that look at a rule alone: tags, inputs, restrictions of the vendor, splits, sizes.

Source of the restrictions, which our engine does not have: QNN HTP op package documentation,
optimization grammar.

Differences of sizes that wrap round below 0 are found on graphs drawn for the rule.
Cost: up to 150 graphs for each rule that subtracts sizes, each of which evaluates the differences.
Example: `SUB(DIM_HEIGHT("A"), DIM_HEIGHT("B"))` is reported once a graph has A of height 2 and B
of height 3, as unsigned numbers have no -1.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import partial
from itertools import chain, repeat
from random import Random
from typing import cast

from xdsl.ir import Operation

from ....dialects.diagnostics import HtpError
from ....dialects.htp.base import NativeOp
from ....dialects.htp.named import NamedOp, unknown_meaning
from ....dialects.qti_aisw.base import GraphOp
from ..definition.rule import Rule, RuleSet
from ..definition.scope import ops_of, rule_faults
from ..graph.env import Env
from ..graph.graph import CONST, ROOT, EvaluationError, Number, convert, params_of, resolve
from ..graph.graph import ExprKind as Type
from ..soundness.drawing.constraint_system import Choices, Contradiction
from ..soundness.drawing.template import DIMS
from ..soundness.search import Searcher
from ..tree.build import OpClasses
from ..tree.expr import OUT, Expr, Let, Literal, OpForm, Tag, forms_in, tags_in, walk
from ..tree.function import Call, calls_in, conjuncts
from ..tree.written_out import asked_tags


class FindingKind(Enum):
    """The kind of a finding; the value is the word in its text."""

    UNKNOWN_TAG = "unknown-tag"
    UNUSED_TAG = "unused-tag"
    UNKNOWN_OP = "unknown-op"
    OPERANDS = "wrong-operands"
    UNGUARDED_SPLIT = "unguarded-split"
    WRAP = "size-can-wrap"
    SHADOWED = "shadowed"
    NEVER_FIRES = "never-fires"
    RESULT = "wrong-result"
    RESTRICTION = "source-restriction"
    NO_CHANGE = "no-change"
    PASSED_OVER = "passed-over"


@dataclass(frozen=True)
class Finding:
    """A mistake in a rule, or an oddity; of the kind `PASSED_OVER`, a part that no lint judged."""

    kind: FindingKind
    rule: Rule
    message: str

    def __str__(self) -> str:
        return f"{self.rule.label}: [{self.kind.value}] {self.message}"


_UNUSED = "_"
"""The first letter of a tag without a reader."""


def tag_findings(rule: Rule, classes: OpClasses) -> Iterator[Finding]:
    """Yield the faults that the definition would refuse, and tags without a reader.

    A param or a shape of the match needs a tag in any case. A tensor without a reader was often
    forgotten; `_` as the first letter of its tag says that it was not. Of alternatives one reader
    is enough.
    """
    faults = rule_faults(rule.match, rule.constraint, rule.replacement)
    yield from (Finding(FindingKind.UNKNOWN_TAG, rule, fault) for fault in faults)
    if any(calls_in(rule.replacement, "EXTERNAL_REPLACE")):
        return
    read = asked_tags(rule.constraint, rule.replacement)
    for each in rule.written_out:
        read |= {*tags_in(each.constraint), *tags_in(each.replacement), *_behind(each)}
        read |= {tag for tag, count in Counter(tags_in(each.match)).items() if count > 1}
    suspects = dict(pair for each in rule.written_out for pair in _suspects(each, classes))
    for tag, why in suspects.items():
        if tag not in read and not tag.startswith(_UNUSED):
            yield Finding(FindingKind.UNUSED_TAG, rule, f'"{tag}" {why}')


def _behind(rule: Rule) -> Iterator[str]:
    """Yield the tags of the inputs of ops of the match that the replacement goes on using."""
    kept = {*_placed(rule.replacement)}
    if ROOT in kept:
        yield from tags_in(rule.match)
    for expr in walk(rule.match):
        if isinstance(expr, Let) and expr.tag in kept:
            yield from tags_in(expr.op)


def _placed(expr: Expr) -> Iterator[str]:
    """Yield the tags that stand in a replacement as nodes, and not as references to some."""
    if isinstance(expr, Tag):
        yield expr.name
    elif isinstance(expr, OpForm):
        yield from (tag for each in expr.inputs for tag in _placed(each))
    elif isinstance(expr, Call):
        function = expr.function
        rest = repeat(function.rest) if function.rest else ()
        for parameter, each in zip(chain(function.parameters, rest), expr.args, strict=False):
            if Type.OP in parameter.kinds:
                yield from _placed(each)


def _suspects(rule: Rule, classes: OpClasses) -> Iterator[tuple[str, str]]:
    """Yield the tags that must have a reader, each with the message where it has none."""
    for expr in walk(rule.match):
        if isinstance(expr, Let):
            if not isinstance(expr.op, OpForm) or resolve(expr.op.name, rule.package) != CONST:
                yield expr.tag, "names an op that nobody asks for; leave the LET out"
        elif isinstance(expr, OpForm):
            name = resolve(expr.name, rule.package)
            op_class = classes.get(name)
            for index, operand in enumerate(expr.inputs):
                tag = _tag(operand)
                if tag is not None and not _is_param(op_class, index, len(expr.inputs)):
                    yield tag, f"is an input of {name} that the replacement drops"


def _tag(operand: object) -> str | None:
    if isinstance(operand, Tag):
        return operand.name
    return operand.tag if isinstance(operand, Let) and not operand.op.parts() else None


def _is_param(op_class: type[Operation] | None, index: int, count: int) -> bool:
    if op_class is not None and issubclass(op_class, GraphOp):
        # The params of a graph op are its last inputs.
        return index >= count - len(params_of(op_class))
    if op_class is None or not issubclass(op_class, NativeOp) or not op_class.OPERANDS:
        return False
    names = op_class.names_of(count) or op_class.OPERANDS
    name = names[min(index, len(names) - 1)].removesuffix("...")
    return name in op_class.PARAMS or name in op_class.SHAPES


def operand_findings(rule: Rule, classes: OpClasses) -> Iterator[Finding]:
    """Yield wrong numbers of inputs in the match and in the replacement."""
    for form in forms_in(rule.match):
        yield from _operands(rule, form, classes, "the match gives", "it never matches")
    # $Out builds no op, it only takes one output of them.
    for form in (form for form in forms_in(rule.replacement) if form.name != OUT):
        yield from _operands(rule, form, classes, "the replacement gives", "it is never valid")


def _operands(rule: Rule, form: OpForm, classes: OpClasses, who: str, so: str) -> Iterator[Finding]:
    name = resolve(form.name, rule.package)
    op_class, count = classes.get(name), len(form.inputs)
    if op_class is None or not issubclass(op_class, NativeOp) or not op_class.OPERANDS:
        return
    wanted = max(count, op_class.least_operands()) if form.at_least else count
    if op_class.names_of(wanted) is None:
        message = f"{who} {name} {count} inputs, it takes {op_class.takes()}; {so}"
        yield Finding(FindingKind.OPERANDS, rule, message)


_MODIFIERS = (
    *("WITH_SIZE", "WITH_TYPE", "WITH_SAME_OUTPUT", "WITH_OUTPUT_TYPE", "WITH_MULTI_OUT"),
    *("WITH_SAME_ID", "WITH_SPLIT_HISTORY", "ResizeDim"),
)
_SLICES = ("TYPICAL_SLICE", "CHANGEDIM_SLICE", "AUTOSPLIT_SLICE", "TYPICAL_CONV_SLICE")
_AT_ROOT = ("AUTOSPLIT", "EXTERNAL_REPLACE")


def restriction_findings(rule: Rule) -> Iterator[Finding]:
    """Yield the places that the vendor's compiler would refuse in an op package."""
    for message in _messages(rule.replacement):
        yield Finding(FindingKind.RESTRICTION, rule, message)


def _messages(replacement: Expr) -> Iterator[str]:
    for call in calls_in(replacement, *_SLICES):
        if call.args[0].kind is not Type.NODE:
            name = call.function.name
            yield f"the first operand of {name} is {call.args[0]}; it must be a node that exists"
    for call in calls_in(replacement, *_MODIFIERS):
        if call.args[-1].kind is not Type.OP:
            name = call.function.name
            yield f"the last operand of {name} is {call.args[-1]}; it must build an Op"
    roots = list(_roots(replacement))
    for call in calls_in(replacement, *_AT_ROOT):
        if not any(call is root for root in roots):
            yield f"{call.function.name} stands inside; it belongs at the root or in a root SELECT"
    calls = (part for part in walk(replacement) if isinstance(part, Call))
    tags = Counter(str(call.args[1]) for call in calls if call.function.binds)
    for tag, count in tags.items():
        if count > 1:
            yield f"{count} splits have the tag {tag}; each needs its own"


def _roots(expr: Expr) -> Iterator[Expr]:
    """Yield the replacement, and the choices where it is a SELECT."""
    yield expr
    if isinstance(expr, Call) and expr.function.name == "SELECT":
        for choice in expr.args[1:]:
            yield from _roots(choice)


def unrun_findings(rule: Rule, rules: RuleSet, classes: OpClasses) -> Iterator[Finding]:
    """Yield the native ops of a rule that are known by name only, and that no package runs."""
    kernels = rules.tables.kernels if rules.tables else None
    for op in {**ops_of(rule.package, rule.match), **ops_of(rule.package, rule.replacement)}:
        is_name = issubclass(classes.get(op, NativeOp), NamedOp)
        if is_name and all(kernel.lacks for kernel in (kernels.kernels(op) if kernels else ())):
            yield Finding(FindingKind.PASSED_OVER, rule, f"{op} {unknown_meaning(op)}")


def change_findings(rule: Rule) -> Iterator[Finding]:
    """Yield a replacement that is the match once more: the same ops of the same inputs."""
    if isinstance(rule.replacement, OpForm) and _same(rule, rule.match, rule.replacement):
        message = f"it builds what it matches, {rule.match}, and changes nothing"
        yield Finding(FindingKind.NO_CHANGE, rule, message)


def _same(rule: Rule, matched: Expr, built: Expr) -> bool:
    """Test that an expression builds, or takes, what a part of the match is."""
    if isinstance(matched, Let):
        return built == Tag(matched.tag) or _same(rule, matched.op, built)
    if not (isinstance(matched, OpForm) and isinstance(built, OpForm)):
        return isinstance(matched, Tag) and matched == built
    names = {resolve(form.name, rule.package) for form in (matched, built)}
    alike = len(names) == 1 and len(matched.inputs) == len(built.inputs) and not matched.at_least
    return alike and all(map(partial(_same, rule), matched.inputs, built.inputs))


_WHOLE = ("ESTIMATE_TENSOR_SIZE", "EXTERNAL_CONSTRAINT", "SAME_SHAPE")
"""Functions that depend, or may depend, on all dims of a node."""


def split_findings(rule: Rule) -> Iterator[Finding]:
    """Yield splits into ops of the root's own name without a guard on the dim that is cut."""
    for call in calls_in(rule.replacement, "AUTOSPLIT"):
        guards = [rule.constraint, *_conditions(rule.replacement, call)]
        built = (resolve(form.name, rule.package) for form in forms_in(call.args[-1]))
        if rule.root in built and not any(_guards(rule, guard, call) for guard in guards):
            message = (
                f"AUTOSPLIT makes {rule.root} again, and the constraint asks nothing about "
                f"dim {call.args[0]} of the result; it applies to its own tiles for ever"
            )
            yield Finding(FindingKind.UNGUARDED_SPLIT, rule, message)


def _conditions(expr: Expr, split: Call) -> Iterator[Expr]:
    """Yield the conditions of SELECTs around a split."""
    for call in calls_in(expr, "SELECT"):
        if any(part is split for part in walk(call)):
            yield call.args[0]


def _guards(rule: Rule, guard: Expr, split: Call) -> bool:
    dim = split.args[0].value if isinstance(split.args[0], Literal) else None
    # The root's own inputs count too: in most ops their dims follow the result's.
    cut = {ROOT, *(expr.name for expr in rule.match.inputs if isinstance(expr, Tag))}
    return any(
        isinstance(expr, Call) and _speaks_of(expr, dim) and cut & set(tags_in(expr))
        for expr in walk(guard)
    )


def _speaks_of(call: Call, dim: object) -> bool:
    name = call.function.name
    if name in _WHOLE:
        return True
    if name == "DIM_OF":
        asked = call.args[1]
        return not isinstance(asked, Literal) or dim is None or asked.value == dim
    return name in DIMS and dim in (None, DIMS[name])


_GRAPHS = 150
"""Number of graphs that are drawn."""
_COMPARED = {"GE": False, "GT": False, "LE": True, "LT": True}
"""Comparisons that keep a difference above 0; True where the smaller operand comes first."""


def size_findings(rule: Rule, rule_set: RuleSet) -> Iterator[Finding]:
    """Yield SUBs of sizes whose second operand is larger on a drawn graph.

    Constraints are tested on graphs that match, as far as they are evaluated; replacements on
    graphs that satisfy the constraint too. Where no graph can be made, a SUB is reported unless
    the constraint compares its operands.
    """
    calls = (call for part in (rule.constraint, rule.replacement) for call in calls_in(part, "SUB"))
    suspects = [call for call in calls if _is_suspect(call)]
    if not suspects:
        return
    seen, graphs = _witnesses(rule, rule_set)
    for call in dict.fromkeys(suspects):
        if call in seen:
            yield Finding(FindingKind.WRAP, rule, f"{call} wraps: {seen[call]}")
        elif not graphs and not _is_guarded(rule, call):
            yield Finding(
                FindingKind.WRAP, rule, f"{call} may wrap: no comparison keeps it above 0"
            )


def _is_suspect(call: Call) -> bool:
    """Test for a difference of sizes that depends on no split, and may wrap for all it says."""
    left, right = call.args
    most = right.value if isinstance(right, Literal) else None
    never = isinstance(most, int) and 0 <= most <= _least(left)
    return call.kind is Type.SIZE and not never and not _in_split(call)


def _least(size: Expr) -> int:
    """Return a number that a size is never below: what its literals say, a dim says nothing."""
    if isinstance(size, Literal) and isinstance(size.value, int):
        return size.value
    if isinstance(size, Call) and size.kind is Type.SIZE:
        if size.function.name == "ADD":
            return sum(map(_least, size.args))
        if size.function.name == "SELECT":
            return min(map(_least, size.args[1:]))
    return 0


def _in_split(expr: Expr) -> bool:
    return any(part.kind is Type.VAR for part in walk(expr))


def _witnesses(rule: Rule, rule_set: RuleSet) -> tuple[dict[Call, str], int]:
    """Return the values of each SUB that wraps on a graph, and the number of graphs."""
    seen: dict[Call, str] = {}
    graphs = 0
    searcher, random = Searcher(rule, rule_set), Random(0)
    for _ in range(_GRAPHS):
        try:
            env = searcher.matching(Choices(random))
        except Contradiction:
            continue
        graphs += 1
        for call, values in _wrapping(rule, env):
            seen.setdefault(call, values)
    return seen, graphs


def _wrapping(rule: Rule, env: Env) -> Iterator[tuple[Call, str]]:
    try:
        yield from _met(rule.constraint, env)
        if rule.constraint.evaluate(env):
            yield from _met(rule.replacement, env)
    except (EvaluationError, HtpError):
        return


def _met(expr: Expr, env: Env) -> Iterator[tuple[Call, str]]:
    """Yield SUBs that wrap among those that are evaluated: AND, OR and SELECT stop early."""
    name = expr.function.name if isinstance(expr, Call) else ""
    parts = expr.parts()
    if name in ("AND", "OR") and not _in_split(expr):
        for part in parts:
            yield from _met(part, env)
            if bool(part.evaluate(env)) is (name == "OR"):
                return
    elif name == "SELECT" and not _in_split(parts[0]):
        yield from _met(parts[0], env)
        yield from _met(parts[1 if parts[0].evaluate(env) else 2], env)
    else:
        for part in parts:
            yield from _met(part, env)
        if name == "SUB" and isinstance(expr, Call) and _is_suspect(expr):
            yield from _wraps(expr, env)


def _wraps(call: Call, env: Env) -> Iterator[tuple[Call, str]]:
    left, right = (convert(cast(Number, arg.evaluate(env)), Type.SIZE) for arg in call.args)
    if left < right:
        yield call, f"{call.args[0]} is {left} and {call.args[1]} is {right} in a graph it matches"


def _is_guarded(rule: Rule, call: Call) -> bool:
    for part in conjuncts(rule.constraint):
        if isinstance(part, Call) and part.function.name in _COMPARED:
            args = part.args[::-1] if _COMPARED[part.function.name] else part.args
            if args == call.args:
                return True
    return False
