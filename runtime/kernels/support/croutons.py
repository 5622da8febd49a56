"""Views into crouton tensors that need no copy."""

from collections.abc import Sequence
from math import prod

from ....dialects.value import LAYOUTS, Layout
from ...functions.support.arrays import Array
from ...tensors.tensors import Tensor

DEPTH = 3


def layout_of(tensor: Tensor) -> Layout:
    """Look up the layout of a tensor."""
    return LAYOUTS[tensor.spec.layout, tensor.spec.dtype.itemsize]


def spread(tensor: Tensor) -> Array:
    """View the stored array with extent 1 wherever the tensor has, so that it broadcasts."""
    if tensor.flat:
        return tensor.array
    ones = [tensor.shape[dim] == 1 for dim, _ in layout_of(tensor).pairs]
    return tensor.array[tuple(slice(0, 1) if one else slice(None) for one in ones)]


def row_shape(layout: Layout, shape: Sequence[int]) -> tuple[int, ...]:
    """Compute the block array's shape for a row along the depth, which alone is padded."""
    chunks = -(-shape[DEPTH] // layout.chunk[DEPTH])
    return tuple((size or chunks) if dim == DEPTH else 1 for dim, size in layout.pairs)


def row_elements(layout: Layout, shape: Sequence[int]) -> int:
    """Elements of such a row, padding included."""
    return prod(row_shape(layout, shape))
