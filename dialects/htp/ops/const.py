"""Constants and shapes of the native graph."""

from collections.abc import Sequence
from functools import lru_cache

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, result_def, traits_def
from xdsl.traits import ConstantLike, Pure

from ...attributes import verify_attributes
from ...spec_of import Array, dense_of, spec_of, type_of
from ...text.constant import Constant
from ...text.own_op import OwnOp
from ...value import TensorSpec
from ..types import ShapeType


@irdl_op_definition
class ConstOp(Constant):
    """Constant data. The value holds stored integers where the result is quantised.

    Constraints: (C1) value and result have one shape; (C2) value's element type is the storage
    type of the result's. The data is in the order of the dims; a layout on the result says how it
    is laid out in memory.

    Example: `%w = htp.Const dense<[[[[1.0, 2.0]]]]> : tensor<1x1x1x2xf32> -> tensor<1x1x1x2xf32>`
    """

    name = "htp.Const"


@irdl_op_definition
class ShapeOp(OwnOp):
    """Dims without data, for strides, windows, starts and sizes.

    Example: `%s = htp.Shape : !htp.shape<1x2x2x1>`
    """

    name = "htp.Shape"

    out = result_def(ShapeType)

    traits = traits_def(Pure(), ConstantLike())
    assembly_format = "attr-dict `:` type($out)"

    def verify_(self) -> None:
        verify_attributes(self)


def const(array: Array, spec: TensorSpec) -> ConstOp:
    """A constant with this data and spec."""
    return ConstOp.create(result_types=[type_of(spec)], properties={"value": dense_of(array, spec)})


def repeated(one: ConstOp, dims: Sequence[int]) -> ConstOp:
    """A constant of one number, which stands at each place of these dims."""
    stored = TensorType(one.value.get_element_type(), dims)
    value = DenseIntOrFPElementsAttr(stored, one.value.data)
    result = type_of(spec_of(one.out).with_shape(tuple(dims)))
    return ConstOp.create(result_types=[result], properties={"value": value})


def shape(dims: Sequence[int]) -> ShapeOp:
    """A shape with these dims."""
    return ShapeOp.create(result_types=[_shape_type(tuple(dims))])


@lru_cache(maxsize=16384)
def _shape_type(dims: tuple[int, ...]) -> ShapeType:
    """One type object for equal dims: rules make shapes by the thousand."""
    return ShapeType(dims)


def constant_array(value: SSAValue) -> Array | None:
    """The data behind a value that a Const makes, else None."""
    return value.owner.array if isinstance(value.owner, ConstOp) else None
