"""Running rules over the native IR: pass groups by number, each until nothing changes."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ...dialects.checks import text
from ...dialects.diagnostics import Fault, HtpError, fail
from ...dialects.htp import NATIVE_OPS
from ...dialects.htp.const import ConstOp, ShapeOp
from ...dialects.spec import TensorSpec, spec_of
from .build import Builder, NoChange, OpClasses, Reference
from .env import Env, to_stderr
from .match import Bindings, find
from .names import DEFAULT_PACKAGE
from .options import GraphOptions
from .priorities import priority_name
from .rule import Group, Rule, RuleSet
from .stats import RuleCount, RuleStats
from .types import EvaluationError
from .verify import Verifier

Report = Callable[[str], None]
_DEPTH = 1_000
_FIRINGS = 100_000
_RECENT = 1_000


def op_classes(rule_set: RuleSet) -> OpClasses:
    """The classes that replacements may build, by IR name."""
    native = {f"{DEFAULT_PACKAGE}.{name}": op for name, op in NATIVE_OPS.items()}
    return {**native, ConstOp.name: ConstOp, ShapeOp.name: ShapeOp, **rule_set.ops}


def run_rules(
    module: ModuleOp,
    rule_set: RuleSet,
    options: GraphOptions | None = None,
    *,
    first: int | None = None,
    last: int | None = None,
    report: Report = to_stderr,
) -> RuleStats:
    """Run the pass groups from `first` to `last`, both included, in place; give the counts.

    HtpError where a replacement is not valid (the graph is then as before that firing) or where a
    pass group does not end.
    """
    stats, run = RuleStats(), _Run(rule_set, options or GraphOptions(), report)
    blocks = [block for op in module.ops if isinstance(op, FuncOp) for block in op.body.blocks]
    for priority, group in rule_set.groups.items():
        if (first is None or first <= priority) and (last is None or priority <= last):
            counts = [RuleCount(member) for member in group.rules]
            stats.counts += counts
            for block in blocks:
                PassGroup(run, group, counts).run(block)
    return stats


class _Run:
    """What all pass groups of one run share."""

    def __init__(self, rule_set: RuleSet, options: GraphOptions, report: Report) -> None:
        self.options = options
        self.report = report
        self.classes = op_classes(rule_set)
        self.externals = {name: held.__call__ for name, held in rule_set.externals.items()}
        self.verifier = Verifier()

    def is_on(self, rule: Rule) -> bool:
        """The rule's flags are all on."""
        return all(self.options.is_on(flag) for flag in rule.flags)

    def env(self, rule: Rule, bound: Bindings) -> Env:
        """What one match of a rule is evaluated against."""
        return Env(bound, self.options, rule.package, self.externals, self.report)


@dataclass
class _Made:
    """Where a new op came from: how many firings deep, and by which rules as the same op."""

    depth: int = 0
    rules: set[int] = field(default_factory=set)


