"""Op definitions in XML, as the vendor's package generator takes them: ops, operands, params.

A collection has the package's name; each OpDef has inputs, outputs and params with their data types
and defaults. Supplemental definitions say which data types a backend has, and count before others.
What is read is written as it was, also what ops here do not hold: layouts, constraints, prose.
Source: public op definition files of op packages.
"""

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from ....dialects.diagnostics import Fault, fail
from ....dialects.htp.base import NativeOp
from ....dialects.htp.constraints import Constraint, ParamConstraint, TensorConstraint
from ....dialects.htp.fields import MANY
from ....dialects.value import RANK, DType, Kind
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
_BACKEND, _FREE = "HTP", "BACKEND_SPECIFIC"
_REMEDY = "give an op definition file, whose root is OpDefCollection"
_NAME = re.compile(r"[A-Za-z_][\w.]*", re.ASCII)
_RANK = re.compile(r"(\d+|N)?-?D?|SCALAR|BACKEND_SPECIFIC", re.ASCII | re.IGNORECASE)
_MARKS = str.maketrans("{}()", "[][]")
_LISTS = ("OpDefList", "SupplementalOpDefList", "SupportedOps")
"""The elements that become one where two collections do."""


@dataclass(frozen=True)
class OpDefinitions:
    """The ops that a file defines, the params of each, and the file's whole content.

    Ops that cannot be held here are `passed_over`; `notes` say what of others is not held to.
    """

    package: str
    ops: tuple[OpDeclaration, ...]
    orders: tuple[ParamOrder, ...]
    root: Element
    passed_over: tuple[Fault, ...] = ()
    notes: tuple[Fault, ...] = ()


def read_definitions(path: str | Path) -> OpDefinitions:
    """Read op definitions; HtpError where a file is not such, or an op has no sense."""
    text = read_text(path)
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise fail(str(path), "declares entities, which are not read", _REMEDY)
    try:
        parser = ElementTree.XMLParser(target=ElementTree.TreeBuilder(insert_comments=True))
        root = ElementTree.fromstring(text, parser)
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
    ops, passed_over, notes = dict[str, tuple[OpDeclaration, ParamOrder]](), [], list[Fault]()
    elements = {_name(element, str(path)): element for element in root.iter("OpDef")}
    if len(elements) < len(list(root.iter("OpDef"))) or not elements:
        raise fail(str(path), f"defines {'an op twice' if elements else 'no op'}", _REMEDY)
    for name, element in elements.items():
        where = f"{path}: op '{name}'"
        if faults := [Fault(where, *each) for each in _unheld(element)]:
            passed_over += faults
            continue
        ops[name] = _op(element, extra.get(name), where)
        notes += [Fault(where, *each) for each in _free(element, extra.get(name))]
    declarations, orders = zip(*ops.values(), strict=True) if ops else ((), ())
    package = root.get("PackageName", "")
    return OpDefinitions(package, declarations, orders, root, tuple(passed_over), tuple(notes))


def _unheld(op: Element) -> Iterator[tuple[str, str]]:
    """Yield what an op here cannot be like, and what to do."""
    repeated = [each for each in op if _truth(each, "Repeated", False)]
    inputs = op.findall("Input")
    for each in repeated:
        name, tag = each.findtext("Name", "").strip(), each.tag.lower()
        if each.tag == "Output":
            yield f"output '{name}' is repeated", "declare one Output for each result"
        elif inputs[-1:] != [each] or op.find("Parameter") is not None:
            yield f"{tag} '{name}' is repeated before others", "declare it last, without params"
    for each in op.findall("Parameter"):
        numbers = _numbers(each.findtext("Default", ""))
        if _is_list(each) and not all(map(_is_whole, numbers)):
            name = each.findtext("Name", "").strip()
            yield f"param '{name}' has a list of floats as default", "make the param mandatory"


def _free(op: Element, extra: Element | None) -> Iterator[tuple[str, str]]:
    """Yield what an op's definition says and is not held to here, and what follows."""
    backends = [(each.text or "").strip() for each in op.findall("SupportedBackend")]
    if backends and _BACKEND not in backends:
        yield f"is for {', '.join(backends)}", "it is taken as one for HTP"
    for each in op.findall("Output"):
        if not _truth(each, "Mandatory", True):
            yield f"output '{each.findtext('Name', '').strip()}' is optional", "it is always given"
    for each in (*op, *(() if extra is None else extra)):
        name, tag = each.findtext("Name", "").strip(), str(each.tag).lower()
        rank = each.findtext("Shape/Rank", "").strip()[:40]
        digits = rank.removesuffix("D")
        if not _RANK.fullmatch(rank):
            yield f"{tag} '{name}' has rank {rank}", "it is taken with any"
        elif tag != "parameter" and digits.isdecimal() and int(digits) > RANK:
            yield f"{tag} '{name}' has rank {rank}", f"it is taken where it folds to {RANK} dims"
        known = (_FREE, "STRING", *DTYPES)
        types = [word for word in _types(each).split() if word.removeprefix(_PREFIX) not in known]
        if types:
            yield f"{tag} '{name}' has data type {types[0][:40]}", "it is taken with any"


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
    numbers = _numbers(text)
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if _is_list(element):
        return tuple(map(int, numbers))
    if numbers == [text]:
        if "BOOL" in types and text in "01":
            return text == "1"
        return int(text) if _is_whole(text) and "FLOAT" not in types else float(text)
    if "STRING" in types:
        return text
    raise fail(where, f"has the default '{text[:40]}'", "write a number, a list or true or false")


