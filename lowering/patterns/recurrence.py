"""Recurrent layers whose weights do not fit the TCM: a part of them stays there.

Every step of a sequence reads all recurrent weights. What does not fit is read from main memory as
often as there are steps, so as much as fits stays in TCM. Two directions become a layer each before
that: their weights are in TCM one after the other.
"""

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ...dialects.htp.base import replaced
from ...dialects.htp.ops.rnn import GruOp, LstmOp, RecurrentOp
from ...dialects.spec_of import spec_of, type_of
from ...dialects.value import TensorSpec
from ..rules import (
    DIM_OF,
    EQ,
    EXTERNAL_CONSTRAINT,
    EXTERNAL_REPLACE,
    SELECT,
    TILING,
    Op,
    external_constraint,
    external_replacement,
    gen_ConstScalar_i32,
    rule,
    rules,
)
from ..rules.graph.env import Env
from ..rules.graph.graph import Node
from ..rules.graph.types import EvaluationError
from ..rules.language.split import take_slice
from ..rules.tree.build import Builder, Reference
from .tile_table import D, H, W

_DIRECTIONS = {"W": H, "R": H, "B": W, "initial_h": H, "initial_c": H, "P": W}
"""The dim of directions of the operands that have one."""
GAPS = 64
"""The part of the TCM that recurrent weights leave to other tensors."""


def _fitting(env: Env, root: Node) -> int:
    """Count the elements of a state whose recurrent weights fit the TCM; one at least."""
    weights, size = spec_of(_layer(root).R), env.options.tcm_size
    return max(1, (size - size // GAPS) // (weights.nbytes // weights.shape[D]))


def _layer(root: Node) -> RecurrentOp:
    if not isinstance(root.op, RecurrentOp):
        raise EvaluationError(f"{root.name} is no recurrent layer")
    return root.op


@external_constraint("weights_exceed", takes_env=True)
def weights_exceed(env: Env, root: Node) -> bool:
    """The layer's recurrent weights do not fit the TCM."""
    return _fitting(env, root) < spec_of(_layer(root).R).shape[D]


@external_replacement("each_direction", all_outputs=True)
def each_direction(builder: Builder, root: Node) -> SSAValue:
    """Make a layer of each direction, and join what they give."""
    layer, parts = _layer(root), list[Sequence[SSAValue]]()
    specs = [spec_of(result) for result in layer.results]
    alone = [spec.with_shape(replaced(spec.shape, H, 1)) for spec in specs]
    for direction in range(2):
        own = {
            name: _part(builder, getattr(layer, name), dim, direction, 1)
            for name, dim in _DIRECTIONS.items()
            if name in layer.OPERANDS
        }
        own["direction"] = gen_ConstScalar_i32(direction).build(builder, Reference(root.spec))
        operands = [
            own.get(name, value) for name, value in zip(layer.OPERANDS, layer.operands, strict=True)
        ]
        parts.append(_layer_of(builder, layer.name, operands, alone))
    axis = gen_ConstScalar_i32(H).build(builder, Reference(root.spec))
    joined = [
        builder.native("Concat", [axis, *each], Reference(spec))
        for spec, *each in zip(specs, *parts, strict=True)
    ]
    return _replaced(builder, layer, joined)


@external_replacement("pinned_in_part", all_outputs=True)
def pinned_in_part(builder: Builder, root: Node) -> SSAValue:
    """Keep the recurrent weights of as many elements of a state in TCM as fit."""
    layer, count = _layer(root), _fitting(builder.env, root)
    pinned = _part(builder, layer.R, D, 0, count)
    rest = _part(builder, layer.R, D, count, spec_of(layer.R).shape[D] - count)
    operands = [rest if value is layer.R else value for value in layer.operands]
    specs = [spec_of(result) for result in layer.results]
    return _replaced(
        builder, layer, _layer_of(builder, f"{layer.name}.pinned", [*operands, pinned], specs)
    )


def _part(builder: Builder, value: SSAValue, dim: int, start: int, size: int) -> SSAValue:
    """Slice a value along a dim."""
    shape = spec_of(value).shape
    begin = tuple(start * (axis == dim) for axis in range(len(shape)))
    return take_slice(builder, value, begin, replaced(shape, dim, size), Reference(spec_of(value)))


def _layer_of(
    builder: Builder,
    name: str,
    operands: Sequence[SSAValue],
    specs: Sequence[TensorSpec],
) -> Sequence[SSAValue]:
    """Make a layer whose results have these specs."""
    new = builder.native(
        name.removeprefix("htp."), operands, Reference(specs[0], outputs=len(specs))
    )
    return builder.like(new, lambda old: old.operands, [type_of(spec) for spec in specs]).results


def _replaced(builder: Builder, layer: RecurrentOp, results: Sequence[SSAValue]) -> SSAValue:
    """Have values replace all results of a layer; return the first."""
    first, *states = results
    builder.further += zip(layer.results[1:], states, strict=True)
    return first


RECURRENCE_RULES = rules(
    *(
        rule(
            TILING - 1,
            Op(op.mnemonic(), *op.OPERANDS),
            EXTERNAL_CONSTRAINT(weights_exceed, "*"),
            SELECT(
                EQ(DIM_OF("R", H), 2),
                EXTERNAL_REPLACE(each_direction),
                EXTERNAL_REPLACE(pinned_in_part),
            ),
            name="weights larger than the TCM",
        )
        for op in (LstmOp, GruOp)
    ),
)
"""Layers whose recurrent weights do not fit the TCM."""
