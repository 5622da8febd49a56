"""The passes that run rewrite rules: pass groups on their own, and what makes one op of many.

Exporters write many ops for one graph op, block ops too; raising finds them.
"""

from dataclasses import dataclass, fields, replace
from itertools import chain
from math import isfinite

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination

from ....dialects.diagnostics import fail, listed
from ....dialects.faults.notes import note
from ....dialects.htp import NATIVE_OPS
from ....dialects.locations import fused, pass_names
from ....dialects.qti_aisw import build
from ....dialects.qti_aisw.ops.const import ConstOp
from ....dialects.qti_aisw.ops.movement import (
    GatherOp,
    ReshapeOp,
    StridedSliceOp,
    TileOp,
    TransposeOp,
)
from ....dialects.qti_aisw.ops.quantize import DequantizeOp
from ....runtime.passes import run_pass, run_passes
from ...packages.htp import HTP
from ...packages.loading import packages_of
from ...packages.packages import Packages
from ...patterns.raising import BLOCK_OPS
from ...patterns.raising.threads import keep_states, restore_layers
from ...rules import GraphOptions, Rule, RuleSet, priority_of, run_rules
from ...rules.graph.env import OptionValue
from ...rules.graph.graph import CONST, GRAPH, resolve
from ...rules.tree.expr import Let, OpForm
from ...soc import check_tcm_options
from ..checks.check_level import note_lowered


@dataclass(frozen=True)
class RunRules(ModulePass):
    """Run the rules with priorities from `first` to `last`, both included, group by group.

    Without `last` they run to the end. Priorities are names (`QNN`, `"TILING+2"`) or numbers, sizes
    are in bytes. `options` are graph options, `name=value` joined by `;`. With `cut=false` the
    rules that cut ops into tiles are left out.
    """

    name = "htp-rules"

    first: str = "BEGIN"
    last: str | None = None
    tcm_bytes: int = 8 << 20
    options: str = ""
    cut: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        rule_set = packages_of(ctx).rules
        options = graph_options(self.tcm_bytes, self.options, rule_set)
        first = priority_of(self.first)
        last = None if self.last is None else priority_of(self.last)
        if last is not None and last < first:
            problem = f"last={self.last} is before first={self.first}"
            raise fail(self.name, problem, "name the earlier one first")
        chosen = rule_set if self.cut else rule_set.without_cuts()
        run_rules(op, chosen, options, first=first, last=last)


def graph_options(tcm_bytes: int, text: str, rule_set: RuleSet) -> GraphOptions:
    """Read graph options from `name=value;name=value`; HtpError for a value of another form.

    A name must be an option that every run has or that some rule of the set asks for.
    """
    check_tcm_options("graph options", tcm_bytes)
    options = dict(map(_option, filter(None, text.split(";"))))
    # A walk through all rules tells their options: it is made where a name may be one of them.
    known = _COMMON | (rule_set.options if options.keys() - _COMMON else frozenset())
    for name in options.keys() - known:
        raise fail(f"graph option '{name}'", "no rule knows it", listed(name, sorted(known)))
    for name in _WHOLE & options.keys():
        value = options[name]
        if not isinstance(value, int) or value < 0:
            raise fail(f"graph option '{name}'", f"is {value}", "give a whole number from 0 on")
    return GraphOptions(tcm_size=tcm_bytes, extra=options)


_COMMON = {field.name for field in fields(GraphOptions)} - {"extra"}
_WHOLE = {field.name for field in fields(GraphOptions) if type(field.default) is int}
"""The options that every rule knows and that are whole numbers."""


def _option(part: str) -> tuple[str, OptionValue]:
    name, mark, value = part.partition("=")
    if not (mark and name.strip() and value.strip()):
        raise fail("graph options", f"'{part}' is not name=value", "join several with ;")
    number = _number(value.strip())
    if isinstance(number, float) and not isfinite(number):
        raise fail("graph options", f"'{part}' is not finite", "give a number or a word")
    return name.strip(), number


def _number(text: str) -> OptionValue:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


