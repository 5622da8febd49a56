"""Graph ops by their inputs as rules write them: operands, then params as constants."""

from collections.abc import Iterator, Sequence

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import PropertyDef, VarResultDef

from ....dialects.dense import Array
from ....dialects.htp.ops.const import const
from ....dialects.qti_aisw.base import GraphOp, bool_attr, float_attr, int_attr, ints_attr
from ....dialects.qti_aisw.choices import (
    BufferMode,
    BufferModeAttr,
    Direction,
    DirectionAttr,
    MaskMode,
    MaskModeAttr,
)
from ....dialects.text.constant import Constant
from ....dialects.value import DType, TensorSpec
from ..graph.graph import TO, origin, params_of
from ..graph.types import EvaluationError

ABSENT_INPUT: SSAValue = const(np.zeros(1, np.int32), TensorSpec((1,), DType.Int32)).out
"""The value, outside of any graph, that represents an input that an op is built without."""


def graph_op(
    op_class: type[GraphOp], inputs: Sequence[SSAValue], types: Sequence[Attribute]
) -> GraphOp:
    """Return a new graph op by its inputs, operands first, and the types of its results.

    EvaluationError where an input is not a value of its param.
    """
    operands, params = _divided(op_class, inputs)
    definition = op_class.get_irdl_definition()
    if TO in definition.properties and isinstance(types[0], TensorType):
        params[TO] = types[0].get_element_type()
    variadic = any(isinstance(result, VarResultDef) for _, result in definition.results)
    results = [types] if variadic else types
    return op_class.build(operands=operands, result_types=results, properties=params)


def _divided(
    op_class: type[GraphOp], inputs: Sequence[SSAValue]
) -> tuple[Sequence[Sequence[SSAValue]], dict[str, Attribute]]:
    """Divide inputs into operands, by definition, and params; the last operands may be absent."""
    definition, names = op_class.get_irdl_definition(), params_of(op_class)
    count, most = len(inputs) - len(names), len(definition.operands)
    if not 0 <= count <= most:
        raise EvaluationError(
            f"{op_class.name} is given {len(inputs)} inputs, it takes {most} operands "
            f"and {len(names)} params"
        )
    if any(origin(value) is not None for value in inputs[:count]):
        raise EvaluationError(f"{op_class.name} is given a param where it takes a tensor")
    operands = [[] if value is ABSENT_INPUT else [value] for value in inputs[:count]]
    params = {
        name: _param(value, name, definition.properties[name])
        for name, value in zip(names, inputs[count:], strict=True)
        if value is not ABSENT_INPUT
    }
    return [*operands, *([] for _ in range(most - count))], params


def _param(value: SSAValue, name: str, declared: PropertyDef) -> Attribute:
    """Return a constant as a param of the declared type; EvaluationError where it is none."""
    owner = value.owner
    if not isinstance(owner, Constant):
        raise EvaluationError(f"param '{name}' is no constant")
    param = origin(value)
    forms = _forms(owner.array) if param is None else [param]
    fitting = (form for form in forms if declared.constr.verifies(form))
    param = next(fitting, None)
    if param is None:
        raise EvaluationError(f"param '{name}' is {owner.array.tolist()}, which is not of its type")
    return param


_CASES: Sequence[Sequence[Attribute]] = (
    [BufferModeAttr(mode) for mode in BufferMode],
    [DirectionAttr(way) for way in Direction],
    [MaskModeAttr(mode) for mode in MaskMode],
)
"""The attributes of params with named values, in the order of their numbers."""


def _forms(array: Array) -> Iterator[Attribute]:
    """Yield the params that the numbers of a constant may be."""
    numbers = [float(number) for number in array.flat]
    whole = [int(n) for n in numbers if n.is_integer() and abs(n) < 1 << 63]
    if len(whole) == len(numbers):
        yield ints_attr(whole)
    if len(numbers) == 1:
        yield from map(int_attr, whole)
        yield from (bool_attr(bool(number)) for number in whole if number in (0, 1))
        yield from (cases[n] for n in whole for cases in _CASES if 0 <= n < len(cases))
        yield float_attr(numbers[0])
