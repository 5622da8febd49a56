"""Shapes and constants that a replacement makes."""

from __future__ import annotations

from typing import cast

import numpy as np
from xdsl.ir import SSAValue

from ....dialects.value.dtypes import DType
from ....dialects.value.spec import Shape, TensorSpec
from ..graph.env import Env
from ..graph.graph import Node
from ..graph.types import EvaluationError, Kind, Number, Value, convert
from ..tree.build import Builder, Reference
from ..tree.expr import Call, Expr
from ..tree.function import EXTENT, INTEGER, NUMBER, Function, builds

MAX_ELEMENTS = 1 << 24
"""The most that a generated array holds: 64 MiB."""


def _dims(env: Env, call: Call) -> Value:
    return tuple(int(cast(int, arg.evaluate(env))) for arg in call.args)


def _dims_of(env: Env, call: Call) -> Value:
    value = call.args[0].evaluate(env)
    return value.shape if isinstance(value, Node) else value


def _shape(builder: Builder, ref: Reference, call: Call) -> SSAValue:
    return builder.shape(builder.extent(call))


def _array(values: list[Number], dtype: DType, builder: Builder) -> SSAValue:
    shape: Shape = (1, 1, 1, len(values))
    with np.errstate(over="ignore"):
        array = np.array(values, dtype=dtype.storage).reshape(shape)
    return builder.const(array, TensorSpec(shape, dtype))


def _number(builder: Builder, expr: Expr, kind: Kind) -> Number:
    return convert(cast(Number, expr.evaluate(builder.env)), kind)


def _constant(name: str, dtype: DType, repeated: bool) -> Function:
    kind = Kind.INT if dtype is DType.Int32 else Kind.FLOAT

    def build(builder: Builder, ref: Reference, call: Call) -> SSAValue:
        count = builder.integer(call.args[1]) if repeated else 1
        if not 0 < count <= MAX_ELEMENTS:
            raise EvaluationError(f"{count} elements; 1 to {MAX_ELEMENTS} are allowed")
        return _array([_number(builder, call.args[0], kind)] * count, dtype, builder)

    slots = (NUMBER, INTEGER) if repeated else (NUMBER,)
    example = f'{name}(0.5, DIM_DEPTH("*"))' if repeated else f"{name}(1)"
    what = "so many elements of one" if repeated else "one"
    doc = f"A constant of {what} {dtype.name} number. Example: `{example}`"
    return builds(name, slots, build, doc=doc)


def _values(builder: Builder, ref: Reference, call: Call) -> SSAValue:
    values = [_number(builder, arg, Kind.INT) for arg in call.args]
    return _array(values, DType.Int32, builder)


gen_Shape = Function(
    "gen_Shape",
    (INTEGER,),
    Kind.SHAPE,
    _dims,
    _shape,
    rest=INTEGER,
    doc='A shape with these dims. Example: `gen_Shape(1, DIM_HEIGHT("S"), 1, 1)`',
)
gen_ShapeOf = Function(
    "gen_ShapeOf",
    (EXTENT,),
    Kind.SHAPE,
    _dims_of,
    _shape,
    doc='The dims of a node as a shape. Example: `gen_ShapeOf("*")`',
)
gen_ConstScalar_f32 = _constant("gen_ConstScalar_f32", DType.Float32, repeated=False)
gen_ConstScalar_i32 = _constant("gen_ConstScalar_i32", DType.Int32, repeated=False)
gen_ConstArr_f32 = _constant("gen_ConstArr_f32", DType.Float32, repeated=True)
gen_ConstArr_i32 = _constant("gen_ConstArr_i32", DType.Int32, repeated=True)
gen_ConstArr_vals_i32 = builds(
    "gen_ConstArr_vals_i32",
    (INTEGER,),
    _values,
    rest=INTEGER,
    doc="A constant i32 array of these numbers. Example: `gen_ConstArr_vals_i32(0, 1, 3, 2)`",
)
