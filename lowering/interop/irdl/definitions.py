"""The dialects of packages as IRDL text, which `mlir-opt --irdl-file` loads."""

from collections.abc import Iterable
from inspect import cleandoc
from itertools import chain, starmap

from xdsl.ir import Attribute, TypeAttribute
from xdsl.irdl import IRDLOperation, OptionalDef, PropertyDef

from ....dialects.diagnostics import fail
from ....dialects.htp import HTP
from ....dialects.qti_aisw import QTI_AISW
from ....runtime.installed.universe import guest_ops, guests
from ...packages.packages import Packages
from .body import DefinitionBody, Member, attribute_name, op_name
from .constraints import element_of, in_irdl
from .members import SEGMENTS, OpClass, in_runs, operands_of, results_of
from .own_attributes import OWN_ATTRIBUTES, Constraint

_OWN = (QTI_AISW, HTP)


def op_classes(packages: Packages) -> dict[str, OpClass]:
    """Return the class of each op of both dialects, of the packages and of plugins, by name."""
    own = chain.from_iterable(dialect.operations for dialect in _OWN)
    ops = {op.name: op for op in own if issubclass(op, IRDLOperation)}
    for dialect in guests():
        ops |= guest_ops(dialect)
    return {**packages.ops, **ops}


def irdl_text(packages: Packages) -> str:
    """Return the definitions of all dialects, one after the other.

    HtpError where two ops have names that are alike in lower case.
    """
    ops = op_classes(packages)
    _check_names(ops)
    definitions = [(attribute_name(kind), _attribute(kind)) for kind in OWN_ATTRIBUTES]
    definitions += [(op_name(name), _op(op)) for name, op in ops.items()]
    dialects: dict[str, list[str]] = {}
    for name, lines in definitions:
        dialects.setdefault(name.partition(".")[0], []).extend(lines)
    return "\n".join(starmap(_dialect, sorted(dialects.items())))


def _check_names(names: Iterable[str]) -> None:
    first: dict[str, str] = {}
    for name in names:
        other = first.setdefault(op_name(name), name)
        if other != name:
            problem = f"is {op_name(name)} in IRDL, as {other} is"
            raise fail(name, problem, "rename one of the two: upper case, '.' and '_' do not count")


def _dialect(name: str, lines: Iterable[str]) -> str:
    body = "".join(f"  {line}\n" for line in lines)
    return f"irdl.dialect @{name} {{\n{body}}}\n"


def _attribute(kind: type[Attribute]) -> list[str]:
    body = DefinitionBody()
    members = (Member(n, constraint) for n, constraint in OWN_ATTRIBUTES[kind].parameters.items())
    body.clause("parameters", members)
    word = "type" if issubclass(kind, TypeAttribute) else "attribute"
    return _definition(kind, f"{word} @{attribute_name(kind).partition('.')[2]}", body)


def _op(op: OpClass) -> list[str]:
    definition, body = op.get_irdl_definition(), DefinitionBody()
    body.clause("operands", in_runs(operands_of(op)))
    body.clause("results", in_runs(results_of(op)))
    body.attributes(
        Member(name, _of_property(prop), about=element_of(prop.constr))
        for name, prop in definition.properties.items()
        if name != SEGMENTS
    )
    return _definition(op, f"operation @{op_name(op.name).partition('.')[2]}", body)


def _of_property(prop: PropertyDef) -> Constraint:
    """Return the constraint of a param; one that may be absent is `unit` then."""
    absent = ("irdl.is unit",) if isinstance(prop, OptionalDef) else ()
    return (*absent, *in_irdl(prop.constr))


def _definition(kind: type[Attribute] | OpClass, head: str, body: DefinitionBody) -> list[str]:
    about = cleandoc(kind.__doc__ or "").partition("\n")[0]
    return [
        f"// {kind.name}: {about}",
        f"irdl.{head} {{",
        *(f"  {line}" for line in body.lines),
        "}",
    ]