def _is_list(param: Element) -> bool:
    return param.findtext("Default", "").strip().translate(_MARKS).startswith("[")


def _numbers(text: str) -> list[str]:
    return re.findall(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", text)


def _is_whole(number: str) -> bool:
    return number.lstrip("+-").isdecimal() and len(number) < 19


def with_definitions(package: CppPackage, definitions: Sequence[OpDefinitions]) -> CppPackage:
    """Add what files define to what the text of a package says, which counts first.

    An op that the text has no kernel of gets one that takes any tensors, and has no body. HtpError
    where two files define one op, or disagree about the package.
    """
    ops = {op.op: op for each in definitions for op in each.ops}
    made_for = {f"{e.root.get('Domain')} {e.root.get('Version')}": e for e in definitions}
    if len(made_for) > 1:
        problem = f"has files of domains and versions {' and '.join(made_for)}"
        raise fail(f"package {package.name}", problem, "give files of one package")
    if len(ops) < sum(len(each.ops) for each in definitions):
        raise fail(f"package {package.name}", "has an op that two files define", "give one of them")
    orders = {order.op: order for each in definitions for order in each.orders}
    said = {each.op for each in package.declarations}
    kernels = {kernel.op for kernel in package.kernels}
    ordered = {order.op for order in package.param_orders}
    return replace(
        package,
        declarations=(*package.declarations, *(op for n, op in ops.items() if n not in said)),
        kernels=(*package.kernels, *(KernelSignature(n, n) for n in ops if n not in kernels)),
        param_orders=(*package.param_orders, *(o for n, o in orders.items() if n not in ordered)),
        definitions=tuple(each.root for each in definitions),
    )


def disagreements(package: CppPackage, definitions: Sequence[OpDefinitions]) -> Iterator[Fault]:
    """Yield the ops whose C++ text has other operands or params than their definitions."""
    said = {each.op: each for each in package.declarations}
    ordered = {order.op: order for order in package.param_orders}
    for each in definitions:
        for op, order in zip(each.ops, each.orders, strict=True):
            operands = list(said.get(op.op, op).operands)
            if operands != list(op.operands) or ordered.get(op.op, order) != order:
                problem = "has other operands or params in its C++ text than in its definition"
                yield Fault(f"op '{op.op}'", problem, "the C++ text counts")


def write_definitions(
    package: str,
    ops: Sequence[type[NativeOp]],
    orders: Sequence[ParamOrder],
    read: Sequence[Element] = (),
) -> str:
    """Return the definitions of ops as text; those that were read stand as they were."""
    written = Element("OpDefCollection", PackageName=package, Domain="aisw", Version="1.0")
    defined = {op.findtext("Name", "").strip() for root in read for op in root.iter("OpDef")}
    if further := [op for op in ops if op.mnemonic() not in defined]:
        _define(written, further, orders)
    root, *others = (*deepcopy(tuple(read)), written)
    for other in others:
        _extend(root, other)
    root.set("PackageName", package)
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _extend(whole: Element, other: Element) -> None:
    """Append the members of another element, its lists to those of the same attributes."""
    for part in other:
        alike = [e for e in whole if (e.tag, e.attrib) == (part.tag, part.attrib)]
        if part.tag in _LISTS and alike:
            _extend(alike[0], part)
        else:
            whole.append(part)


def _define(root: Element, ops: Sequence[type[NativeOp]], orders: Sequence[ParamOrder]) -> None:
    """Append the definitions of ops, and what data types HTP takes where an operand is free."""
    listed = SubElement(root, "OpDefList")
    further = SubElement(root, "SupplementalOpDefList", Backend=_BACKEND)
    supported = SubElement(further, "SupportedOps")
    params = {(order.op, param.name): param for order in orders for param in order.params}
    for op in ops:
        element = SubElement(listed, "OpDef")
        SubElement(element, "Name").text = op.mnemonic()
        for operand in op.OPERANDS:
            if operand not in op.PARAMS:
                optional = operand in op.OPTIONAL
                _write(element, "Input", operand, op.CONSTRAINTS.get(operand), optional)
        for at, kind in enumerate(op.RESULT_KINDS):
            _write(element, "Output", f"out{at or ''}", TensorConstraint(kind), False)
        for operand in op.PARAMS:
            otherwise = Param(operand, operand not in op.OPTIONAL)
            param = params.get((op.mnemonic(), operand), otherwise)
            _write_param(element, param, op.CONSTRAINTS.get(operand))
        SubElement(element, "SupportedBackend").text = _BACKEND
        SubElement(supported, "OpName").text = op.mnemonic()
        _supplement(further, element)


def _supplement(listed: Element, op: Element) -> None:
    """Append the data types of the operands of an op that are a backend's own."""
    free = [each for each in op if each.findtext("Datatype") == _FREE]
    if free:
        supplement = SubElement(listed, "SupplementalOpDef")
        SubElement(supplement, "Name").text = op.findtext("Name")
        for each in free:
            operand = SubElement(supplement, each.tag)
            SubElement(operand, "Name").text = each.findtext("Name")
            for label in DTYPES:
                SubElement(operand, "Datatype").text = f"{_PREFIX}{label}"


def _write(op: Element, tag: str, name: str, constraint: Constraint | None, optional: bool) -> None:
    kind = constraint.kind if isinstance(constraint, TensorConstraint) else Kind.ANY
    labels = [f"{_PREFIX}{label}" for label, dtype in DTYPES.items() if dtype in kind.value[1]]
    types = [_FREE] if kind is Kind.ANY else labels
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
