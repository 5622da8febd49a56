"""Op packages as C++ source text that `load_cpp` reads back to an equal package."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from ....dialects.diagnostics import Fault, HtpError, fail
from ....dialects.value.place import LayoutKind, Memory
from ...rules import Rule, TensorProperties, priority_name
from ...rules.graph.param_order import Param, ParamDefault, ParamOrder
from ...rules.graph.tables import ROOT
from ...rules.graph.types import INT_MAX, INT_MIN
from ...rules.language.properties import REST
from ...rules.tree.written_out import orders
from ..cpp.layout import CallText, lay_out, lay_out_rule
from ..cpp.text import RULE_NAME
from .express import quoted, written
from .op_text import op_comment
from .package import CppPackage
from .write_kernels import kernel_lines

_SCALARS: dict[type, tuple[str, str]] = {
    bool: ("QNN_DATATYPE_BOOL_8", "bool8Value"),
    float: ("QNN_DATATYPE_FLOAT_32", "floatValue"),
    str: ("QNN_DATATYPE_STRING", "stringValue"),
}
_INT = ("QNN_DATATYPE_INT_32", "int32Value")
_LONG = ("QNN_DATATYPE_INT_64", "int64Value")


def _order_lines(order: ParamOrder) -> list[str]:
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


INCLUDES = (
    "HTP/core/constraints.h",
    "HTP/core/op_package_feature_support.h",
    "HTP/core/op_register_ext.h",
    "HTP/core/optimize.h",
    "HTP/core/simple_reg.h",
    "QnnOpPackage.h",
)
"""The headers that the written text includes; `header()` can replace each of them."""

_WORDS = {
    LayoutKind.FLAT: "Flat",
    LayoutKind.CROUTON: "Crouton",
    Memory.TCM: "Tcm",
    Memory.DDR: "MainMemory",
}


def write_cpp(package: CppPackage) -> str:
    """Return the package as text; kernels are declared, not defined.

    A rule with alternatives becomes one for each of them, a rule of `OpAnyOrder` one for each
    order. Declarations that were not read are lacking: a comment at the top names each.

    HtpError names what C++ text cannot say: NaN, escapes in tags, two functions of one name.
    """
    axes = _quoted(package.axis_params)
    blocks = [
        [f"// Op package {package.name}.", *(f'#include "{name}"' for name in INCLUDES)],
        [_lacking(fault) for fault in package.passed_over],
        [f"#define THIS_PKG_NAME {package.name}"],
        [f"BEGIN_PKG_OP_DEFINITION(PKG_{package.name})"],
        [op_comment(each) for each in package.declarations],
        *kernel_lines(package.kernels),
        *([properties_text(row)] for row in package.properties),
        *(_order_lines(order) for order in package.param_orders),
        axes and [lay_out(CallText("LIST_PACKAGE_AXIS_PARAMS", axes))],
        *(
            [rule_text(replace(each, match=order), package.name)]
            for rule in package.rules
            for each in rule.written_out
            for order in orders(each.match)
        ),
        [f"END_PKG_OP_DEFINITION(PKG_{package.name})"],
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _lacking(fault: Fault) -> str:
    """Return a comment of one line: a backslash at its end would take the next one in."""
    return f"// Not read, and lacking here: {fault.line()}".rstrip("\\ ")


def rule_text(rule: Rule, package: str) -> str:
    """Return the macro call that declares a rule in a package; HtpError where it has no form."""
    if rule.package != package:
        problem = f"belongs to package {rule.package}"
        raise fail(f"rule {rule.label}", problem, f"write it with that package, not with {package}")
    try:
        operands = [
            priority_name(rule.priority).replace("+", " + ").replace("-", " - "),
            *([" | ".join(rule.flags)] if rule.flags else []),
            written(rule.match),
            "OK" if (constraint := written(rule.constraint)) == "true" else constraint,
            written(rule.replacement),
        ]
    except HtpError as error:
        fault = error.faults[0]
        raise fail(f"rule {rule.label}", fault.problem, fault.remedy) from error
    macro = "DEF_PACKAGE_OPTIMIZATION" + ("_WITH_FLAGS" if rule.flags else "")
    return _named(rule) + lay_out_rule(CallText(macro, operands))


def _named(rule: Rule) -> str:
    if rule.name == rule.match.name:
        return ""
    if not rule.name.isprintable() or rule.name != rule.name.strip() or rule.name.endswith("\\"):
        raise fail(f"rule {rule.name!r}", "its name is no line of text", "rename it")
    return f"// {RULE_NAME} {rule.name}\n"


def properties_text(row: TensorProperties) -> str:
    """Tensor properties as the macro call that declares them."""
    known = (*row.outputs, *row.inputs)
    outputs = [CallText("Outputs", _quoted(row.outputs))] if row.outputs != (ROOT,) else []
    clauses = [*_clauses(row.layouts, known), *_clauses(row.memories, known)]
    op = CallText("Op", _quoted((row.op, *row.inputs)))
    return lay_out(CallText("DEF_TENSOR_PROPERTIES", [op, *outputs, *clauses]))


def _clauses(
    demands: Sequence[tuple[str, LayoutKind | Memory]], known: Sequence[str]
) -> Iterator[CallText]:
    """Neighbours that want the same in one clause; the last one may speak of all the rest."""
    left = list(known)
    for value, group in groupby(demands, key=lambda pair: pair[1]):
        tags = [tag for tag, _ in group]
        rest = len(tags) > 1 and tags == left and (tags[0] != ROOT or len(tags) > 2)
        yield CallText(_WORDS[value], [quoted(REST)] if rest else _quoted(tags))
        left = [tag for tag in left if tag not in tags]


def _quoted(names: Sequence[str]) -> list[str]:
    return [quoted(name) for name in names]
