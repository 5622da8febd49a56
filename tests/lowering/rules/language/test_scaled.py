"""Stored numbers times factors stand for the products, as the next encoding says them."""

import numpy as np
import pytest
from htp_mlir.dialects.spec_of import Array
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering.rules.language.constants import scaled

STORED = np.arange(-6, 6).reshape(1, 2, 2, 3)


def reals(array: Array, spec: TensorSpec) -> Array:
    """The numbers that stored ones of rank 4 stand for."""
    assert spec.quant
    scales, zeros = (np.array(each) for each in (spec.quant.scales, spec.quant.zero_points))
    return (array.astype(float) - zeros) * scales


@pytest.mark.parametrize(
    "quant", [Quant((0.5,), (1,)), Quant((0.5, 0.25, 2.0), (1, 0, -3), 3)], ids=["one", "each"]
)
@pytest.mark.parametrize("factors", [(2.0, -3.0, 0.0), (-1.5,)], ids=["three", "one"])
def test_the_numbers_are_the_products(quant: Quant, factors: tuple[float, ...]) -> None:
    spec = TensorSpec(STORED.shape, DType.QInt8, quant)
    product = scaled(STORED.astype(np.int8), spec, np.array(factors, np.float32))
    assert product
    array, other = product
    assert array.dtype == np.int8
    assert other.quant
    assert min(other.quant.scales) > 0
    np.testing.assert_allclose(reals(*product), reals(STORED, spec) * np.array(factors))


@pytest.mark.parametrize(
    ("quant", "factors"),
    [
        (Quant((0.5, 0.25), (0, 0), 1), (2.0, 2.0, 2.0)),
        (Quant((0.5,), (0,)), (2.0, 2.0)),
        (Quant((0.5,), (0,)), (np.inf,)),
        (Quant((0.5,), (0,)), (1e-45,)),
        (Quant((0.5,), (0,), low=-6, high=5), (-1.0,)),
        (Quant((0.5,), (100,)), (-1.0,)),
    ],
    ids=[
        "another dim",
        "too few",
        "infinite",
        "nothing in f32",
        "above its range",
        "above its type",
    ],
)
def test_what_no_encoding_says_is_none(quant: Quant, factors: tuple[float, ...]) -> None:
    spec = TensorSpec(STORED.shape, DType.QInt8, quant)
    assert scaled(STORED.astype(np.int8), spec, np.array(factors, np.float32)) is None
