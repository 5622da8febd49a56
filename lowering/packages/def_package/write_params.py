"""Param orders as C++ text, their defaults as C initialisers."""

from __future__ import annotations

import math
import re

from ....dialects.diagnostics import fail
from ...rules.graph.param_order import Param, ParamDefault, ParamOrder
from ...rules.graph.types import INT_MAX, INT_MIN
from ..cpp.layout import CallText, lay_out
from .express import quoted

_SCALARS: dict[type, tuple[str, str]] = {
    bool: ("QNN_DATATYPE_BOOL_8", "bool8Value"),
    float: ("QNN_DATATYPE_FLOAT_32", "floatValue"),
    str: ("QNN_DATATYPE_STRING", "stringValue"),
}
_INT = ("QNN_DATATYPE_INT_32", "int32Value")
_LONG = ("QNN_DATATYPE_INT_64", "int64Value")


def order_lines(order: ParamOrder) -> list[str]:
    """Return the initialisers for a param order, then the declaration, a param on each line."""
    lines: list[str] = []
    rows = [quoted(order.op)]
    for number, param in enumerate(order.params):
        name = "sg_" + re.sub(r"\W", "_", f"{order.op}_{number}_{param.name}", flags=re.ASCII)
        if param.default is not None:
            lines += _default(name, param, param.default)
        address = "nullptr" if param.default is None else f"&{name}"
        mandatory = "true" if param.mandatory else "false"
        rows.append(f"{quoted(param.name)}, {mandatory}, {address}")
    return [*lines, lay_out(CallText("DEF_PACKAGE_PARAM_ORDER", rows))]


def _default(name: str, param: Param, value: ParamDefault) -> list[str]:
    if isinstance(value, tuple):
        return _tensor(name, param, value)
    type_, member = _scalar_type(value)
    return [
        f"static Qnn_Scalar_t {name}_scalar{{",
        f"    .dataType = {type_}, .{member} = {_scalar(param, value)}}};",
        f"static Qnn_Param_t {name}{{",
        "    .paramType = QNN_PARAMTYPE_SCALAR,",
        f"    .scalarParam = {name}_scalar}};",
    ]


def _tensor(name: str, param: Param, values: tuple[int, ...]) -> list[str]:
    elements = ", ".join(_scalar(param, value) for value in values)
    small = all(INT_MIN <= value <= INT_MAX for value in values)
    bits = 32 if small else 64
    return [
        f"static int{bits}_t {name}_data[]{{{elements}}};",
        f"static uint32_t {name}_dims[]{{{len(values)}}};",
        f"static Qnn_Tensor_t {name}_tensor{{",
        "    .version = QNN_TENSOR_VERSION_1,",
        "    .v1 = {",
        f"        .dataType = QNN_DATATYPE_INT_{bits},",
        "        .rank = 1,",
        f"        .dimensions = {name}_dims,",
        f"        .clientBuf = {{.data = {name}_data, .dataSize = {len(values) * bits // 8}}}}}}};",
        f"static Qnn_Param_t {name}{{",
        "    .paramType = QNN_PARAMTYPE_TENSOR,",
        f"    .tensorParam = {name}_tensor}};",
    ]


def _scalar_type(value: int | float | bool | str) -> tuple[str, str]:
    if type(value) is int:
        return _INT if INT_MIN <= value <= INT_MAX else _LONG
    return _SCALARS[type(value)]


def _scalar(param: Param, value: int | float | bool | str) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise fail(f"param '{param.name}'", f"the default {value} has no form in C", "take another")
    return repr(value)
