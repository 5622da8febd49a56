"""Params of graph ops as constants."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, SSAValue

from ....dialects.dense import Array
from ....dialects.htp.ops.const import const
from ....dialects.qti_aisw.choices import Choice
from ....dialects.qti_aisw.params import ParamValue, param_value
from ....dialects.text.constant import Constant
from ....dialects.value.dtypes import DType
from ....dialects.value.spec import TensorSpec

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
