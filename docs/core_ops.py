"""The core of the native ops, found by lowering: what graph ops are once rules are through.

A graph op is in the core where one native op of its name is left of it; else it is taken apart, by
its conversion or by rules of the pass group QNN, into ops that are. Each op is lowered by itself.
"""

from dataclasses import dataclass
from enum import Enum

from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.htp import CORE_OF
from htp_mlir.dialects.htp.base import NativeOp
from htp_mlir.dialects.htp.ops.copies import CopyOp
from htp_mlir.dialects.htp.ops.movement import ReshapeOp
from htp_mlir.dialects.htp.ops.state import StateReadOp, StateWriteOp
from htp_mlir.dialects.qti_aisw.base import GraphOp
from htp_mlir.lowering.conversion.ranks.dims import LETTERS
from htp_mlir.lowering.levels import Level, bodies, mnemonic
from htp_mlir.lowering.packages.loading import packages_of
from htp_mlir.lowering.passes.lower import Lower, lower_module
from htp_mlir.lowering.rules import OK, Rule
from htp_mlir.lowering.rules.graph.priorities import EARLY
from htp_mlir.lowering.rules.tree.expr import OpForm, walk
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.parser import Parser


class Role(Enum):
    """The way of a graph op to native ops."""

    CORE = "core"
    DECOMPOSED = "decomposed"
    REFUSED = "refused"


@dataclass(frozen=True)
class CoreEntry:
    """A graph op, its role, the native ops that an example of it becomes, and why it does not.

    `others` are native ops that rules make of it with other params; `any_rank` says that it lowers
    above rank 4 as well.
    """

    op: str
    role: Role
    becomes: tuple[str, ...]
    others: tuple[str, ...]
    any_rank: bool
    refusal: str = ""


def core_entry(op: type[GraphOp], example: str, ctx: Context) -> CoreEntry:
    """Lower an example of a graph op, a statement in the form of docstrings, to native ops."""
    name, any_rank = op.name.partition(".")[2], op.name in LETTERS
    module = graph_of(example, ctx)
    try:
        lower_module(ctx, module, Lower(level=Level.NATIVE.value))
    except HtpError as error:
        return CoreEntry(name, Role.REFUSED, (), (), any_rank, error.faults[0].line())
    # A Reshape is a view, and copies say nothing of the op.
    kinds = (NativeOp, StateReadOp, StateWriteOp)
    ops = [op for block in bodies(module) for op in block.ops if isinstance(op, kinds)]
    left = [mnemonic(op) for op in ops if not isinstance(op, (ReshapeOp, CopyOp))]
    becomes = tuple(dict.fromkeys(left))
    is_core = becomes in ((), (CORE_OF.get(name, name),))
    others = [each for each in _by_rules(name, ctx) if each not in (*becomes, name)]
    if not is_core and _is_left_alone(name, ctx):
        others.append(name)
    role = Role.CORE if is_core else Role.DECOMPOSED
    return CoreEntry(name, role, becomes, tuple(others), any_rank)


def graph_of(example: str, ctx: Context) -> ModuleOp:
    """Return a module whose function takes the operands of one op and returns its results."""
    op = Parser(ctx, example).parse_op()
    block = Block()
    for operand in dict.fromkeys(op.operands):
        argument: SSAValue = block.insert_arg(operand.type, len(block.args))
        operand.replace_all_uses_with(argument)
    block.add_ops([op, ReturnOp(*op.results)])
    types = [value.type for value in block.args], [value.type for value in op.results]
    module = ModuleOp([FuncOp("main", types, Region(block))])
    module.verify()
    return module


def _rules_of(name: str, ctx: Context) -> list[Rule]:
    """List the rules before EARLY of a raw native op."""
    rules = packages_of(ctx).rules.rules
    return [rule for rule in rules if rule.root == f"htp.{name}" and rule.priority < EARLY]


def _by_rules(name: str, ctx: Context) -> list[str]:
    forms = [form for rule in _rules_of(name, ctx) for form in walk(rule.replacement)]
    return list(dict.fromkeys(form.name for form in forms if isinstance(form, OpForm)))


def _is_left_alone(name: str, ctx: Context) -> bool:
    """Tell whether each of the rules has a constraint, so that a raw op may stay."""
    rules = _rules_of(name, ctx)
    return bool(rules) and all(rule.constraint != OK for rule in rules)
