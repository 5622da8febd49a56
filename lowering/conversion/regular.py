"""The uniform conversion: inputs first, then params in param order, both from tables."""

from collections.abc import Callable, Sequence

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.qti_aisw.base import GraphOp, ParamValue
from ...dialects.spec_of import spec_of
from ...dialects.value import RANK, DType, Quant, Shape, TensorSpec
from .builder import Builder, ConversionFault, rank4

Move = Callable[[tuple[int, ...], int], tuple[int, ...] | None]
"""Params that speak of dims, moved from a tensor of the given rank to rank 4.

Above rank 4 the leading dims of extent 1 fold away; None where a param needs one of them.
"""


def _axis(values: tuple[int, ...], rank: int) -> tuple[int, ...] | None:
    moved = tuple(axis % rank + RANK - rank for axis in values)
    return moved if min(moved) >= 0 else None


def _axes(values: tuple[int, ...], rank: int) -> tuple[int, ...] | None:
    """To reduce over an extent of 1 as well changes nothing, so a folded axis just goes."""
    moved = tuple(axis % rank + RANK - rank for axis in values)
    return tuple(axis for axis in moved if axis >= 0) or None


def _permutation(values: tuple[int, ...], rank: int) -> tuple[int, ...] | None:
    folded = max(rank - RANK, 0)
    if any(axis >= folded for axis in values[:folded]):
        return None
    return (*range(RANK - rank), *(axis + RANK - rank for axis in values[folded:]))


def _per_dim(neutral: tuple[int, ...]) -> Move:
    def mover(values: tuple[int, ...], rank: int) -> tuple[int, ...] | None:
        folded = max(rank - RANK, 0) * len(neutral)
        if values[:folded] != neutral * max(rank - RANK, 0):
            return None
        return (*neutral * (RANK - rank), *values[folded:])

    return mover


MOVES: dict[str, Move] = {
    "axis": _axis,
    "axes": _axes,
    "perm": _permutation,
    "ranges": _per_dim((0, 1, 1)),
    "multiples": _per_dim((1,)),
    "Pad.pad_amount": _per_dim((0, 0)),
}
"""The move of a param that names dims, by param, or by op and param where other ops differ.

A range over a back-filled dim takes its one element: begin 0, end 1, stride 1.
"""


def _move(op: str, name: str, value: ParamValue, rank: int) -> ParamValue | None:
    """Return the param's value at rank 4; None where it speaks of a dim that folds away."""
    mover = MOVES.get(name) or MOVES.get(f"{op}.{name}")
    if mover is None:
        return value
    if isinstance(value, tuple):
        return mover(value, rank)
    moved = mover((int(value),), rank)
    return None if moved is None else moved[0]


Fill = Callable[[GraphOp, Builder], SSAValue]
"""The neutral constant that represents an optional input that is absent."""


def _result_channels(op: GraphOp, builder: Builder) -> SSAValue:
    """Return a zero per channel of the result."""
    spec = spec_of(op.results[0])
    return _full(builder, (1, 1, 1, spec.shape[-1]), 0, spec)


def _nothing_added(op: GraphOp, builder: Builder) -> SSAValue:
    """Return a zero that broadcasts."""
    return _full(builder, (1, 1, 1, 1), 0, spec_of(op.results[0]))


def _like_norm(value: int) -> Fill:
    """Return a constant over the normalised dims, 1 elsewhere."""

    def fill(op: GraphOp, builder: Builder) -> SSAValue:
        spec = spec_of(op.operands[0])
        normalised = {axis % spec.rank for axis in op.ints_param("axes")}
        dims = tuple(n if i in normalised else 1 for i, n in enumerate(spec.shape))
        return _full(builder, rank4(TensorSpec(dims, spec.dtype)).shape, value, spec)

    return fill


_WHOLE = Quant((1.0,), (0,))


