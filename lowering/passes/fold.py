"""Constant propagation: ops over constants run once, at compile time."""

from collections.abc import Iterable

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from ...dialects.diagnostics import HtpError
from ...dialects.faults.op_faults import fail_at, raised
from ...dialects.htp.base import NativeOp
from ...dialects.htp.ops.const import ConstOp, ShapeOp, const
from ...dialects.locations import location_of, source_name
from ...dialects.spec_of import spec_of
from ...dialects.value.limits import MAX_FOLDED
from ...runtime import Flag, Operand, ShapeParam, Tensor
from ...runtime.kernel.library import KernelRegistry
from ...runtime.tensors.tensor_classes import constant_tensor, new_tensor
from ..levels import bodies, is_boundary
from ..packages.loading import packages_of
from ..rules.graph.graph import Node


class Fold(ModulePass):
    """Replace each op over constants by its value, kernels' flags respected.

    An op whose kernel carries INHIBIT_CONST_PROP, and one with an effect, stays; so does the
    Reshape in front of a result, which carries the signature. An op without operands is a constant
    where its kernel carries IS_CONST. All together may make as many bytes as the constants have,
    and MAX_FOLDED, beyond those that they read; an op that would make more runs later.
    """

    name = "htp-fold"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        kernels = packages_of(ctx).kernels
        own = (inner.array.nbytes for inner in op.walk() if isinstance(inner, ConstOp))
        left = MAX_FOLDED + sum(own)
        for block in bodies(op):
            # A list of the ops would hold constants that are gone.
            for inner in block.ops:
                read = dict.fromkeys(operand.owner for operand in inner.operands)
                if _foldable(inner) and (cost := _made(inner)) <= left and fold(inner, kernels):
                    left -= cost
                    _let_go(read)


def fold(op: Operation, kernels: KernelRegistry) -> bool:
    """Replace an op over constants by constants; False where its kernel forbids it or is none."""
    if not kernels.kernels(op.name):
        return False
    operands = [_constant(operand) for operand in op.operands]
    specs = [spec_of(result).with_place(None) for result in op.results]
    keys: list[Operand] = [t.spec if isinstance(t, Tensor) else t for t in operands]
    kernel = kernels.select(op.name, specs, keys)
    may_run = operands or Flag.IS_CONST in kernel.flags
    if not may_run or Flag.INHIBIT_CONST_PROP in kernel.flags:
        return False
    outputs = [new_tensor(spec) for spec in specs]
    scratch = [new_tensor(spec) for spec in kernel.scratch_specs(specs, keys, source_name(op))]
    try:
        with np.errstate(all="ignore"):
            kernel.bind(outputs, operands, scratch)()
    except HtpError:
        raise
    except Exception as error:
        why = f"kernel {kernel.name} fails on constants: {raised(error)}"
        raise fail_at(op, why, "fix it, or flag it INHIBIT_CONST_PROP") from error
    constants = [const(output.stored(), spec) for output, spec in zip(outputs, specs, strict=True)]
    for constant in constants:
        constant.location = location_of(op)
    Rewriter.replace_op(op, constants, [constant.results[0] for constant in constants])
    return True


def _foldable(op: Operation) -> bool:
    if not isinstance(op, NativeOp) or any(map(is_boundary, op.results)):
        return False
    return all(isinstance(operand.owner, ConstOp | ShapeOp) for operand in op.operands)


def _let_go(read: Iterable[Operation | Block]) -> None:
    """Erase constants that an op alone has read: later ones may take their memory.

    An op and its results hold each other, so that their data has to be let go by itself.
    """
    for owner in read:
        if isinstance(owner, ConstOp) and not any(result.uses for result in owner.results):
            Rewriter.erase_op(owner)
            owner.properties.clear()


def _made(op: Operation) -> int:
    """Count the bytes that an op makes beyond those that it reads."""
    after, before = (
        sum(spec_of(value).nbytes for value in values if isinstance(value.type, TensorType))
        for values in (op.results, {*op.operands})
    )
    return max(after - before, 0)


def _constant(value: SSAValue) -> Tensor | ShapeParam:
    owner = value.owner
    if isinstance(owner, ConstOp):
        return constant_tensor(spec_of(value).with_place(None), owner.array)
    return ShapeParam(Node(value).shape)
