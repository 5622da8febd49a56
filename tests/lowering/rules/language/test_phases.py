"""A convolution with the filters of all phases is the transposed one, spread out."""

import numpy as np
import pytest
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering.rules.language.constants import phases
from htp_mlir.runtime.functions.conv import conv2d, transpose_conv2d
from htp_mlir.runtime.functions.image import depth_to_space

RANDOM = np.random.default_rng(0)


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize("stride", [(1, 1), (2, 2), (4, 1)])
@pytest.mark.parametrize("window", [(1, 2), (3, 3), (5, 4)])
@pytest.mark.parametrize("size", [(1, 1), (4, 3)])
def test_numbers(
    size: tuple[int, int], window: tuple[int, int], stride: tuple[int, int], groups: int
) -> None:
    data = RANDOM.standard_normal((2, *size, 4)).astype(np.float32)
    filters = RANDOM.standard_normal((*window, 4, 3)).astype(np.float32)
    plain, _ = phases(filters, TensorSpec(filters.shape, DType.Float32), stride, groups)
    around = [plain.shape[dim] - 1 for dim in (0, 1)]
    pads = tuple((n, n) for n in around)
    apart = conv2d(data, plain, None, (1, 1), (pads[0], pads[1]), group=groups)
    whole = transpose_conv2d(data, filters, None, stride, group=groups)
    spread = depth_to_space(apart, stride, 1)
    np.testing.assert_allclose(
        spread[:, : whole.shape[1], : whole.shape[2]], whole, rtol=1e-5, atol=1e-5
    )


def test_scales_and_zeros() -> None:
    stored = np.array([[[[1, 2]], [[3, 4]], [[5, 6]]]], np.int8)
    quant = Quant((0.5, 0.25), (7, 8), 3)
    filters, spec = phases(stored, TensorSpec(stored.shape, DType.QInt8, quant), (1, 2), 1)
    assert filters.reshape(2, 4).tolist() == [[5, 7, 6, 8], [1, 3, 2, 4]]
    assert spec.shape == (1, 2, 1, 4)
    assert spec.quant == Quant((0.5, 0.5, 0.25, 0.25), (7, 7, 8, 8), 3)
