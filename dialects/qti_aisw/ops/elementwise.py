"""Element-wise ops. Source: QNN op definitions ElementWise*.

The leaves differ in name and meaning only, so they are a table of classes.
"""

from collections.abc import Mapping
from typing import ClassVar, TypeVar

from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure

from ...value import DType, Kind, TensorSpec
from ..base import GraphOp
from ..guards import broadcast, same_dtype, same_encoding, tensor

E = TypeVar("E", "Unary", "Binary")


class Unary(GraphOp):
    """One operand; a result of its shape and dtype.

    Constraints: (C1) inp is a float or quantised; (C2) the result has inp's shape and element type.
    """

    KIND: ClassVar[Kind] = Kind.REAL

    inp = operand_def()
    out = result_def()

    traits = traits_def(Pure())

    def infer(self) -> tuple[TensorSpec, ...]:
        return (tensor(self, "inp", self.inp, self.KIND),)


class Binary(GraphOp):
    """Two operands of one dtype that broadcast; a result of that dtype.

    Constraints: (C1) a is a number; (C2) b has a's element type; (C3) their shapes broadcast to the
    result's; (C4) the result has a's element type.
    """

    KIND: ClassVar[Kind] = Kind.NUMBER
    RESULT: ClassVar[DType | None] = None
    """The result's dtype where it is not the operands'."""

    a = operand_def()
    b = operand_def()
    out = result_def()

    traits = traits_def(Pure())

    def infer(self) -> tuple[TensorSpec, ...]:
        a, b = tensor(self, "a", self.a, self.KIND), tensor(self, "b", self.b, self.KIND)
        same_dtype(self, "b", b, "a", a)
        result = a.with_shape(broadcast(self, a, b))
        return (result if self.RESULT is None else result.with_dtype(self.RESULT),)


def unary(mnemonic: str, meaning: str, kind: Kind = Kind.REAL) -> type[Unary]:
    """The class of a unary op; its docstring is the meaning and an example."""
    element = "i1" if kind is Kind.LOGIC else "f32"
    example = (
        f"%y = qti_aisw.{mnemonic}(%x) : (tensor<1x8x8x4x{element}>) -> tensor<1x8x8x4x{element}>"
    )
    constraints = (f"inp is {kind.value[0]}", "the result has inp's shape and element type")
    return _leaf(Unary, mnemonic, (meaning, *constraints), example, {"KIND": kind})


def binary(
    mnemonic: str, meaning: str, kind: Kind = Kind.NUMBER, result: DType | None = None
) -> type[Binary]:
    """The class of a binary op; its docstring is the meaning and an example."""
    element = "i1" if kind is Kind.LOGIC else "f32"
    result_element = element if result is None else "i1"
    example = (
        f"%y = qti_aisw.{mnemonic}(%a, %b) : "
        f"(tensor<1x8x8x4x{element}>, tensor<4x{element}>) -> tensor<1x8x8x4x{result_element}>"
    )
    constraints = (
        f"a is of {kind.value[0]} type" if kind is Kind.ANY else f"a is {kind.value[0]}",
        "b has a's element type",
        "their shapes broadcast to the result's",
        "the result has a's element type" if result is None else "the result is i1",
    )
    fields = {"KIND": kind, "RESULT": result}
    return _leaf(Binary, mnemonic, (meaning, *constraints), example, fields)


def _leaf(
    base: type[E],
    mnemonic: str,
    meaning: tuple[str, ...],
    example: str,
    fields: Mapping[str, object],
) -> type[E]:
    first, *constraints = meaning
    numbered = "; ".join(f"(C{number}) {text}" for number, text in enumerate(constraints, 1))
    docstring = f"{first}\n\n    Constraints: {numbered}.\n\n    Example: `{example}`\n    "
    body = {
        "__doc__": docstring,
        "__module__": __name__,
        "__annotations__": dict.fromkeys(fields, "ClassVar[object]"),
        "name": f"qti_aisw.{mnemonic}",
        **fields,
    }
    return irdl_op_definition(type(f"{mnemonic}Op", (base,), body))


ElementWiseAbsOp = unary("ElementWiseAbs", "out = |inp|.", Kind.NUMBER)
ElementWiseNegOp = unary("ElementWiseNeg", "out = -inp.", Kind.NUMBER)
ElementWiseExpOp = unary("ElementWiseExp", "out = e to the power of inp.")
ElementWiseLogOp = unary("ElementWiseLog", "out = the natural logarithm of inp.")
ElementWiseSquareRootOp = unary("ElementWiseSquareRoot", "out = the square root of inp.")
ElementWiseRsqrtOp = unary("ElementWiseRsqrt", "out = 1 / the square root of inp.")
ElementWiseSinOp = unary("ElementWiseSin", "out = sin(inp), inp in radians.")
ElementWiseCosOp = unary("ElementWiseCos", "out = cos(inp), inp in radians.")
ElementWiseAsinOp = unary("ElementWiseAsin", "out = the angle in radians whose sine is inp.")
ElementWiseAtanOp = unary("ElementWiseAtan", "out = the angle in radians whose tangent is inp.")
ElementWiseFloorOp = unary("ElementWiseFloor", "out = the largest whole number <= inp.")
ElementWiseCeilOp = unary("ElementWiseCeil", "out = the smallest whole number >= inp.")
ElementWiseRoundOp = unary("ElementWiseRound", "out = the nearest whole number, half to even.")
ElementWiseSignOp = unary("ElementWiseSign", "out = -1, 0 or 1, as inp is signed.", Kind.NUMBER)
ElementWiseNotOp = unary("ElementWiseNot", "out = not inp; of an integer each bit.", Kind.LOGIC)
ElementWiseReciprocalOp = unary("ElementWiseReciprocal", "out = 1 / inp.")
ElementWiseErfOp = unary("ElementWiseErf", "out = the Gauss error function of inp.")
ElementWiseSoftplusOp = unary("ElementWiseSoftplus", "out = log(1 + e to the power of inp).")

