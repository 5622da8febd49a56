"""Tensors: values in, values out, in every layout; the classes cover their table."""

import numpy as np
import pytest
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import (
    CROUTON_TCM,
    FLAT_TCM,
    LayoutKind,
    Memory,
    Place,
    TensorSpec,
)
from htp_mlir.runtime.tensors.tensor_classes import (
    CLASSES,
    Bool8Tensor,
    FloatCroutonTensor_TCM,
    PlainFloatTensor,
    QuantUint8Tensor,
    constant_tensor,
    new_tensor,
    tensor_class,
)
from htp_mlir.runtime.tensors.tensors import CroutonTensor, Tensor

SHAPE = (1, 9, 11, 37)
U8 = Quant((0.5,), (10,))
LAYOUT_CASES = [
    (DType.Float32, LayoutKind.CROUTON),
    (DType.Float32, LayoutKind.DEPTH32),
    (DType.Float32, LayoutKind.NCHW),
    (DType.Float16, LayoutKind.CROUTON),
    (DType.Int64, LayoutKind.FLAT),
    (DType.Bool8, LayoutKind.CROUTON),
    (DType.UInt8, LayoutKind.CROUTON4X1),
    (DType.UInt8, LayoutKind.CROUTON2X2),
    (DType.Int8, LayoutKind.WEIGHTS),
]


def values_of(dtype: DType) -> np.ndarray:
    return (np.arange(np.prod(SHAPE)) % 100).reshape(SHAPE).astype(dtype.storage)


@pytest.mark.parametrize(("dtype", "kind"), LAYOUT_CASES)
def test_what_is_stored_is_loaded(dtype: DType, kind: LayoutKind) -> None:
    tensor = new_tensor(TensorSpec(SHAPE, dtype, place=Place(kind, Memory.TCM)))
    tensor.store(values_of(dtype))
    np.testing.assert_array_equal(tensor.stored(), values_of(dtype))
    np.testing.assert_array_equal(tensor.load(), values_of(dtype))


def test_a_quantised_tensor_rounds_half_to_even_and_saturates() -> None:
    tensor = new_tensor(TensorSpec((1, 1, 1, 6), DType.QUInt8, U8))
    tensor.store(np.array([[[[0.25, 0.75, -5.25, 1e9, -1e9, np.inf]]]], np.float32))
    assert tensor.stored().tolist() == [[[[10, 12, 0, 255, 0, 255]]]]
    assert tensor.load().tolist() == [[[[0.0, 1.0, -5.0, 122.5, -5.0, 122.5]]]]


def test_a_narrower_storage_range_bounds_what_is_stored() -> None:
    narrow = Quant((1.0,), (0,), low=-127, high=100)
    tensor = new_tensor(TensorSpec((1, 1, 1, 2), DType.QInt8, narrow))
    tensor.store(np.array([[[[-300.0, 300.0]]]], np.float32))
    assert tensor.stored().tolist() == [[[[-127, 100]]]]


def test_per_axis_quantisation_uses_each_slice_scale() -> None:
    quant = Quant((1.0, 2.0), (0, 1), axis=3)
    tensor = new_tensor(TensorSpec((1, 1, 2, 2), DType.QInt8, quant))
    tensor.store(np.full((1, 1, 2, 2), 4.0, np.float32))
    assert tensor.stored()[0, 0].tolist() == [[4, 3], [4, 3]]
    assert tensor.load()[0, 0].tolist() == [[4.0, 4.0], [4.0, 4.0]]


def test_floats_load_as_f32_and_store_into_integers_truncates() -> None:
    half = new_tensor(TensorSpec((1, 1, 1, 1), DType.Float16))
    assert half.load().dtype == np.float32
    whole = new_tensor(TensorSpec((1, 1, 1, 2), DType.Int32))
    whole.store(np.array([[[[1.9, -1.9]]]], np.float32))
    assert whole.stored().tolist() == [[[[1, -1]]]]


def test_a_result_of_another_shape_is_refused() -> None:
    with pytest.raises(ValueError, match=r"shape \(1, 1, 1, 1\), its tensor \(1, 9, 11, 37\)"):
        new_tensor(TensorSpec(SHAPE, DType.Float32)).store(np.ones((1, 1, 1, 1), np.float32))


def test_bound_copies_see_later_values() -> None:
    tensor = new_tensor(TensorSpec(SHAPE, DType.Float32, place=CROUTON_TCM))
    source, target = values_of(DType.Float32), np.zeros(SHAPE, np.float32)
    pack, unpack = tensor.packer(source), tensor.unpacker(target)
    source += 1
    pack()
    unpack()
    np.testing.assert_array_equal(target, source)


def test_the_class_follows_dtype_layout_and_memory() -> None:
    assert tensor_class(TensorSpec(SHAPE, DType.Float32)) is PlainFloatTensor
    assert tensor_class(TensorSpec(SHAPE, DType.QUInt8, U8)) is QuantUint8Tensor
    assert tensor_class(TensorSpec(SHAPE, DType.Float32, place=CROUTON_TCM)) is (
        FloatCroutonTensor_TCM
    )
    assert tensor_class(TensorSpec(SHAPE, DType.Bool8)) is Bool8Tensor
    assert tensor_class(TensorSpec(SHAPE, DType.Int8)) is Tensor


def test_the_table_of_classes_is_one_to_one() -> None:
    assert len(set(CLASSES.values())) == len(CLASSES) == 38
    for key, class_ in CLASSES.items():
        assert class_.__name__.endswith("_TCM") == (key.memory is Memory.TCM)
        assert issubclass(class_, CroutonTensor) == (key.layout is LayoutKind.CROUTON)


def test_factors_and_blocks_are_views_of_one_memory() -> None:
    tensor = new_tensor(TensorSpec((1, 8, 2, 32), DType.Float32, place=CROUTON_TCM))
    assert isinstance(tensor, FloatCroutonTensor_TCM)
    assert tensor.blocks.shape == (1, 1, 1, 1, 8, 2, 32)
    assert tensor.factors.shape == (1, 1, 8, 1, 2, 1, 32)
    tensor.factors[0, 0, 3, 0, 1, 0, 5] = 7
    assert tensor.load()[0, 3, 1, 5] == 7


@pytest.mark.parametrize("place", [None, FLAT_TCM, CROUTON_TCM])
def test_a_constant_is_laid_out_and_read_only(place: Place | None) -> None:
    values = np.broadcast_to(np.float32(3), SHAPE)
    tensor = constant_tensor(TensorSpec(SHAPE, DType.Float32, place=place), values)
    assert tensor.constant
    np.testing.assert_array_equal(tensor.load(), values)
    with pytest.raises(ValueError, match="read-only"):
        tensor.array[...] = 0
