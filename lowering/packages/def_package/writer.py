"""Op packages as C++ source text that `load_cpp` reads back to an equal package.

Kernels are functions whose instances have the classes that the kernels have.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from ....dialects.diagnostics import HtpError, fail
from ....dialects.value import LayoutKind, Memory
from ....runtime.kernel.kernel import Cost, Flag
from ...rules import Rule, TensorProperties, priority_name
from ...rules.graph.graph import INT_MAX, INT_MIN, ROOT
from ...rules.graph.param_order import Param, ParamDefault, ParamOrder
from ...rules.language.properties import REST
from ...rules.tree.written_out import orders
from ..cpp.layout import CallText, lay_out, lay_out_rule
from ..cpp.text import RULE_NAME
from .declared import op_comment
from .express import quoted, written
from .package import KNOWN_CLASSES, CppPackage, KernelSignature, Role

_DEFAULT_FLAGS = Flag.RESOURCE_HVX


def kernel_lines(kernels: Sequence[KernelSignature]) -> Iterator[list[str]]:
    """Blocks of text: classes, functions with their registrations, hooks."""
    yield _classes(kernels)
    costs = dict.fromkeys(kernel.cost for kernel in kernels if isinstance(kernel.cost, str))
    yield [_declared(cost, "float {}(const Op *op);") for cost in costs]
    yield from ([_declaration(group)] for group in _by_function(kernels))
    yield [_registration(kernel) for kernel in kernels]
    hooked = {kernel.instance: kernel.hook for kernel in kernels if kernel.hook}
    yield [_declared(hook, "class {};") for hook in dict.fromkeys(hooked.values())]
    yield [f"CTOR_OPHOOK(({instance}), {hook})" for instance, hook in hooked.items()]


def _classes(kernels: Sequence[KernelSignature]) -> list[str]:
    """Declarations of tensor classes that are the package's own."""
    used = [
        name
        for kernel in kernels
        for name in (*kernel.arguments, *(p.takes for p in kernel.parameters))
    ]
    own = dict.fromkeys(name for name in used if name.isidentifier() and name not in KNOWN_CLASSES)
    return [f"class {name};" for name in own if name not in ("true", "false")]


def _by_function(kernels: Sequence[KernelSignature]) -> list[list[KernelSignature]]:
    """Kernels of one function together, each instance once."""
    groups: dict[str, dict[str, KernelSignature]] = {}
    for kernel in kernels:
        same = groups.setdefault(kernel.function, {}).setdefault(kernel.instance, kernel)
        if same.parameters != kernel.parameters:
            raise fail(f"kernel {kernel.instance}", "is two functions of one name", "rename one")
    return [list(group.values()) for group in groups.values()]


def _declaration(group: Sequence[KernelSignature]) -> str:
    first = group[0]
    if any(len(k.parameters) != len(first.parameters) for k in group):
        raise fail(f"kernel {first.function}", "its instances differ in number", "rename some")
    counts = [len(kernel.arguments) for kernel in group]
    defaults = {at: _default_of_slot(group, at) for at in range(min(counts), max(counts))}
    whole = [_completed(kernel, defaults) for kernel in group]
    parameters = [_parameter(whole, at) for at in range(len(first.parameters))] or ["..."]
    variables = [
        f"{'typename' if _is_type(argument) else 'int'} T{at}"
        + (f" = {defaults[at]}" if at in defaults else "")
        for at, argument in enumerate(whole[0].arguments)
    ]
    head = f"template <{', '.join(variables)}> " if variables else ""
    owner, _, name = first.function.rpartition("::")
    text = head + lay_out(CallText(f"GraphStatus {name}", parameters)) + ";"
    return _inside(owner, text)


def _declared(name: str, text: str) -> str:
    """Return the declaration of a name, in the namespace that it has."""
    owner, _, bare = name.rpartition("::")
    return _inside(owner, text.format(bare))


def _inside(namespace: str, text: str) -> str:
    return f"namespace {namespace} {{ {text} }}" if namespace else text


