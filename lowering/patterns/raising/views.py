"""Reshapes and transpositions in rules that raise: built by dims, moved behind other ops."""

from collections.abc import Callable

import numpy as np

from ....dialects.value import Shape
from ...rules import SHAPEFN_APPLY, WITH_SIZE, WITH_TYPE, Expr, Node, Op, shape_function

Dims = Callable[..., Shape]


class View:
    """A graph op that only arranges elements, by the dims of its result and its param."""

    def __init__(self, op: str, dims: Dims, param: Dims) -> None:
        self._op = op
        self._dims = shape_function(dims.__name__)(dims)
        self._param = shape_function(f"{param.__name__}_numbers")(
            lambda *nodes: np.array(param(*nodes), np.int32)
        )

    def of(self, data: Expr | str, *args: Expr | str) -> Expr:
        """Build the op over data; the functions of dims and param see the nodes `args`.

        It has the element type of a bound node that it reads.
        """
        view = self.sized(Op(self._op, data, SHAPEFN_APPLY(self._param, *args)), *args)
        return WITH_TYPE(data, view) if isinstance(data, str) else view

    def sized(self, built: Expr, *args: Expr | str) -> Expr:
        """Give another op the dims of the result."""
        return WITH_SIZE(SHAPEFN_APPLY(self._dims, *args), built)


def numbers(node: Node) -> tuple[int, ...]:
    """Return the numbers of a constant that is a list; empty for another one."""
    return () if node.constant is None else tuple(int(number) for number in node.constant.flat)


def dims_of_four(node: Node) -> Shape:
    """Return the dims with ones in front, four in all."""
    return (1,) * (4 - len(node.shape)) + node.shape


def attended_dims(q: Node, v: Node) -> Shape:
    """Return the dims of an attention's result: of each query a value."""
    return (*q.shape[:-1], v.shape[-1])


def attended_dims_of_four(q: Node, v: Node) -> Shape:
    """Return the same with ones in front, four in all."""
    return (1,) * (4 - len(q.shape)) + attended_dims(q, v)


def turned_numbers(dims: Node) -> Shape:
    """Return the numbers of a constant, which are dims, with the last two exchanged."""
    *front, rows, columns = numbers(dims)
    return (*front, columns, rows)


def turned_dims(node: Node) -> Shape:
    """Return the dims with the last two exchanged."""
    *front, rows, columns = node.shape
    return (*front, columns, rows)


def turned_dims_of_four(node: Node) -> Shape:
    """Return the same with ones in front, four in all."""
    return (1,) * (4 - len(node.shape)) + turned_dims(node)


def turn_of(node: Node) -> Shape:
    """Return the order of dims that exchanges the last two."""
    rank = len(node.shape)
    return (*range(rank - 2), rank - 1, rank - 2)


def joined_order(data: Node, outer: Node, inner: Node) -> Shape:
    """Return the order of dims of one transposition of the data behind another."""
    first = numbers(inner)
    return tuple(first[dim] for dim in numbers(outer))


def joined_dims(data: Node, outer: Node, inner: Node) -> Shape:
    """Return the dims of what both transpositions make of the data."""
    return tuple(data.shape[dim] for dim in joined_order(data, outer, inner))


def retaken_dims(turned: Node, order: Node) -> Shape:
    """Return the dims of a transposition's result with the last two exchanged."""
    return turned_dims(turned)


def retaken_order(turned: Node, order: Node) -> Shape:
    """Return the order of dims of a transposition with the last two exchanged."""
    return turned_numbers(order)


def dims_behind_first(node: Node) -> Shape:
    """Return all dims but the first."""
    return node.shape[1:]


def broadcast_dims(*nodes: Node) -> Shape:
    """Return the dims that nodes broadcast to."""
    return np.broadcast_shapes(*(node.shape for node in nodes))


TO_FOUR = View("Reshape", dims_of_four, dims_of_four)
"""A tensor of rank 2 to 4 as one of rank 4."""
TURNED_TO_FOUR = View("Reshape", turned_dims_of_four, turned_dims_of_four)
"""The same of a tensor whose last two dims were exchanged."""
ATTENDED = View("Reshape", attended_dims, attended_dims)
"""The result of an attention in the rank of its queries."""
ATTENDED_OF_FOUR = View("Reshape", attended_dims_of_four, attended_dims_of_four)
"""The result of an attention in rank 4."""
TURNED_RESHAPE = View("Reshape", turned_numbers, turned_numbers)
"""A tensor with the dims of a Reshape, the last two exchanged."""
TURN = View("Transpose", turned_dims, turn_of)
"""A tensor with its last two dims exchanged."""
JOINED = View("Transpose", joined_dims, joined_order)
"""Two transpositions as one."""
RETAKEN = View("Transpose", retaken_dims, retaken_order)
"""A transposition with the last two dims of its result exchanged."""
BEHIND_FIRST = View("Reshape", dims_behind_first, dims_behind_first)
"""A tensor without its first dim, which is 1."""
BROADCAST = View("Reshape", broadcast_dims, broadcast_dims)
"""The result of an element-wise op."""
