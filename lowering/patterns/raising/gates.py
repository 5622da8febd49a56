"""Gates of a recurrent cell: equal parts of one projection, in any order, and weights reordered."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from ....dialects.dense import Array
from ...rules import OPCONST, Op, OpAnyOutput, OpVarIn, external_constraint, shape_function
from ...rules.graph.graph import Node
from ...rules.graph.names import GRAPH
from ...rules.tree.expr import Expr, OpForm
from .views import numbers

_SPLIT, _MATRIX = f"{GRAPH}.Split", f"{GRAPH}.MatMul"
_DIMS = "batch", "number"
"""The dims of a state."""


def split(source: Expr | str, name: str) -> OpForm:
    """Match an output of a Split."""
    return OpAnyOutput("Split", source, "_axis", "_at")


def sliced(source: Expr | str, name: str) -> OpForm:
    """Match a slice, whose range has a tag of its own."""
    return Op("StridedSlice", source, f"_{name}")


Take = Callable[[Expr | str, str], OpForm]
TAKES: tuple[Take, ...] = (split, sliced)
"""The ways to take a part of a tensor."""


@external_constraint("are_gates")
def are_gates(*parts: Node) -> bool:
    """The nodes are all parts of the last of two dims of one tensor, each as wide as the others."""
    spans = [span(part) for part in parts]
    (_, width), *rest = (part.inputs[0].shape for part in parts)
    ends = sorted(each for each in spans if each is not None)
    return (
        len(ends) == len(parts)
        and all(shape[-1] == width for shape in rest)
        and {end - begin for begin, end in ends} == {width // len(parts)}
        and (ends[0][0], ends[-1][1]) == (0, width)
        and all(before[1] == after[0] for before, after in pairwise(ends))
    )


@external_constraint("are_states")
def are_states(*nodes: Node) -> bool:
    """The nodes have equal dims: batches, and numbers of each."""
    return len(nodes[0].shape) == len(_DIMS) and len({node.shape for node in nodes}) == 1


def fully_connected(data: str) -> OpForm:
    """Match a product with constant weights [n, m], and a bias or none."""
    return OpVarIn("FullyConnected", data, OPCONST(f"W{data}"))


def matrix(data: str) -> OpForm:
    """Match a product with a constant matrix."""
    return Op("MatMul", data, OPCONST(f"W{data}"), f"_0{data}", f"_1{data}")


Product = Callable[[str], OpForm]
PRODUCTS: tuple[Product, ...] = (fully_connected, matrix)
"""The ways to project rows."""


@external_constraint("project_rows")
def project_rows(*products: Node) -> bool:
    """The products are of rows and a constant matrix, with a constant bias or none."""
    return all(len(product.inputs[1].shape) == len(_DIMS) for product in products) and all(
        numbers(product.inputs[2]) == (0,)
        if product.name == _MATRIX
        else all(bias.constant is not None for bias in product.inputs[2:])
        for product in products
    )


def span(part: Node) -> tuple[int, int] | None:
    """Return the begin and the end of a part along the last of two dims; None for another part."""
    source = part.inputs[0].shape
    if part.name == _SPLIT:
        axis, at = part.inputs[1:]
        bounds = (0, *numbers(at), source[-1])
        last = numbers(axis)[0] % len(source) == len(source) - 1
        return (bounds[part.index], bounds[part.index + 1]) if last else None
    ranges = numbers(part.inputs[1])
    *rest, begin, end, step = ranges
    whole = [number for extent in source[:-1] for number in (0, extent, 1)]
    return (begin, end) if rest == whole and step == 1 else None


def _rows(array: Array, parts: tuple[Node, ...]) -> Array:
    """Return the rows that make each part, in the order of the parts."""
    spans = filter(None, map(span, parts))
    return np.concatenate([array[begin:end] for begin, end in spans])


@shape_function("gate_weights")
def gate_weights(weights: Node, product: Node, *parts: Node) -> Array:
    """Return the weights [1, n, m] of a product with the rows in the order of the gates."""
    array = _array(weights)
    turned = product.name == _MATRIX and numbers(product.inputs[3]) == (0,)
    return _rows(array.T if turned else array, parts)[np.newaxis]


@shape_function("gate_biases")
def gate_biases(weights: Node, *nodes: Node) -> Array:
    """Return the biases of two products, first those of all gates of the input.

    `nodes` are the products, then the parts of both; or those of the sum, once.
    """
    products, parts = nodes[:2], nodes[2:]
    half = len(parts) // 2
    both = (parts[:half], parts[half:]) if parts[0].inputs[0] in products else (parts, parts)
    columns = [_rows(_bias(product), each) for product, each in zip(products, both, strict=True)]
    return np.concatenate(columns)[np.newaxis]


def _bias(product: Node) -> Array:
    """Return the bias of a product; zeros where it has none."""
    bias = () if product.name == _MATRIX else product.inputs[2:]
    return next(map(_array, bias), np.zeros(product.shape[-1:], np.float32))


def _array(node: Node) -> Array:
    """Return the data of a constant; TypeError for another node."""
    if node.constant is None:
        raise TypeError(f"{node.name} is no constant")
    return node.constant