@dataclass(frozen=True)
class Raise(ModulePass):
    """Find the graph ops that a model spells out: norms, Softmax, activations, Attention.

    Equal ops become one first. Then the rules of the pass groups from PRE_TRANSLATE up to QNN run
    on the graph. What computes a value that something else reads stays, and so does a norm of which
    no tile fits a TCM of `tcm-bytes`. Parts that a native rule of a package begins with are left to
    the package. What moves integers that are read in floats alone moves these.
    """

    name = "qti-raise"

    tcm_bytes: int = 8 << 20

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        note_lowered(op)
        _move_floats(op)
        run_pass(ctx, op, CommonSubexpressionElimination())
        rule_set = left_to_packages(packages_of(ctx))
        options = graph_options(self.tcm_bytes, "", rule_set)
        first, last = (priority_of(name) for name in ("PRE_TRANSLATE", "QNN-1"))
        run_rules(op, rule_set, options, first=first, last=last)


_MOVERS = GatherOp, ReshapeOp, StridedSliceOp, TileOp, TransposeOp
"""Classes of ops that only move elements of one tensor."""


def _move_floats(module: ModuleOp) -> None:
    """Put each Dequantize in front of the ops that move what it reads, and nothing else reads.

    The rules see through ops that move, of floats and of integers, but not through a Dequantize.
    """
    left = [op for op in module.walk() if isinstance(op, DequantizeOp)]
    while left:
        reals = left.pop()
        mover = reals.inp.owner
        if not isinstance(mover, _MOVERS) or isinstance(mover.inp.owner, ConstOp):
            continue
        if not mover.out.has_one_use():
            continue
        first = build(DequantizeOp, [mover.inp])
        moved = build(type(mover), [first.out, *mover.operands[1:]], dict(mover.properties))
        first.location = moved.location = fused([mover.location, reals.location])
        for old in (mover.out, reals.out):
            pass_names(old, moved.out)
        Rewriter.replace_op(reals, [first, moved])
        Rewriter.erase_op(mover)
        left.append(first)


def left_to_packages(packages: Packages) -> RuleSet:
    """Return the rules without those of htp that raise what another package's rule begins with."""
    others = (package.rules for package in packages if package is not HTP)
    taken = {pair for rule in chain(*others) if not rule.in_graph for pair in beginnings(rule)}
    if not taken:
        return packages.rules
    kept = (
        rule for rule in packages.rules if not (rule.package == GRAPH and taken & beginnings(rule))
    )
    return replace(packages.rules, rules=tuple(kept))


def beginnings(rule: Rule) -> set[tuple[str, str]]:
    """Return the names of a match's root and of each op behind an input of it, as native ops."""
    inputs = (each for written in rule.written_out for each in written.match.inputs)
    behind = (each.op if isinstance(each, Let) else each for each in inputs)
    names = (resolve(form.name, rule.package) for form in behind if isinstance(form, OpForm))
    return {(_native(rule.root), _native(name)) for name in names if name != CONST}


def _native(name: str) -> str:
    """Return the core form of the native op of the same mnemonic; another name unchanged."""
    op = NATIVE_OPS.get(name.rpartition(".")[2])
    return name if op is None else (op.CORE or op).name


@dataclass(frozen=True)
class RaiseBlockOps(ModulePass):
    """Find MaskedSoftmax, StatefulGru and StatefulLstm in a graph, and what `qti-raise` finds.

    A softmax becomes MaskedSoftmax where its mask is of whole numbers or chooses columns, also one
    that `qti-raise` put into an Attention before this pass. A Gru or Lstm whose state is an input
    and an output of the model keeps it: the input counts in the first inference, and where
    `reset`, the name of a new input, is true. Each layer that stays unchanged has a note on
    standard error; `htp rules explain` says why a softmax stays. What a tool wrote out of the
    bodies that our exporters write becomes the block op again, but for Buffer.
    """

    name = "qti-raise-block-ops"

    tcm_bytes: int = 8 << 20
    reset: str = ""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        rules = RunRules(str(BLOCK_OPS), str(BLOCK_OPS), self.tcm_bytes)
        # First of all, as an Attention would take the softmax in.
        joined = CommonSubexpressionElimination()
        run_passes(ctx, op, (joined, rules, Raise(self.tcm_bytes), rules))
        restore_layers(op)
        for fault in keep_states(op, self.reset):
            note(fault)
