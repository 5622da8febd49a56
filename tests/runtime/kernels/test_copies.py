"""Copies and conversions for every tensor class, on poisoned memory."""

import numpy as np
import pytest
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import (
    CROUTON_DDR,
    CROUTON_TCM,
    FLAT_DDR,
    FLAT_TCM,
    Place,
    TensorSpec,
)
from htp_mlir.runtime.tensors.tensors import Tensor

from .harness import poisoned, run, selected

COPIES = [
    ("flat_to_vtcm", FLAT_DDR, FLAT_TCM),
    ("flat_from_vtcm", FLAT_TCM, FLAT_DDR),
    ("crouton_to_vtcm", CROUTON_DDR, CROUTON_TCM),
    ("crouton_from_vtcm", CROUTON_TCM, CROUTON_DDR),
    ("Spill", FLAT_TCM, FLAT_DDR),
    ("Fill", FLAT_DDR, FLAT_TCM),
    ("Spill", CROUTON_TCM, CROUTON_DDR),
    ("Fill", CROUTON_DDR, CROUTON_TCM),
    ("Relocate", FLAT_TCM, FLAT_TCM),
    ("Relocate", CROUTON_TCM, CROUTON_TCM),
]
CONVERSIONS = [
    ("ForceFormat_Flat", CROUTON_DDR, FLAT_DDR),
    ("ForceFormat_Flat", CROUTON_TCM, FLAT_TCM),
    ("ForceFormat_Crouton", FLAT_DDR, CROUTON_DDR),
    ("ForceFormat_Crouton", FLAT_TCM, CROUTON_TCM),
]
DTYPES = [
    DType.Float32,
    DType.Float16,
    DType.Int32,
    DType.QUInt8,
    DType.QInt8,
    DType.QUInt16,
    DType.QInt16,
    DType.QInt32,
]
SHAPES = [(1, 1, 1, 1), (2, 9, 7, 33), (1, 16, 8, 64), (1, 7, 65, 5)]


def filled(shape: tuple[int, ...], dtype: DType, place: Place) -> Tensor:
    """A tensor whose stored values are small numbers, all of them different where that fits."""
    quant = Quant((0.5,), (3,)) if dtype.is_quantized else None
    tensor = poisoned(TensorSpec(shape, dtype, quant, place))
    tensor.store_raw((np.arange(np.prod(shape)) % 127).astype(dtype.storage).reshape(shape))
    return tensor


@pytest.mark.one_per("op", "dtype")
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("op", "source", "target"), COPIES + CONVERSIONS)
def test_stored_values_arrive(
    op: str, source: Place, target: Place, dtype: DType, shape: tuple[int, ...]
) -> None:
    inp = filled(shape, dtype, source)
    out = poisoned(inp.spec.with_place(target))
    run(selected(op, [out.spec], [inp]), [out], [inp])
    np.testing.assert_array_equal(out.stored(), inp.stored())


@pytest.mark.parametrize(("op", "source", "target"), COPIES)
def test_a_copy_moves_every_byte(op: str, source: Place, target: Place) -> None:
    inp = filled((1, 9, 3, 33), DType.Float32, source)
    out = poisoned(inp.spec.with_place(target))
    out.bytes[:] = 0
    run(selected(op, [out.spec], [inp]), [out], [inp])
    np.testing.assert_array_equal(out.bytes, inp.bytes)


@pytest.mark.parametrize("target", [CROUTON_DDR, CROUTON_TCM])
def test_a_conversion_leaves_the_padding_alone(target: Place) -> None:
    inp = filled((1, 1, 1, 1), DType.QUInt8, Place(FLAT_DDR.layout, target.memory))
    out = poisoned(inp.spec.with_place(target))
    run(selected("ForceFormat_Crouton", [out.spec], [inp]), [out], [inp])
    assert np.count_nonzero(out.bytes != 0xFF) == 1
