"""Products of rows and matrices that a Gather takes from a constant stack, in one spelling.

The data [t, d], or [t, k, d] with a row for each of k matrices, is multiplied as [t, 1, 1, d] or
[t, k, 1, d] by [t, k, d, f]. What was turned behind the Gather, once for each row of the data, is
turned in the stack.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....dialects.dense import Array
from ....dialects.value.spec import Shape
from ...rules import (
    AND,
    EXTERNAL_CONSTRAINT,
    LET,
    OPCONST,
    PRE_TRANSLATE,
    SHAPEFN_APPLY,
    WITH_SIZE,
    Op,
    Rule,
    external_constraint,
    gen_ConstFrom,
    gen_ConstScalar_i32,
    rule,
    rules,
    shape_function,
)
from ...rules.graph.graph import Node
from ...rules.graph.names import GRAPH
from ...rules.tree.expr import Expr
from .parts import alone
from .views import View, numbers, turned_dims

_STACK, _MATRICES = 3, 4
"""The ranks of a stack and of the matrices that a table of numbers takes from it."""
_NONE = gen_ConstScalar_i32(0)


@dataclass(frozen=True)
class Wiring:
    """A way to write the product: the dims between the Gather and the result.

    `shared`: all matrices of a row are multiplied by the same data. `turned`: the stack holds
    [f, d]. `order`: the transposition behind the Gather. `columns`: the data is on the right.
    """

    shared: bool
    turned: bool
    order: Shape = ()
    columns: bool = False

    def fits(self, out: Node, data: Node, product: Node, gathered: Node, *order: Node) -> bool:
        """Rows of data are multiplied by gathered matrices, side by side or each on its own."""
        if (len(gathered.shape), len(gathered.inputs[0].shape)) != (_MATRICES, _STACK):
            return False
        count, k, *matrix = gathered.shape
        depth, width = reversed(matrix) if self.turned else matrix
        batch, side = (count, k * width) if self.shared else (count * k, width)
        sides = [(batch, 1, depth), (batch, depth, side)]
        if self.columns:
            sides = [(batch, side, depth), (batch, depth, 1)]
        read = [gathered.inputs[2], *product.inputs[2:], *order]
        return (
            data.shape == ((count, depth) if self.shared else (count, k, depth))
            and out.shape == (count, k, width)
            and [each.shape for each in product.inputs[:2]] == sides
            and [numbers(each) for each in read] == [(0,)] * 3 + [self.order] * len(order)
        )

    def rule(self) -> Rule:
        """The rule that puts the one spelling in the place of this one."""
        gathered = LET("Gathered", Op("Gather", OPCONST("Stack"), "Numbers", "_at"))
        order = ("Order",) if self.order else ()
        turned = Op("Transpose", gathered, *order) if order else gathered
        factors = [LET("Rows", Op("Reshape", "X", "_rows")), Op("Reshape", turned, "_side")]
        product = Op("MatMul", *(factors[::-1] if self.columns else factors), "_0", "_1")
        fits = external_constraint("multiplies_matrices")(self.fits)
        nodes = ("*", "X", "Product", "Gathered", *order)
        return rule(
            PRE_TRANSLATE + 3,
            Op("Reshape", LET("Product", product), "Dims"),
            AND(EXTERNAL_CONSTRAINT(fits, *nodes), alone("Rows", "Stack", "Numbers")),
            Op("Reshape", self.product(), "Dims"),
            name="product with gathered matrices",
        )

    def product(self) -> Expr:
        """Build the product of rows that are matrices and of matrices as they were gathered."""
        stack = gen_ConstFrom(turned_stack, "Stack") if self.turned else "Stack"
        dims = SHAPEFN_APPLY(_TURNED, "Gathered") if self.turned else "Gathered"
        matrices = WITH_SIZE(dims, Op("Gather", stack, "Numbers", "_at"))
        product = Op("MatMul", ROWS.of("X", "X"), matrices, _NONE, _NONE)
        return WITH_SIZE(SHAPEFN_APPLY(results_of_rows, "*"), product)


def dims_of_rows(data: Node) -> Shape:
    """Return the dims of data of which each row is a matrix: one for all, or for each."""
    count, *k, depth = data.shape
    return (count, *(k or [1]), 1, depth)


@shape_function("turned_stack")
def turned_stack(stack: Node) -> Array:
    """Return a constant stack of matrices with the dims of each exchanged."""
    if stack.constant is None:
        raise TypeError(f"{stack.name} is no constant")
    return np.ascontiguousarray(stack.constant.swapaxes(1, 2))


@shape_function("results_of_rows")
def results_of_rows(out: Node) -> Shape:
    """Return the dims of results [t, k, f] of which each row is a matrix."""
    return (*out.shape[:-1], 1, out.shape[-1])


ROWS = View("Reshape", dims_of_rows, dims_of_rows)
"""Data [t, d] or [t, k, d] as rows that are matrices."""
_TURNED = shape_function("turned_dims")(turned_dims)

STACKS = rules(
    *(
        wiring.rule()
        for wiring in (
            Wiring(shared=True, turned=False, order=(0, 2, 1, 3)),
            Wiring(shared=True, turned=True, order=(0, 3, 1, 2)),
            Wiring(shared=True, turned=True, columns=True),
            Wiring(shared=False, turned=False),
            Wiring(shared=False, turned=True, order=(0, 1, 3, 2)),
            Wiring(shared=False, turned=True, columns=True),
        )
    ),
    package=GRAPH,
)
"""The products that PyTorch's exporters and the import of Einsum write."""
