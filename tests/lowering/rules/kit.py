"""What these tests share: values to bind tags to, graphs as formulas, runs that must agree."""

import numpy as np
from htp_mlir.dialects.htp import NATIVE_OPS
from htp_mlir.dialects.htp.base import NativeOp, inferred
from htp_mlir.dialects.htp.fields import tensor_def
from htp_mlir.dialects.htp.ops.const import ConstOp, ShapeOp
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering.passes.checks.check_level import check_dominance
from htp_mlir.lowering.rules import (
    EARLY,
    OK,
    GraphOptions,
    Op,
    Rule,
    RuleSet,
    RuleStats,
    rule,
    rules,
    run_rules,
)
from htp_mlir.lowering.rules.engine.engine import Report, op_classes
from htp_mlir.lowering.rules.graph.env import Env, Split, to_stderr
from htp_mlir.lowering.rules.graph.graph import RESHAPE, Node, Value
from htp_mlir.lowering.rules.tree.build import Builder, Reference
from htp_mlir.lowering.rules.tree.expr import Arg, Expr
from htp_mlir.runtime import Session
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from tests.support.feeds import assert_same, feeds
from tests.support.native_graph import NativeGraph

U8 = TensorSpec((1, 2, 4, 8), DType.QUInt8, Quant((0.05,), (128,)))
F16 = TensorSpec((1, 2, 4, 8), DType.Float16)
SPLIT = Split(dim=1, start=16, size=8, index=2)


def value_of(
    expr: Expr,
    options: GraphOptions | None = None,
    report: Report = to_stderr,
    **tags: SSAValue,
) -> Value:
    """What an expression gives with these tags bound, inside one slice called I."""
    env = Env(tags, options or GraphOptions(), report=report, splits={"I": SPLIT})
    return expr.evaluate(env)


def built(expr: Expr, spec: TensorSpec, **tags: SSAValue) -> SSAValue:
    """What a replacement builds, detached, against a reference output."""
    root = NativeGraph().input(spec=spec)
    empty = rules()
    env = Env(tags, GraphOptions(), externals=empty.externals, splits={"I": SPLIT})
    assert isinstance(root.owner, Operation)
    return expr.build(Builder(env, root.owner, op_classes(empty)), Reference(spec))


def same(value: Value, wanted: object) -> bool:
    """Equal in value and in kind of number; NaN equals NaN."""
    if isinstance(value, float) and isinstance(wanted, float) and np.isnan(wanted):
        return bool(np.isnan(value))
    return type(value) is type(wanted) and value == wanted


def apply(
    module: ModuleOp,
    *members: Rule | RuleSet,
    options: GraphOptions | None = None,
    report: Report = to_stderr,
) -> RuleStats:
    """Run rules on a module in place; what they leave is valid."""
    stats = run_rules(module, rules(*members), options, report=report)
    module.verify()
    check_dominance(module)
    return stats


def assert_rewrites(
    module: ModuleOp,
    *members: Rule | RuleSet,
    to: str | None = None,
    firings: int | None = None,
    options: GraphOptions | None = None,
) -> ModuleOp:
    """The rules fire, the numbers stay the same; `to` is the formula afterwards."""
    before = Session(module.clone())
    inputs = feeds(before)
    expected = before.run(inputs)
    stats = apply(module, *members, options=options)
    assert stats.firings == firings if firings is not None else stats.firings
    if to is not None:
        assert formula(module) == to
    assert_same(Session(module).run(inputs), expected)
    return module


def assert_stays(
    module: ModuleOp, *members: Rule | RuleSet, options: GraphOptions | None = None
) -> None:
    """No rule fires and the graph is as before."""
    before = module.clone()
    assert apply(module, *members, options=options).firings == 0
    assert module.is_structurally_equivalent(before)


def body(module: ModuleOp) -> list[Operation]:
    """The ops of the first function."""
    function = next(op for op in module.ops if isinstance(op, FuncOp))
    return list(function.body.block.ops)


def names(module: ModuleOp) -> list[str]:
    """The native ops without constants, shapes and the Reshapes at the boundary."""
    hidden = (RESHAPE, ConstOp.name, ShapeOp.name, "func.return")
    return [op.name.removeprefix("htp.") for op in body(module) if op.name not in hidden]


def find(module: ModuleOp, mnemonic: str, index: int = 0) -> Operation:
    """The op of this name at a position among its kind."""
    return [op for op in body(module) if op.name == f"htp.{mnemonic}"][index]


def formula(module: ModuleOp) -> str:
    """The first result as nested ops: `Add(x0, [1.0])`, a shape as `<1x2x2x1>`."""
    result = body(module)[-1].operands[0]
    return text(_inside(result))


def text(value: SSAValue) -> str:
    """A value as nested ops; constants of up to six elements are shown, others by their dims."""
    owner = value.owner
    if isinstance(value, BlockArgument):
        return f"x{value.index}"
    assert isinstance(owner, Operation)
    if isinstance(owner, ShapeOp):
        return f"<{'x'.join(map(str, Node(value).shape))}>"
    if isinstance(owner, ConstOp):
        return _constant(owner)
    if owner.name == RESHAPE and isinstance(owner.operands[0], BlockArgument):
        return text(owner.operands[0])
    name = owner.name.removeprefix("htp.")
    suffix = f".{Node(value).index}" if Node(value).index else ""
    return f"{name}({', '.join(map(text, owner.operands))}){suffix}"


def chain(*mnemonics: str, dims: tuple[int, ...] = (1, 2, 4, 8)) -> ModuleOp:
    """One-operand ops one after the other on x0."""
    graph = NativeGraph()
    value = graph.input(*dims)
    for mnemonic in mnemonics:
        value = graph.op(mnemonic, value)
    return graph.module(value)


def gru_outputs(graph: NativeGraph) -> tuple[SSAValue, SSAValue]:
    """The outputs of a Gru of two steps."""
    operands = [
        graph.input(1, 2, 1, 3),
        graph.random(1, 1, 6, 3),
        graph.random(1, 1, 6, 2),
        graph.random(1, 1, 1, 12),
        graph.const(np.array([[[[2]]]], np.int32)),
        graph.random(1, 1, 1, 2),
        graph.ints(0),
        graph.scalar(0.0),
        graph.ints(0),
    ]
    op = inferred(NATIVE_OPS["Gru"], operands)
    graph.block.add_op(op)
    return op.results[0], op.results[1]


class PkgReluOp(NativeOp):
    """A user's own op."""

    name = "Pkg.Relu"

    in_ = tensor_def()


PKG = {PkgReluOp.name: PkgReluOp}


def _inside(result: SSAValue) -> SSAValue:
    owner = result.owner
    return owner.operands[0] if isinstance(owner, Operation) and owner.name == RESHAPE else result


def _constant(op: ConstOp) -> str:
    array = op.array
    if array.size > 6:
        return f"const {'x'.join(map(str, spec_of(op.out).shape))}"
    return f"[{', '.join(str(item) for item in array.flat)}]"


def becomes(old: str, new: str, priority: int = EARLY, constraint: Arg = OK) -> Rule:
    """The rule old(X) -> new(X)."""
    return rule(priority, Op(old, "X"), constraint, Op(new, "X"), name=f"{old} to {new}")


def neg_becomes(replacement: Arg) -> Rule:
    """The rule that replaces Neg(X)."""
    return rule(EARLY, Op("Neg", "X"), OK, replacement)
