"""Op definitions in XML, as the vendor's package generator takes them: ops, operands, params.

A collection has the package's name; each OpDef has inputs, outputs and params with their data types
and defaults. Supplemental definitions say which data types a backend has, and count before others.
Source: public op definition files of op packages.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from ....dialects.diagnostics import fail
from ....dialects.htp.base import NativeOp
from ....dialects.htp.constraints import Constraint, ParamConstraint, TensorConstraint
from ....dialects.htp.fields import MANY
from ....dialects.value import DType, Kind
from ....runtime.files.budget import read_text
from ...rules.graph.param_order import Param, ParamDefault, ParamOrder, param_order
from .declared import DeclaredOperand, OpDeclaration
from .package import CppPackage, KernelSignature

SUFFIX = ".xml"
DTYPES = {
    **{f"FLOAT_{bits}": getattr(DType, f"Float{bits}") for bits in (16, 32)},
    **{f"INT_{bits}": getattr(DType, f"Int{bits}") for bits in (8, 16, 32, 64)},
    **{f"UINT_{bits}": getattr(DType, f"UInt{bits}") for bits in (8, 16, 32)},
    **{f"SFIXED_POINT_{bits}": getattr(DType, f"QInt{bits}") for bits in (8, 16, 32)},
    **{f"UFIXED_POINT_{bits}": getattr(DType, f"QUInt{bits}") for bits in (8, 16)},
    "BOOL_8": DType.Bool8,
}
"""The dtype by the name of a data type behind QNN_DATATYPE_."""
_PREFIX = "QNN_DATATYPE_"
_BACKEND = "HTP"
_REMEDY = "give an op definition file, whose root is OpDefCollection"
_NAME = re.compile(r"[A-Za-z_][\w.]*", re.ASCII)
_MARKS = str.maketrans("{}()", "[][]")


@dataclass(frozen=True)
class OpDefinitions:
    """The ops that a file defines, and the params of each."""

    package: str
    ops: tuple[OpDeclaration, ...]
    orders: tuple[ParamOrder, ...]


def read_definitions(path: str | Path) -> OpDefinitions:
    """Read op definitions; HtpError where a file is not such, or an op has no sense."""
    text = read_text(path)
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise fail(str(path), "declares entities, which are not read", _REMEDY)
    try:
        root = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError) as error:
        raise fail(str(path), f"is not XML: {error}", _REMEDY) from error
    if root.tag != "OpDefCollection":
        raise fail(str(path), f"has the root {root.tag[:40]}", _REMEDY)
    extra = {
        op.findtext("Name", "").strip(): op
        for supplement in root.iter("SupplementalOpDefList")
        if supplement.get("Backend") == _BACKEND
        for op in supplement.iter("SupplementalOpDef")
    }
    ops, orders = list[OpDeclaration](), list[ParamOrder]()
    for element in root.iter("OpDef"):
        where = f"{path}: op '{_name(element, str(path))}'"
        op, order = _op(element, extra.get(_name(element, where)), where)
        ops.append(op)
        orders.append(order)
    if not ops:
        raise fail(str(path), "defines no op", _REMEDY)
    return OpDefinitions(root.get("PackageName", ""), tuple(ops), tuple(orders))


def _plain(element: Element) -> str:
    """Return the name of an operand without signs: `in[0]` is `in_0`."""
    return re.sub(r"\W+", "_", element.findtext("Name", ""), flags=re.ASCII).strip("_")


def _name(element: Element, where: str) -> str:
    name = _plain(element) if element.tag == "Input" else element.findtext("Name", "").strip()
    if not _NAME.fullmatch(name):
        raise fail(
            where, f"has a {element.tag[:40]} named '{name[:40]}'", "give it a name of words"
        )
    return name


def _op(element: Element, extra: Element | None, where: str) -> tuple[OpDeclaration, ParamOrder]:
    """Return an op: its inputs, then its params, as its kernels take them."""
    further = () if extra is None else extra
    types = {_plain(each): each for each in further}
    operands: dict[str, DeclaredOperand] = {}
    for each in element.findall("Input"):
        name, many = _name(each, where), _truth(each, "Repeated", False)
        kind = _kind(types.get(name, each))
        optional = not _truth(each, "Mandatory", True)
        operands[name + MANY * many] = DeclaredOperand(TensorConstraint(kind), optional, many)
    params = []
    for each in element.findall("Parameter"):
        default = _default(each, where)
        params.append(Param(_name(each, where), _truth(each, "Mandatory", True), default))
        operands[params[-1].name] = DeclaredOperand(
            ParamConstraint(usual=_usual(each) if default is None else default),
            default is None and not params[-1].mandatory,
        )
    count = len(element.findall("Output"))
    if not count or len(operands) < len(element.findall("Input")) + len(params):
        problem = "has two operands of one name" if count else "has no output"
        raise fail(where, problem, "give each output and operand a name of its own")
    name = _name(element, where)
    return OpDeclaration(name, operands, count=count), param_order(name, *params)


def _truth(element: Element, tag: str, otherwise: bool) -> bool:
    text = element.findtext(tag)
    return otherwise if text is None else text.strip().lower() in ("true", "1")


def _kind(element: Element) -> Kind:
    """Return the narrowest kind of dtypes that has all that are listed."""
    listed = element.findall("Datatype")
    names = [(each.text or "").strip().removeprefix(_PREFIX) for each in listed]
    dtypes = {DTYPES[name] for name in names if name in DTYPES}
    if not dtypes or any(name not in DTYPES for name in names):
        return Kind.ANY
    return min((kind for kind in Kind if dtypes <= kind.value[1]), key=lambda k: len(k.value[1]))


def _types(element: Element) -> str:
    return " ".join(each.text or "" for each in element.findall("Datatype"))


def _usual(element: Element) -> ParamDefault | None:
    """Return an example of a param without a default; None of a whole number."""
    types, rank = _types(element), element.findtext("Shape/Rank", "SCALAR").strip()
    if "FLOAT" in types or "BOOL" in types:
        return 1.0 if "FLOAT" in types else False
    return "" if "STRING" in types else None if rank in ("SCALAR", "0D") else (1,)


def _default(element: Element, where: str) -> ParamDefault | None:
    """Return the default of a param: a number, a truth value or a list of whole numbers."""
    text = element.findtext("Default", "").strip()
    if not text:
        return None
    types = _types(element)
    numbers = re.findall(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", text)
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if text.translate(_MARKS).startswith("["):
        if all(number.lstrip("+-").isdecimal() and len(number) < 19 for number in numbers):
            return tuple(map(int, numbers))
    elif numbers == [text]:
        whole = text.lstrip("+-").isdecimal() and len(text) < 19
        if "BOOL" in types and text in "01":
            return text == "1"
        return int(text) if whole and "FLOAT" not in types else float(text)
    elif "STRING" in types:
        return text
    raise fail(where, f"has the default '{text[:40]}'", "write a number, a list or true or false")


def with_definitions(package: CppPackage, definitions: Sequence[OpDefinitions]) -> CppPackage:
    """Add what files define to what the text of a package says, which counts first.

    An op that the text has no kernel of gets one that takes any tensors, and has no body.
    """
    ops = {op.op: op for each in definitions for op in each.ops}
    orders = {order.op: order for each in definitions for order in each.orders}
    said = {each.op for each in package.declarations}
    kernels = {kernel.op for kernel in package.kernels}
    ordered = {order.op for order in package.param_orders}
    return replace(
        package,
        declarations=(*package.declarations, *(op for n, op in ops.items() if n not in said)),
        kernels=(*package.kernels, *(KernelSignature(n, n) for n in ops if n not in kernels)),
        param_orders=(*package.param_orders, *(o for n, o in orders.items() if n not in ordered)),
    )


def write_definitions(
    package: str, ops: Sequence[type[NativeOp]], orders: Sequence[ParamOrder]
) -> str:
    """Return the definitions of ops as text."""
    root = Element("OpDefCollection", PackageName=package, Domain="aisw", Version="1.0")
    listed = SubElement(root, "OpDefList")
    params = {(order.op, param.name): param for order in orders for param in order.params}
    for op in ops:
        name = op.name.partition(".")[2]
        element = SubElement(listed, "OpDef")
        SubElement(element, "Name").text = name
        for operand in op.OPERANDS:
            if operand not in op.PARAMS:
                optional = operand in op.OPTIONAL
                _write(element, "Input", operand, op.CONSTRAINTS.get(operand), optional)
        for at, kind in enumerate(op.RESULT_KINDS):
            _write(element, "Output", f"out{at or ''}", TensorConstraint(kind), False)
        for operand in op.PARAMS:
            otherwise = Param(operand, operand not in op.OPTIONAL)
            param = params.get((name, operand), otherwise)
            _write_param(element, param, op.CONSTRAINTS.get(operand))
        SubElement(element, "SupportedBackend").text = _BACKEND
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _write(op: Element, tag: str, name: str, constraint: Constraint | None, optional: bool) -> None:
    kind = constraint.kind if isinstance(constraint, TensorConstraint) else Kind.ANY
    labels = [f"{_PREFIX}{label}" for label, dtype in DTYPES.items() if dtype in kind.value[1]]
    types = ["BACKEND_SPECIFIC"] if kind is Kind.ANY else labels
    element = _described(op, tag, name.removesuffix(MANY), not optional, types, "4D")
    if name.endswith(MANY):
        SubElement(element, "Repeated").text = "true"


def _write_param(op: Element, param: Param, constraint: Constraint | None) -> None:
    usual = constraint.usual if isinstance(constraint, ParamConstraint) else None
    example = usual if param.default is None else param.default
    label = {bool: "BOOL_8", float: "FLOAT_32", str: "STRING"}.get(type(example), "INT_32")
    rank = "1D" if isinstance(example, tuple) else "SCALAR"
    types = [f"{_PREFIX}{label}"]
    element = _described(op, "Parameter", param.name, param.mandatory, types, rank)
    if param.default is not None:
        value = list(param.default) if isinstance(param.default, tuple) else param.default
        text = str(value).lower() if isinstance(value, bool) else str(value)
        SubElement(element, "Default").text = text


def _described(
    op: Element, tag: str, name: str, mandatory: bool, types: Sequence[str], rank: str
) -> Element:
    """Append what operands and params have in common."""
    element = SubElement(op, tag)
    SubElement(element, "Name").text = name
    SubElement(element, "Mandatory").text = str(mandatory).lower()
    for each in types:
        SubElement(element, "Datatype").text = each
    SubElement(SubElement(element, "Shape"), "Rank").text = rank
    return element
