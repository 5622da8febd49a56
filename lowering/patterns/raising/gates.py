"""Gates of a recurrent cell: equal parts of one projection, in any order, and weights reordered."""

from itertools import pairwise

import numpy as np

from ....dialects.dense import Array
from ...rules import ONE_OF, OPCONST, Op, OpAnyOutput, OpVarIn, external_constraint, shape_function
from ...rules.graph.graph import Node
from ...rules.graph.names import GRAPH
from ...rules.tree.expr import Expr, OneOf
from .views import numbers

_SPLIT, _MATRIX = f"{GRAPH}.Split", f"{GRAPH}.MatMul"
_PARTS = _SPLIT, f"{GRAPH}.StridedSlice"
_DIMS = "batch", "number"
"""The dims of a state."""


def part_of(source: Expr | str, name: str) -> OneOf:
    """Match an output of a Split, or a slice whose range has a tag of its own."""
    return ONE_OF(
        OpAnyOutput("Split", source, f"_axis{name}", f"_at{name}"),
        Op("StridedSlice", source, f"_{name}"),
    )


@external_constraint("are_gates")
def are_gates(*parts: Node) -> bool:
    """The nodes are all parts of the last of two dims of one tensor, each as wide as the others."""
    if any(part.name not in _PARTS for part in parts):
        return False
    (source, *others), spans = [part.inputs[0] for part in parts], map(span, parts)
    width = source.shape[-1]
    ends = sorted(each for each in spans if each is not None)
    return (
        len(ends) == len(parts)
        and all(other == source for other in others)
        and {end - begin for begin, end in ends} == {width // len(parts)}
        and (ends[0][0], ends[-1][1]) == (0, width)
        and all(before[1] == after[0] for before, after in pairwise(ends))
    )


@external_constraint("are_states")
def are_states(*nodes: Node) -> bool:
    """The nodes have equal dims: batches, and numbers of each."""
    return len(nodes[0].shape) == len(_DIMS) and len({node.shape for node in nodes}) == 1


def product_of(name: str, data: Expr | str = "") -> OneOf:
    """Match a product with constant weights [n, m], perhaps with a bias, or with a matrix."""
    source, weights = data or name, OPCONST(f"W{name}")
    return ONE_OF(
        OpVarIn("FullyConnected", source, weights),
        Op("MatMul", source, weights, f"_0{name}", f"_1{name}"),
    )


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
    return _rows(_by_rows(weights, product), parts)[np.newaxis]


def _by_rows(weights: Node, product: Node) -> Array:
    """Return the weights of a product as [n, m]."""
    turned = product.name == _MATRIX and numbers(product.inputs[3]) == (0,)
    return _array(weights).T if turned else _array(weights)


@shape_function("reset_weights")
def reset_weights(weights: Node, last: Node, product: Node, reset: Node, *parts: Node) -> Array:
    """Return the weights of a product's gates, and behind them those of the reset state's."""
    rows = _rows(_by_rows(weights, product), parts)
    return np.concatenate([rows, _by_rows(last, reset)])[np.newaxis]


@shape_function("reset_biases")
def reset_biases(weights: Node, new: Node, old: Node, reset: Node, *parts: Node) -> Array:
    """Return the biases of the input's product, of the state's, and of the reset state's.

    `parts` are three of the first and two of the second.
    """
    columns = _rows(_bias(new), parts[:3]), _rows(_bias(old), parts[3:]), _bias(reset)
    return np.concatenate(columns)[np.newaxis]


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


@external_constraint("are_equal_rows")
def are_equal_rows(*constants: Node) -> bool:
    """The rows of each constant are equal, as those of a product that is its bias alone."""
    arrays = [node.constant for node in constants if node.constant is not None]
    return len(arrays) == len(constants) and all(
        array.ndim == len(_DIMS) and bool((array == array[:1]).all()) for array in arrays
    )


@shape_function("no_weights")
def no_weights(state: Node, product: Node) -> Array:
    """Return weights [1, n, m] of zeros, for a product of the state as wide as another."""
    return np.zeros((1, product.shape[-1], state.shape[-1]), np.float32)


@shape_function("first_lstm_biases")
def first_lstm_biases(weights: Node, product: Node, constant: Node, *parts: Node) -> Array:
    """Return the biases of a product and the first row of a constant, in the gates' order."""
    columns = _rows(_bias(product), parts), _rows(_array(constant)[0], parts)
    return np.concatenate(columns)[np.newaxis]


@shape_function("first_gru_biases")
def first_gru_biases(weights: Node, product: Node, *nodes: Node) -> Array:
    """Return the biases of a product's three parts, then the first rows of three constants."""
    parts, constants = nodes[:3], nodes[3:]
    columns = _rows(_bias(product), parts), *(_array(node)[0] for node in constants)
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