class PassGroup:
    """All rules of one number on one block."""

    def __init__(self, run: _Run, group: Group, counts: list[RuleCount]) -> None:
        self._run = run
        self._counts = counts
        self._patterns = group.patterns
        self._index = group.index
        self._off = {n for n, rule in enumerate(group.rules) if not run.is_on(rule)}
        self._made: dict[Operation, _Made] = {}
        self._recent: deque[int] = deque(maxlen=_RECENT)
        self._fired = 0

    def run(self, block: Block) -> None:
        """Walk the block in program order until a whole walk changes nothing.

        New ops are visited at once, so the second walk mostly confirms; it finds what hangs on a
        consumer that came later.
        """
        size = sum(1 for _ in block.ops)
        self._max_depth, self._max_firings = _DEPTH + size, _FIRINGS + 16 * size
        before = -1
        while before != self._fired:
            before = self._fired
            self._walk(deque(block.ops))

    def _walk(self, work: deque[Operation]) -> None:
        while work:
            op = work.popleft()
            if op.parent is not None:
                work.extendleft(reversed(self._visit(op)))

    def _visit(self, op: Operation) -> list[Operation]:
        """Try the rules at a root; the new ops of the first that fires."""
        made = self._made.get(op)
        for number in self._index.candidates(op):
            if number not in self._off and (made is None or number not in made.rules):
                new = self._try(number, op)
                if new is not None:
                    return new
        return []

    def _try(self, number: int, op: Operation) -> list[Operation] | None:
        count = self._counts[number]
        count.attempts += 1
        bound = find(self._patterns[number], op)
        if bound is None:
            return None
        count.matches += 1
        env = self._run.env(count.rule, bound)
        try:
            if not count.rule.constraint.evaluate(env):
                return None
        except EvaluationError:
            return None
        except HtpError as error:
            raise _in_rule(count.rule, error) from error
        return self._fire(number, op, env)

    def _fire(self, number: int, root: Operation, env: Env) -> list[Operation] | None:
        rule, builder = self._counts[number].rule, Builder(env, root, self._run.classes)
        spec = spec_of(root.results[0])
        try:
            value = builder.value(rule.replacement, Reference(spec))
            _check_result(value, spec)
            self._run.verifier.check(builder.new_ops)
        except NoChange:
            builder.discard()
            return None
        except (VerifyException, EvaluationError) as error:
            builder.discard()
            fault = f"the replacement is not valid: {error}"
            raise fail(rule.label, fault, f"{root.name} was left as it was") from error
        except HtpError as error:
            builder.discard()
            raise _in_rule(rule, error) from error
        self._note(number, root, builder.new_ops, spec)
        _put_in_place(root, value, builder.new_ops)
        return builder.new_ops

    def _note(self, number: int, root: Operation, new: list[Operation], spec: TensorSpec) -> None:
        """Count the firing and remember which new ops the rule must leave alone."""
        self._counts[number].firings += 1
        self._fired += 1
        self._recent.append(number)
        before = self._made.pop(root, _Made())
        depth = before.depth + 1
        if depth > self._max_depth or self._fired > self._max_firings:
            raise self._endless()
        for op in new:
            same = op.name == root.name and _same_output(op, spec)
            self._made[op] = _Made(depth, {*before.rules, number} if same else set())

    def _endless(self) -> HtpError:
        feeding = Counter(self._recent)
        counts = (f"{self._counts[n].rule.label} {times} times" for n, times in feeding.items())
        group = priority_name(self._counts[0].rule.priority)
        found = f"does not end; its last {len(self._recent)} firings: {', '.join(counts)}"
        return fail(f"pass group {group}", found, "give one of these rules a guard")


def _same_output(op: Operation, spec: TensorSpec) -> bool:
    return bool(op.results) and spec_of(op.results[0]) == spec


def _check_result(value: SSAValue, spec: TensorSpec) -> None:
    """The new value must be a tensor like the one that it replaces; its place may differ."""
    found = spec_of(value)
    if found.shape != spec.shape or not found.same_encoding(spec):
        raise EvaluationError(
            f"it gives {text(found.shape)} {found.dtype.name}{_quant(found)}, "
            f"the root gives {text(spec.shape)} {spec.dtype.name}{_quant(spec)}"
        )


def _quant(spec: TensorSpec) -> str:
    return f" ({spec.quant.scale:g}:{spec.quant.zero_point})" if spec.quant else ""


def _in_rule(rule: Rule, error: HtpError) -> HtpError:
    return HtpError(*(Fault(rule.label, f"{f.where}: {f.found}", f.remedy) for f in error.faults))


def _put_in_place(root: Operation, value: SSAValue, new: list[Operation]) -> None:
    block = root.parent
    if block is None:
        raise ValueError(f"{root.name} is in no block")
    block.insert_ops_before(new, root)
    old = root.results[0]
    if value.name_hint is None:
        value.name_hint = old.name_hint
    old.replace_all_uses_with(value)
    erase_dead([root])


def erase_dead(ops: Iterable[Operation]) -> None:
    """Erase ops that nobody uses and that have no effect, then what only they used."""
    work = list(ops)
    while work:
        op = work.pop()
        if op.parent is None or any(result.uses for result in op.results):
            continue
        if not op.has_trait(Pure):
            continue
        work += [operand.owner for operand in op.operands if isinstance(operand.owner, Operation)]
        op.detach()
        op.erase()
