"""Values of the graph under import: operators, constants, cuts."""

import numpy as np
import pytest
from htp_mlir.dialects.spec_of import type_of
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering.importers.graph.value import Emitter, Value, concat, where
from xdsl.ir import Block


def argument(*shape: int, dtype: DType = DType.Float32) -> Value:
    block = Block(arg_types=[type_of(TensorSpec(shape, dtype))])
    return Value(block.args[0], Emitter(block, {}, frozenset()))


def ops(value: Value) -> list[str]:
    """The names of the ops that were appended."""
    return [op.name.removeprefix("qti_aisw.") for op in value.emitter.block.ops]


def test_an_expression_is_its_ops_in_the_order_of_python() -> None:
    x = argument(2, 3)
    y = 1 - x.exp() * 2
    assert ops(y) == [
        "ElementWiseExp",
        "Const",
        "ElementWiseMultiply",
        "Const",
        "ElementWiseSubtract",
    ]


@pytest.mark.parametrize("dtype", [DType.Float16, DType.Int32])
def test_numbers_take_the_dtype_of_the_value(dtype: DType) -> None:
    x = argument(3, dtype=dtype)
    for y in (x + 1, np.arange(3) + x, x.maximum(np.arange(3))):
        assert (y.dtype, y.shape) == (dtype, (3,))


def test_a_comparison_is_a_tensor_of_truth_values() -> None:
    x = argument(3)
    assert (x < 1).dtype is x.equal(1).dtype is DType.Bool8
    assert where(x < 0, x, 0).dtype is DType.Float32
    with pytest.raises(TypeError, match="neither x nor y is a value"):
        where(x < 0, 1, 0)


def test_cuts_are_those_of_numpy() -> None:
    x = argument(4, 5)
    assert x[1:, ::-1].shape == (3, 5)
    assert x.cut(1, 1, 3).shape == (4, 2)
    assert x[:] is x


def test_constants_are_cut_and_joined_at_once() -> None:
    x = argument(2)
    c = x.const(np.arange(6).reshape(2, 3))
    (first, second) = (c[:, :1], c[:, 1:])
    np.testing.assert_array_equal(concat([second, first], axis=1).array, [[1, 2, 0], [4, 5, 3]])
    assert set(ops(x)) == {"Const"}
    assert concat([x], axis=0) is x
    assert concat([x, x], axis=0).shape == (4,)
