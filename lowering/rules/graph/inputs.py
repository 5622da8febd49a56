"""The inputs of an op as rules see them: of a graph op its operands, then its params as constants.

So a graph op has the inputs that a native op has, and one language of rules serves both levels.
Equal params of two ops are one value: one tag in a match asks for equal params.

Example: the inputs of `qti_aisw.Softmax(%x) {axis = 1 : i64}` are `%x`, a constant 1 for `axis` and
a constant 1.0 for `beta`.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects.dense import Array
from ....dialects.diagnostics import fail
from ....dialects.htp.ops.const import const
from ....dialects.qti_aisw import CustomOp, GraphOp
from ....dialects.qti_aisw.base import ParamValue, param_value
from ....dialects.qti_aisw.choices import Choice
from ....dialects.text.constant import Constant
from ....dialects.value import DType, TensorSpec

TO = "to"
"""The param that is the element type of the result."""
_IMPLIED = ("operandSegmentSizes", TO)
"""Properties that follow from an op's operands and results: no inputs."""


def inputs_of(op: Operation) -> Sequence[SSAValue]:
    """Return the operands of an op and, of a graph op, its params behind them.

    A graph op with an absent operand before a present one has none: no rule can name them.
    """
    if not isinstance(op, GraphOp) or isinstance(op, CustomOp):
        return op.operands
    present = [bool(getattr(op, name)) for name, _ in op.get_irdl_definition().operands]
    if present != sorted(present, reverse=True):
        return ()
    params = (name for name in params_of(type(op)) if name in op.properties)
    return (*op.operands, *(param_constant(name, op.properties[name]) for name in params))


def params_of(op_class: type[GraphOp]) -> tuple[str, ...]:
    """Return the names of the params of a graph op, in the order of its declaration."""
    return tuple(name for name in op_class.get_irdl_definition().properties if name not in _IMPLIED)


COLUMNS: dict[str, int] = {"pad_amount": 2, "ranges": 3}
"""Params that are matrices at the native level, and their number of columns."""

CASES: dict[str, tuple[str, ...]] = {"direction": ("forward", "reverse", "bidirectional")}
"""Params that are enums: a native constant holds the case's position."""

_ORIGIN = "htp.param"
"""The attribute of a constant that represents a param: the param itself."""
_KEPT = 4096
"""Number of params whose constants are kept."""


def param_array(name: str, value: ParamValue) -> tuple[Array, TensorSpec]:
    """Return the constant that represents a param: f32 for floats, i32 for everything else."""
    if isinstance(value, str):
        value = CASES[name].index(value)
    if isinstance(value, float):
        return np.full((1, 1, 1, 1), value, np.float32), TensorSpec((1, 1, 1, 1), DType.Float32)
    numbers: Sequence[int] = value if isinstance(value, tuple) else (int(value),)
    columns = COLUMNS.get(name, len(numbers)) or 1
    shape = (1, 1, len(numbers) // columns, columns)
    if max(map(abs, numbers), default=0) >= 1 << 31:
        problem = f"is {max(numbers, key=abs)}, and rules read numbers of 32 bits"
        raise fail(f"param '{name}'", problem, "give it a smaller number")
    return np.array(numbers, np.int32).reshape(shape), TensorSpec(shape, DType.Int32)


@lru_cache(maxsize=_KEPT)
def param_constant(name: str, param: Attribute) -> SSAValue:
    """Return the constant, outside of any graph, that represents a param; equal ones share it."""
    value = param_value(param)
    if isinstance(param, EnumAttribute) and isinstance(param.data, Choice):
        value = param.data.code
    constant = const(*param_array(name, value))
    constant.attributes[_ORIGIN] = param
    return constant.out


def origin(value: SSAValue) -> Attribute | None:
    """Return the param that a constant represents; None for a constant of a graph."""
    owner = value.owner
    return owner.attributes.get(_ORIGIN) if isinstance(owner, Constant) else None
