"""The library of shape functions for SHAPEFN_APPLY and AUTOSPLIT_SHAPEFN_APPLY."""

from collections.abc import Sequence

from ....dialects.value import Shape
from ..graph.env import Split
from ..graph.graph import INT_MIN, EvaluationError, Node
from ..tree.expr import External
from .constants import int_element
from .external import shape_function
from .queries import dim_of
from .split import window

_HEIGHT, _WIDTH = 1, 2


@shape_function("simple_split_start")
def simple_split_start(split: Split, node: Node) -> Shape:
    """The start of a slice of `node` on the split dim."""
    return _only(node, split.dim, split.start)


@shape_function("simple_split_size")
def simple_split_size(split: Split, node: Node) -> Shape:
    """The dims of that slice."""
    return _resized(node, split.dim, split.size)


@shape_function("simpledim_split_start")
def simpledim_split_start(split: Split, node: Node, dim: int) -> Shape:
    """The start of a slice of `node` on another dim."""
    return _only(node, dim, split.start)


@shape_function("simpledim_split_size")
def simpledim_split_size(split: Split, node: Node, dim: int) -> Shape:
    """The dims of that slice."""
    return _resized(node, dim, split.size)


@shape_function("conv_valid_split_start")
def conv_valid_split_start(split: Split, act: Node, filters: Node, stride: Node) -> Shape:
    """The start of the window of a valid convolution's slice; filters [fh, fw, in, out]."""
    return _only(act, split.dim, split.start * dim_of(stride, split.dim))


@shape_function("conv_valid_split_size")
def conv_valid_split_size(split: Split, act: Node, filters: Node, stride: Node) -> Shape:
    """The dims of that window."""
    taps = dim_of(filters, split.dim - _HEIGHT) if split.dim in (_HEIGHT, _WIDTH) else 1
    return _resized(act, split.dim, window(split.size, dim_of(stride, split.dim), taps))


@shape_function("pool_valid_split_start")
def pool_valid_split_start(split: Split, act: Node, pool: Node, stride: Node) -> Shape:
    """The start of the window of a valid pool's slice; the pool's window is [1, h, w, 1]."""
    return _only(act, split.dim, split.start * dim_of(stride, split.dim))


@shape_function("pool_valid_split_size")
def pool_valid_split_size(split: Split, act: Node, pool: Node, stride: Node) -> Shape:
    """The dims of that window."""
    taps = dim_of(pool, split.dim)
    return _resized(act, split.dim, window(split.size, dim_of(stride, split.dim), taps))


@shape_function("pad_before_for_qnn")
def pad_before_for_qnn(*padded: Node) -> Shape:
    """[[top, bottom], [left, right]] as the padding before each of the four dims.

    The amounts are the last operand; what is padded may stand before them.
    """
    amounts = _amounts(padded)
    return (0, _int(amounts, 0), _int(amounts, 2), 0)


@shape_function("pad_total_for_qnn")
def pad_total_for_qnn(*padded: Node) -> Shape:
    """[[top, bottom], [left, right]] as the padding that each of the four dims gains.

    The operands are those of `pad_before_for_qnn`.
    """
    amounts = _amounts(padded)
    top, bottom, left, right = (_int(amounts, index) for index in range(4))
    return (0, top + bottom, left + right, 0)


@shape_function("reshape_hw_to_4d")
def reshape_hw_to_4d(pair: Node) -> Shape:
    """A constant [h, w] as the shape 1 x h x w x 1 of a stride or a window."""
    return (1, _int(pair, 0), _int(pair, 1), 1)


LIBRARY: dict[str, External] = {
    function.name: function
    for function in (
        simple_split_start,
        simple_split_size,
        simpledim_split_start,
        simpledim_split_size,
        conv_valid_split_start,
        conv_valid_split_size,
        pool_valid_split_start,
        pool_valid_split_size,
        pad_before_for_qnn,
        pad_total_for_qnn,
        reshape_hw_to_4d,
    )
}


def _amounts(padded: Sequence[Node]) -> Node:
    """Return the amounts of padding, alone or behind what is padded."""
    if len(padded) not in (1, 2):
        raise EvaluationError(f"{len(padded)} operands of a padding helper; it takes 1 or 2")
    return padded[-1]


def _only(node: Node, dim: int, value: int) -> Shape:
    dim_of(node, dim)
    return tuple(value if axis == dim else 0 for axis in range(len(node.shape)))


def _resized(node: Node, dim: int, size: int) -> Shape:
    dim_of(node, dim)
    return (*node.shape[:dim], size, *node.shape[dim + 1 :])


def _int(node: Node, index: int) -> int:
    value = int_element(node, index)
    if value == INT_MIN:
        raise EvaluationError(f"element {index} of {node.name} is no constant integer")
    return value
