"""The rewriting of ops one by one until nothing changes, with locations for what is new.

Each sweep visits every op of the root class in order. The cost is that of the sweeps, whose number
is one more than the longest chain of rewrites that make work for one another.

Example: `Neg(Neg(x))` becomes x in the first sweep; the second finds no Neg, and is the last.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from xdsl.dialects.builtin import ModuleOp, UnknownLoc
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.rewriter import Rewriter

from ...dialects.faults.op_faults import fail_at
from ...dialects.locations import location_of

OpT = TypeVar("OpT", bound=Operation)

FREE_REWRITES = 1000
"""Rewrites that any module may have."""
REWRITES_PER_OP = 10
"""Further rewrites for each op that the module begins with."""


def replace_op(
    op: Operation,
    new_ops: Operation | Sequence[Operation],
    new_results: Sequence[SSAValue | None] | None = None,
) -> None:
    """Replace an op by others, which get its location where they have none.

    `new_results` replace its results; without them those of the last new op do. None is
    for a result without a use.
    """
    new = (new_ops,) if isinstance(new_ops, Operation) else new_ops
    for each in new:
        locate(each, op)
    Rewriter.replace_op(op, new, new_results)


def locate(new: Operation, source: Operation) -> None:
    """Give an op without a location that of another."""
    for inner in new.walk():
        if isinstance(inner.location, UnknownLoc):
            inner.location = location_of(source)


def rewrite(
    module: ModuleOp,
    roots: tuple[type[OpT], ...],
    pass_name: str,
    step: Callable[[OpT, PatternRewriter], None],
) -> None:
    """Call `step` for each op of some classes, again until nothing changes.

    HtpError at the op where the rewrites do not come to an end.
    """
    left = FREE_REWRITES + REWRITES_PER_OP * sum(1 for _ in module.walk())
    changes = True
    while changes:
        changes = False
        removed = set[Operation]()
        for op in [inner for inner in module.walk() if isinstance(inner, roots)]:
            if op in removed:
                continue
            if not left:
                problem = f"pass '{pass_name}' rewrites without end"
                raise fail_at(op, problem, "leave alone what the pass itself makes")
            if _rewrite_one(op, removed, step):
                left, changes = left - 1, True


def _rewrite_one(
    op: OpT, removed: set[Operation], step: Callable[[OpT, PatternRewriter], None]
) -> bool:
    rewriter = PatternRewriter(op)
    rewriter.operation_insertion_handler.append(lambda new: locate(new, op))
    rewriter.operation_removal_handler.append(lambda old: removed.update(old.walk()))
    step(op, rewriter)
    return rewriter.has_done_action