ElementWiseAddOp = binary("ElementWiseAdd", "out = a + b.")
ElementWiseSubtractOp = binary("ElementWiseSubtract", "out = a - b.")
ElementWiseMultiplyOp = binary("ElementWiseMultiply", "out = a * b.")
ElementWiseDivideOp = binary("ElementWiseDivide", "out = a / b; integers truncate.")
ElementWisePowerOp = binary("ElementWisePower", "out = a to the power of b.")
ElementWiseMaximumOp = binary("ElementWiseMaximum", "out = the larger of a and b.")
ElementWiseMinimumOp = binary("ElementWiseMinimum", "out = the smaller of a and b.")
ElementWiseSquaredDifferenceOp = binary("ElementWiseSquaredDifference", "out = (a - b) * (a - b).")
ElementWiseModOp = binary("ElementWiseMod", "out = the rest of a / b, with the sign of b.")

ElementWiseLessOp = binary("ElementWiseLess", "out = a < b.", Kind.ANY, DType.Bool8)
ElementWiseLessEqualOp = binary("ElementWiseLessEqual", "out = a <= b.", Kind.ANY, DType.Bool8)
ElementWiseGreaterOp = binary("ElementWiseGreater", "out = a > b.", Kind.ANY, DType.Bool8)
ElementWiseGreaterEqualOp = binary(
    "ElementWiseGreaterEqual", "out = a >= b.", Kind.ANY, DType.Bool8
)
ElementWiseEqualOp = binary("ElementWiseEqual", "out = a equals b.", Kind.ANY, DType.Bool8)
ElementWiseNotEqualOp = binary(
    "ElementWiseNotEqual", "out = a differs from b.", Kind.ANY, DType.Bool8
)

ElementWiseAndOp = binary("ElementWiseAnd", "out = a and b; of integers bit by bit.", Kind.LOGIC)
ElementWiseOrOp = binary("ElementWiseOr", "out = a or b; of integers bit by bit.", Kind.LOGIC)
ElementWiseXorOp = binary(
    "ElementWiseXor", "out = a or b, not both; of integers bit by bit.", Kind.LOGIC
)


@irdl_op_definition
class ElementWiseSelectOp(GraphOp):
    """out = a where cond is true, else b; all three broadcast, a and b have one element type.

    Constraints: (C1) cond is i1; (C2) a and b have one element type and quantisation, which the
    result has; (C3) the three shapes broadcast to the result's.

    Example: `%y = qti_aisw.ElementWiseSelect(%c, %a, %b) :
    (tensor<1x8x8x1xi1>, tensor<1x8x8x4xf32>, tensor<4xf32>) -> tensor<1x8x8x4xf32>`
    """

    name = "qti_aisw.ElementWiseSelect"
    KEEPS_ENCODING: ClassVar[bool] = True

    cond = operand_def()
    a = operand_def()
    b = operand_def()
    out = result_def()

    traits = traits_def(Pure())

    def infer(self) -> tuple[TensorSpec, ...]:
        cond = tensor(self, "cond", self.cond, Kind.BOOL)
        a, b = tensor(self, "a", self.a), tensor(self, "b", self.b)
        same_encoding(self, "b", b, a)
        return (a.with_shape(broadcast(self, cond, a, b)),)


OPS: tuple[type[GraphOp], ...] = (
    *(ElementWiseAbsOp, ElementWiseNegOp, ElementWiseExpOp, ElementWiseLogOp),
    *(ElementWiseSquareRootOp, ElementWiseRsqrtOp, ElementWiseSinOp, ElementWiseCosOp),
    *(ElementWiseAsinOp, ElementWiseAtanOp),
    *(ElementWiseFloorOp, ElementWiseCeilOp, ElementWiseRoundOp, ElementWiseSignOp),
    *(ElementWiseNotOp, ElementWiseReciprocalOp, ElementWiseErfOp, ElementWiseSoftplusOp),
    *(ElementWiseAddOp, ElementWiseSubtractOp, ElementWiseMultiplyOp, ElementWiseDivideOp),
    *(ElementWisePowerOp, ElementWiseMaximumOp, ElementWiseMinimumOp),
    *(ElementWiseSquaredDifferenceOp, ElementWiseModOp, ElementWiseLessOp, ElementWiseLessEqualOp),
    *(ElementWiseGreaterOp, ElementWiseGreaterEqualOp, ElementWiseEqualOp, ElementWiseNotEqualOp),
    *(ElementWiseAndOp, ElementWiseOrOp, ElementWiseXorOp, ElementWiseSelectOp),
)
