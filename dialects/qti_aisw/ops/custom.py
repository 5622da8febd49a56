"""The op of an op package in a graph. Source: QNN op package documentation."""

import re
from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import (
    BoolAttr,
    DenseArrayBase,
    DictionaryAttr,
    Float32Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, prop_def, traits_def, var_operand_def, var_result_def
from xdsl.traits import Pure

from ...spec_of import require, spec_of, type_of
from ...value import TensorSpec
from ..base import CustomParam, GraphOp, ParamValue, custom_attr, param_value

TORCH = "torch"
"""The package whose ops are PyTorch's own, which run and never lower."""

_PACKAGE = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_OP_TYPE = re.compile(r"[A-Za-z_][\w.]*", re.ASCII)
_F32 = Float32Type()
_CARRIERS = (
    IntegerAttr.constr(IntegerType(64)),
    FloatAttr.constr(_F32),
    BoolAttr.constr(IntegerType(1)),
    DenseArrayBase.constr(IntegerType(64)),
    DenseArrayBase.constr(_F32),
)


@irdl_op_definition
class CustomOp(GraphOp):
    """The op `op_type` of an op package. Only the package knows what it takes and gives.

    Params are those of the package's param order, by name: i64, f32, i1, text, or lists of i64 or
    f32. A param with a default may be left out. Lowering turns the op into `package.op_type`, with
    its inputs first and then its params.

    Constraints: (C1) package and op_type are names; (C2) each param has one of the types above;
    (C3) there is a result.

    Example: `%y = qti_aisw.Custom(%x) {op_type = "MaxPool_valid", package = "MaxPoolPackage",
    params = {window = array<i64: 1, 2, 2, 1>}} : (tensor<1x8x8x4xf32>) -> tensor<1x7x7x4xf32>`
    """

    name = "qti_aisw.Custom"

    ins = var_operand_def()

    package = prop_def(StringAttr)
    op_type = prop_def(StringAttr)
    packed = prop_def(DictionaryAttr, DictionaryAttr({}), prop_name="params")

    outs = var_result_def()

    traits = traits_def(Pure())

    @property
    def target(self) -> str:
        """The native op's name in the IR: `Package.Op`."""
        return f"{self.package.data}.{self.op_type.data}"

    def params(self) -> dict[str, ParamValue]:
        return {"package": self.package.data, "op_type": self.op_type.data}

    def given(self) -> dict[str, CustomParam]:
        """The params of the package's op that are written out, by name."""
        return {name: custom_param(value) for name, value in self.packed.data.items()}

    def infer(self) -> tuple[TensorSpec, ...]:
        package, op_type = self.package.data, self.op_type.data
        named = bool(_PACKAGE.fullmatch(package))
        require(named, self, f"(C1) package is '{package}', it must be a name")
        named = bool(_OP_TYPE.fullmatch(op_type))
        require(named, self, f"(C1) op_type is '{op_type}', it must be a name")
        for name, value in self.packed.data.items():
            kinds = "i64, f32, i1, text, array<i64> or array<f32>"
            require(carries(value), self, f"(C2) param '{name}' is {value}, it must be {kinds}")
        require(bool(self.results), self, "(C3) has no result")
        return tuple(spec_of(result) for result in self.results)


def carries(value: Attribute) -> bool:
    """Can an attribute hold a param of a package's op?"""
    return isinstance(value, StringAttr) or any(kind.verifies(value) for kind in _CARRIERS)


def custom_param(value: Attribute) -> CustomParam:
    """A param as a Python value."""
    if isinstance(value, DenseArrayBase) and value.elt_type == _F32:
        return tuple(float(number) for number in value.get_values())
    return param_value(value)


def custom(
    package: str,
    op_type: str,
    operands: Sequence[SSAValue],
    params: Mapping[str, CustomParam],
    *results: TensorSpec,
) -> CustomOp:
    """A new op of a package, with the given results."""
    packed = DictionaryAttr({name: custom_attr(value) for name, value in params.items()})
    return CustomOp.build(
        operands=[list(operands)],
        result_types=[[type_of(spec) for spec in results]],
        properties={
            "package": StringAttr(package),
            "op_type": StringAttr(op_type),
            "params": packed,
        },
    )