def _full(builder: Builder, dims: Shape, value: int, data: TensorSpec) -> SSAValue:
    """Fill with a whole number, in the data's float type or, for quantised data, as QInt32."""
    if data.dtype.is_float:
        return builder.full(dims, value, data.dtype)
    spec = TensorSpec(dims, DType.QInt32, _WHOLE)
    return builder.const(np.full(dims, value, spec.dtype.storage), spec)


FILLS: dict[tuple[str, str], Fill] = {
    ("Conv2d", "bias"): _result_channels,
    ("DepthWiseConv2d", "bias"): _result_channels,
    ("TransposeConv2d", "bias"): _result_channels,
    ("FullyConnected", "bias"): _result_channels,
    ("CodedFullyConnected", "bias"): _result_channels,
    ("LayerNorm", "gamma"): _like_norm(1),
    ("LayerNorm", "beta"): _like_norm(0),
    ("RmsNorm", "beta"): _like_norm(0),
    ("Attention", "mask"): _nothing_added,
    ("PagedAttention", "mask"): _nothing_added,
}
"""The constant in place of an absent optional input, by op and input."""


def convert_regular(op: GraphOp, builder: Builder) -> None:
    """Append the native op of the same name and record its result."""
    name = op.name.rpartition(".")[2]
    operands = [*inputs_first(op, name, builder)]
    for key, value in params_in_order(op, name, builder):
        operands.append(builder.param(key, value))
    builder.set(op.results[0], builder.op(name, operands, native_result(op, name)))


def inputs_first(op: GraphOp, name: str, builder: Builder) -> list[SSAValue]:
    """Return the op's inputs at rank 4, absent optional ones as their neutral constants."""
    values: list[SSAValue] = []
    for operand, _ in op.get_irdl_definition().operands:
        value: SSAValue | Sequence[SSAValue] | None = getattr(op, operand)
        if value is None:
            values.append(FILLS[name, operand](op, builder))
        elif isinstance(value, SSAValue):
            values.append(builder.get(value))
        else:
            values += builder.get_all(value)
    return values


def params_in_order(op: GraphOp, name: str, builder: Builder) -> list[tuple[str, ParamValue]]:
    """Return the op's params as its param order lists them, moved to rank 4.

    A missing mandatory param is a ConversionFault; an optional one without default is skipped.
    """
    params = op.params()
    rank = spec_of(op.operands[0]).rank
    ordered: list[tuple[str, ParamValue]] = []
    order = builder.declared.param_orders.get(f"htp.{name}")
    for param in order.params if order else ():
        value = params.get(param.name, param.default)
        if value is None and param.mandatory:
            raise ConversionFault(f"param '{param.name}' is mandatory and not given", "give it")
        if value is not None:
            moved = _move(name, param.name, value, rank)
            if moved is None:
                problem = f"param '{param.name}' names one of the first {rank - RANK} dims"
                problem += f", native tensors have rank {RANK}"
                raise ConversionFault(problem, "reshape to rank 4 in the model")
            ordered.append((param.name, moved))
    return ordered


def native_result(op: GraphOp, name: str) -> TensorSpec:
    """Return the native op's result: the graph result at rank 4, or what keeping the dims gives."""
    spec = spec_of(op.results[0])
    shape = KEPT_SHAPES[name](op) if name in KEPT_SHAPES else spec.shape
    return rank4(spec.with_shape(shape))


def _reduced(op: GraphOp) -> Shape:
    spec = spec_of(op.operands[0])
    named = op.ints_param("axes") if "axes" in op.properties else (op.int_param("axis"),)
    axes = {axis % spec.rank for axis in named}
    return tuple(1 if i in axes else n for i, n in enumerate(spec.shape))


def _gathered(op: GraphOp) -> Shape:
    shape = list(spec_of(op.operands[0]).shape)
    shape[op.int_param("axis") % len(shape)] = spec_of(op.operands[1]).elements
    return tuple(shape)


KEPT_SHAPES: dict[str, Callable[[GraphOp], Shape]] = {
    **dict.fromkeys(
        ("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "Argmax", "Argmin"),
        _reduced,
    ),
    "Gather": _gathered,
}
"""Ops whose native form keeps every dim; a Reshape to the graph's shape follows."""
