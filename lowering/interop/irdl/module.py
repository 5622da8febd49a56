"""A module as the IRDL definitions know it: ops and attributes by the names and forms of IRDL.

Functions, tensors and constants stay what they are. An op of ours or of a plugin becomes one in
lower case, in the generic form, with its params as attributes; an attribute of ours shows its
parameters.
"""

from dataclasses import dataclass
from io import StringIO

from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, UnitAttr, UnregisteredOp, i32
from xdsl.ir import Attribute, Operation, TypeAttribute
from xdsl.irdl import IRDLOperation
from xdsl.rewriter import Rewriter

from ....dialects.text.own_op import OwnOp
from ....dialects.text.printer import ModulePrinter
from ....runtime.installed.universe import guests
from .body import attribute_name, op_name, parameters_of
from .definitions import RESULT_SEGMENTS, SEGMENTS, operands_of, results_of, segments


@dataclass(eq=False, repr=False)
class IrdlPrinter(ModulePrinter):
    """Prints attributes and types of our own by their parameters."""

    def print_attribute(self, attribute: Attribute) -> None:
        parameters = parameters_of(attribute)
        if parameters is None:
            super().print_attribute(attribute)
        else:
            mark = "!" if isinstance(attribute, TypeAttribute) else "#"
            self.print_string(f"{mark}{attribute_name(type(attribute))}<{parameters}>")


def irdl_module_text(module: ModuleOp) -> str:
    """Return the text of a module, which stays unchanged."""
    copy = module.clone()
    others = set(guests())
    for op in list(copy.walk()):
        is_defined = isinstance(op, OwnOp) or op.name.partition(".")[0] in others
        if isinstance(op, IRDLOperation) and is_defined and not op.regions:
            Rewriter.replace_op(op, _generic(op))
    text = StringIO()
    IrdlPrinter(text).print_op(copy)
    return f"{text.getvalue()}\n"


def _generic(op: IRDLOperation) -> Operation:
    """Return the op in lower case, with all its params as attributes; absent ones are units."""
    known = op.get_irdl_definition().properties
    attributes = {n: p.default_value for n, p in known.items() if p.default_value is not None}
    attributes |= {**op.properties, **op.attributes}
    attributes |= {n: UnitAttr() for n in known if n not in attributes and n != SEGMENTS}
    for name, sizes in (
        (SEGMENTS, segments(op, operands_of(type(op)), op.operands)),
        (RESULT_SEGMENTS, segments(op, results_of(type(op)), op.results)),
    ):
        if sizes is not None:
            attributes[name] = DenseArrayBase.from_list(i32, sizes)
    return UnregisteredOp.with_name(op_name(op.name)).create(
        operands=op.operands,
        result_types=op.result_types,
        attributes=attributes,
        location=op.location,
    )
