"""Constraints of op definitions in IRDL's words, and in ours where IRDL cannot say them.

IRDL names the class of a builtin attribute or type and no more: of `tensor<1x2xf32>` it sees a
tensor. What else is declared goes into a comment, in words.
"""

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    TensorType,
)
from xdsl.ir import Attribute, TypeAttribute
from xdsl.irdl import (
    AttrConstraint,
    BaseAttr,
    EqAttrConstraint,
    MessageConstraint,
    ParamAttrConstraint,
)

from ....dialects.htp import constraints as native
from ....dialects.htp.constraints import ParamConstraint, ShapeConstraint
from ....dialects.value import Kind
from .body import attribute_name
from .own_attributes import INTEGER, OWN_ATTRIBUTES, Constraint

ANYTHING: Constraint = ("irdl.any",)
TENSOR: Constraint = ('irdl.base "!builtin.tensor"',)
_STRING: Constraint = ('irdl.base "#builtin.string"',)
_TRUTH: Constraint = ("irdl.is true", "irdl.is false")

_BUILTIN: dict[type[Attribute], Constraint] = {
    TensorType: TENSOR,
    StringAttr: _STRING,
    IntegerAttr: INTEGER,
    FloatAttr: ('irdl.base "#builtin.float"',),
    ArrayAttr: ('irdl.base "#builtin.array"',),
    DenseArrayBase: ('irdl.base "#builtin.dense_array"',),
    DictionaryAttr: ('irdl.base "#builtin.dictionary"',),
    TypeAttribute: ('irdl.base "#builtin.type"',),
    SymbolRefAttr: ('irdl.base "#builtin.symbol_ref"',),
    DenseIntOrFPElementsAttr: (
        'irdl.base "#builtin.dense_int_or_fp_elements"',
        'irdl.base "#builtin.dense_resource_elements"',
    ),
}


def in_irdl(constraint: AttrConstraint) -> Constraint:
    """Return what IRDL can say of a constraint; `irdl.any` where that is nothing."""
    match constraint:
        case MessageConstraint(inner):
            return in_irdl(inner)
        case SymbolNameConstraint():
            return _STRING
        case ParamAttrConstraint(base, (_, EqAttrConstraint(IntegerType(width=width)))) if (
            base is IntegerAttr and width.data == 1
        ):
            return _TRUTH
        case BaseAttr(base) | ParamAttrConstraint(base, _) if base in OWN_ATTRIBUTES:
            return (f"irdl.base @{attribute_name(base).replace('.', '::@')}",)
        case BaseAttr(base) | ParamAttrConstraint(base, _):
            return _BUILTIN.get(base, ANYTHING)
        case _:
            return ANYTHING


def element_of(constraint: AttrConstraint) -> str:
    """Return the type that the numbers of a param are of, which IRDL does not see; empty for none.

    A truth value has its own constraint.
    """
    if not isinstance(constraint, ParamAttrConstraint) or in_irdl(constraint) == _TRUTH:
        return ""
    types = [part.attr for part in constraint.param_constrs if isinstance(part, EqAttrConstraint)]
    return str(types[0]) if types else ""


def in_words(constraint: native.Constraint) -> str:
    """Return what is declared of an operand; empty where nothing is."""
    match constraint:
        case ShapeConstraint(plane=plane):
            return "1xHxWx1, all >= 1" if plane else ""
        case ParamConstraint(count, least, most, once):
            numbers = "" if count is None else f"{count} number{'s' * (count != 1)}"
            bounds = f"integers >= {least}" if most is None else f"integers from {least} to {most}"
            parts = (numbers, "" if least is None else bounds, "each once" * once)
            return ", ".join(filter(None, parts))
        case _ if constraint.like:
            return f"the dtype of {constraint.like}, or both quantised"
        case _ if constraint.kin:
            return f"a number; float exactly where {constraint.kin} is"
        case _:
            return "" if constraint.kind is Kind.ANY else constraint.kind.value[0]
