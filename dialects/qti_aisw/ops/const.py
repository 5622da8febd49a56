"""Constants of the graph."""

from xdsl.irdl import irdl_op_definition

from ...spec_of import Array, dense_of, type_of
from ...text.constant import Constant
from ...value import TensorSpec


@irdl_op_definition
class ConstOp(Constant):
    """Constant data of any rank. The value holds stored integers where the result is quantised.

    Constraints: (C1) value and result have one shape; (C2) value's element type is the storage
    type of the result's.

    Example: `%w = qti_aisw.Const dense<[[1.0, 2.0]]> : tensor<1x2xf32> -> tensor<1x2xf32>`
    """

    name = "qti_aisw.Const"


def const(array: Array, spec: TensorSpec) -> ConstOp:
    """A constant with this data (stored integers if quantised) and spec."""
    return ConstOp.create(result_types=[type_of(spec)], properties={"value": dense_of(array, spec)})
