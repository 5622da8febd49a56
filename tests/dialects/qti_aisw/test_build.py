"""Graph ops built from Python: inferred results, missing params, extents of windows and ranges."""

from collections.abc import Mapping, Sequence
from math import prod

import numpy as np
import pytest
from htp_mlir.dialects.qti_aisw import GRAPH_OPS, build, const
from htp_mlir.dialects.qti_aisw.base import bool_attr, float_attr, int_attr, ints_attr
from htp_mlir.dialects.qti_aisw.guards import window_extent
from htp_mlir.dialects.spec_of import spec_of, type_of
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import Range, TensorSpec
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects import test
from xdsl.dialects.builtin import Float16Type
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException

QUANT = Quant((0.5,), (128,))


def value(
    shape: Sequence[int], dtype: DType = DType.Float32, quant: Quant | None = None
) -> SSAValue:
    return test.TestOp(result_types=[type_of(TensorSpec(tuple(shape), dtype, quant))]).results[0]


def results(
    mnemonic: str,
    operands: Sequence[SSAValue | None],
    params: Mapping[str, Attribute] | None = None,
) -> list[TensorSpec]:
    op = build(GRAPH_OPS[mnemonic], operands, dict(params or {}))
    op.verify()
    return [spec_of(result) for result in op.results]


def test_build_infers_the_results() -> None:
    params = {"axis": int_attr(-1), "split_index": ints_attr([1, 3])}
    specs = results("Split", [value((2, 6))], params)
    assert [spec.shape for spec in specs] == [(2, 1), (2, 2), (2, 3)]


def test_build_leaves_optional_operands_out() -> None:
    operands = [value((4, 8)), None, value((8,))]
    op = build(GRAPH_OPS["LayerNorm"], operands, {"axes": ints_attr([1])})
    op.verify()
    assert list(op.named_operands()) == ["inp", "beta"]


def test_build_takes_variadic_operands() -> None:
    parts = [value((4, 8)), value((2, 8)), value((1, 8))]
    op = build(GRAPH_OPS["Concat"], [parts], {"axis": int_attr(0)})
    assert spec_of(op.results[0]).shape == (7, 8)


@pytest.mark.parametrize("mnemonic", ["ReduceSum", "LayerNorm"])
def test_build_names_a_missing_param(mnemonic: str) -> None:
    operands = [value((4, 8))] + ([None, None] if mnemonic == "LayerNorm" else [])
    with pytest.raises(VerifyException, match=f"qti_aisw.{mnemonic}: param 'axes' is missing"):
        build(GRAPH_OPS[mnemonic], operands)


def test_build_leaves_no_use_behind_where_it_fails() -> None:
    data = value((4, 8))
    with pytest.raises(VerifyException):
        build(GRAPH_OPS["Softmax"], [data], {"axis": int_attr(5)})
    assert not list(data.uses)


def test_params_are_python_values() -> None:
    params = {"axes": ints_attr([1, -1]), "keep_dims": bool_attr(True)}
    op = build(GRAPH_OPS["ReduceSum"], [value((2, 3, 4))], params)
    assert op.params() == {"axes": (1, -1), "keep_dims": True}
    op = build(GRAPH_OPS["Elu"], [value((4,))], {"alpha": float_attr(0.5)})
    assert op.params() == {"alpha": 0.5}
    op = build(GRAPH_OPS["Cast"], [value((4,))], {"to": Float16Type()})
    assert op.params() == {"to": "Float16"}


def test_arithmetic_leaves_the_scale_of_its_result_free() -> None:
    data = value((4,), DType.QUInt8, QUANT)
    op = build(GRAPH_OPS["Relu"], [data])
    assert spec_of(op.results[0]).quant == QUANT
    other = TensorSpec((4,), DType.QUInt8, Quant((0.25,), (0,)))
    GRAPH_OPS["Relu"].build(operands=[data], result_types=[type_of(other)]).verify()


def test_transpose_moves_the_axis_of_scales() -> None:
    quant = Quant((0.5, 0.25, 0.125), (0, 0, 0), axis=0)
    data = value((3, 1, 2), DType.QInt8, quant)
    (turned,) = results("Transpose", [data], {"perm": ints_attr([2, 1, 0])})
    assert turned.quant is not None
    assert turned.quant.axis == 2


def test_quantised_convolution_takes_weights_scaled_per_channel() -> None:
    quant = Quant((0.5, 0.25), (0, 0), axis=3)
    data = value((1, 8, 8, 4), DType.QUInt8, QUANT)
    operands = [data, value((3, 3, 4, 2), DType.QInt8, quant), value((2,), DType.Int32)]
    (spec,) = results("Conv2d", operands)
    assert spec == TensorSpec((1, 6, 6, 2), DType.QUInt8, QUANT)


@pytest.mark.parametrize(
    "spec",
    [
        TensorSpec((2, 3), DType.Float16),
        TensorSpec((), DType.Bool8),
        TensorSpec((2, 3), DType.Bool8),
        TensorSpec((4,), DType.UInt32),
        TensorSpec((4,), DType.Int64),
        TensorSpec((0, 3), DType.Float32),
        TensorSpec((2, 3), DType.QInt16, Quant((0.5,), (3,))),
    ],
    ids=str,
)
def test_constants_keep_their_data(spec: TensorSpec) -> None:
    data = (np.arange(prod(spec.shape)) % 2).reshape(spec.shape).astype(spec.dtype.storage)
    op = const(data, spec)
    op.verify()
    assert op.array.dtype == data.dtype
    np.testing.assert_array_equal(op.array, data)
    assert spec_of(op.out) == spec


BOUND = st.integers(-2, 9)


@given(BOUND, BOUND, st.integers(-3, 3), st.integers(0, 8))
def test_a_range_that_fits_counts_as_python_does(
    begin: int, end: int, stride: int, size: int
) -> None:
    taken = Range(begin, end, stride)
    if taken.fits(size):
        places = range(begin, end, stride)
        assert taken.count == len(places)
        assert all(0 <= place < size for place in places)


@given(
    size=st.integers(0, 12),
    reach=st.integers(1, 5),
    stride=st.integers(1, 4),
    before=st.integers(0, 3),
    after=st.integers(0, 3),
)
def test_window_extents_count_the_windows(
    size: int, reach: int, stride: int, before: int, after: int
) -> None:
    op, length = test.TestOp(), before + size + after
    if length < reach:
        with pytest.raises(VerifyException, match="is larger than the input"):
            window_extent(op, size, reach, stride, (before, after))
        return
    inside = [start for start in range(0, length, stride) if start + reach <= length]
    assert window_extent(op, size, reach, stride, (before, after)) == len(inside)
    next_start = len(inside) * stride
    hangs = inside[-1] + reach < length and next_start < before + size
    expected = len(inside) + hangs
    assert window_extent(op, size, reach, stride, (before, after), ceil=True) == expected
