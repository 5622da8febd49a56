"""Images of another extent, against numbers written by hand."""

import numpy as np
import pytest
from htp_mlir.runtime.functions.image import depth_to_space, resize, space_to_depth

LINE = np.arange(2, dtype=np.float32).reshape(1, 1, 2, 1)


@pytest.mark.parametrize(
    ("interpolation", "transformation", "wanted"),
    [
        (0, 0, [0, 0, 1, 1]),
        (0, 2, [0, 0, 1, 1]),
        (1, 0, [0, 0.25, 0.75, 1]),
        (1, 2, [0, 1 / 3, 2 / 3, 1]),
        (1, 3, [0, 0.5, 1, 1]),
        (2, 2, [0, 17 / 54, 37 / 54, 1]),
    ],
)
def test_two_pixels_to_four(interpolation: int, transformation: int, wanted: list[float]) -> None:
    pixels = resize(LINE, (1, 4), interpolation, transformation, 0, False, -0.75)
    np.testing.assert_allclose(pixels.reshape(-1), wanted, atol=1e-6)


@pytest.mark.parametrize(("rounding", "wanted"), [(0, 0), (1, 1), (2, 0), (3, 1)])
def test_halfway_between_two_pixels(rounding: int, wanted: int) -> None:
    """The one pixel after lies halfway between the two before."""
    assert resize(LINE, (1, 1), 0, 0, rounding, False, -0.75).item() == wanted


@pytest.mark.parametrize(
    ("mode", "wanted"), [(0, [0, 2, 4, 6, 1, 3, 5, 7]), (1, [0, 1, 2, 3, 4, 5, 6, 7])]
)
def test_blocks_of_the_depth(mode: int, wanted: list[int]) -> None:
    """Eight channels become two of a 2x2 image; DCR has the block first, CRD last."""
    deep = np.arange(8, dtype=np.int32).reshape(1, 1, 1, 8)
    wide = depth_to_space(deep, (2, 2), mode)
    assert wide.transpose(3, 0, 1, 2).reshape(-1).tolist() == wanted
    assert space_to_depth(wide, (2, 2), mode).tolist() == deep.tolist()