def _default_of_slot(group: Sequence[KernelSignature], variable: int) -> str:
    """Find the class of a parameter in instances without the argument it follows in others."""
    with_argument = [kernel for kernel in group if len(kernel.arguments) > variable]
    without = [kernel for kernel in group if len(kernel.arguments) <= variable]
    for at in range(len(group[0].parameters)):
        follows = all(k.arguments[variable] == k.parameters[at].takes for k in with_argument)
        takes = {k.parameters[at].takes for k in without}
        if follows and len(takes) == 1:
            return takes.pop()
    return "void" if _is_type(with_argument[0].arguments[variable]) else "0"


def _completed(kernel: KernelSignature, defaults: Mapping[int, str]) -> KernelSignature:
    """Return the signature with every template argument."""
    missing = [defaults[at] for at in defaults if at >= len(kernel.arguments)]
    return replace(kernel, arguments=(*kernel.arguments, *missing))


def _is_type(argument: str) -> bool:
    return argument not in ("true", "false") and (argument[:1].isalpha() or argument[:1] == "_")


def _parameter(group: Sequence[KernelSignature], at: int) -> str:
    """Write a parameter: one class for all instances, or the template argument it follows."""
    parameters = [kernel.parameters[at] for kernel in group]
    first, takes = parameters[0], {parameter.takes for parameter in parameters}
    if any((p.name, p.role) != (first.name, first.role) for p in parameters):
        raise fail(f"kernel {group[0].function}", f"parameter {at} differs by instance", "rename")
    if first.role is Role.SPECIAL:
        return f"{first.takes}{first.name}"
    constant = "const " if first.role is Role.INPUT else ""
    return f"{constant}{_class(group, at, takes)} &{first.name}"


def _class(group: Sequence[KernelSignature], at: int, takes: set[str]) -> str:
    for variable in range(len(group[0].arguments)):
        if all(k.arguments[variable] == k.parameters[at].takes for k in group):
            return f"T{variable}"
    if len(takes) == 1:
        return takes.pop()
    raise fail(
        f"kernel {group[0].function}", f"parameter {at} follows no template argument", "rename"
    )


def _registration(kernel: KernelSignature) -> str:
    function = f"({kernel.instance})" if "," in kernel.instance else kernel.instance
    named = [function, quoted(kernel.op)]
    if kernel.cost is Cost.GLACIAL and kernel.flags == _DEFAULT_FLAGS:
        return lay_out(CallText("DEF_PACKAGE_OP", named))
    flags = [f"Flags::{flag.name}" for flag in kernel.flags]
    computed = isinstance(kernel.cost, str)
    cost = kernel.cost if isinstance(kernel.cost, str) else kernel.cost.name
    word = (
        "DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS" if computed else "DEF_PACKAGE_OP_AND_COST_AND_FLAGS"
    )
    return lay_out(CallText(word, [*named, cost, *flags]))


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

    Rules are those of `spelled_out`. Declarations that were not read are lacking: a comment at the
    top names each.

    HtpError names what C++ text cannot say: NaN, escapes in tags, two functions of one name.
    """
    axes = _quoted(package.axis_params)
    blocks = [
        [f"// Op package {package.name}.", *(f'#include "{name}"' for name in INCLUDES)],
        [
            # A backslash at the end of a comment would take the next line in.
            f"// Not read, and lacking here: {fault.line()}".rstrip("\\ ")
            for fault in package.passed_over
        ],
        [f"#define THIS_PKG_NAME {package.name}"],
        [f"BEGIN_PKG_OP_DEFINITION(PKG_{package.name})"],
        [op_comment(each) for each in package.declarations if each.results],
        *kernel_lines(package.kernels),
        *([properties_text(row)] for row in package.properties),
        *(_order_lines(order) for order in package.param_orders),
        axes and [lay_out(CallText("LIST_PACKAGE_AXIS_PARAMS", axes))],
        *([rule_text(each, package.name)] for each in spelled_out(package.rules)),
        [f"END_PKG_OP_DEFINITION(PKG_{package.name})"],
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def spelled_out(package_rules: Iterable[Rule]) -> Iterator[Rule]:
    """List one rule for each alternative of a match, and for each order of `OpAnyOrder`."""
    for rule in package_rules:
        for each in rule.written_out:
            for order in orders(each.match):
                yield replace(each, match=order)


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
