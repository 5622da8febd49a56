"""What holds between the operands and results of each native op, for making graphs of them."""

from __future__ import annotations

from xdsl.ir import Operation

from ..sketch import Site, Sketch
from . import elementwise, linear, movement, recurrent, windows
from .common import Schema

SCHEMAS: dict[type[Operation], Schema] = {
    **elementwise.SCHEMAS,
    **windows.SCHEMAS,
    **linear.SCHEMAS,
    **movement.SCHEMAS,
    **recurrent.SCHEMAS,
}
"""By the class that states the family; a leaf is looked up by its base classes."""


def schema_of(op_class: type[Operation]) -> Schema:
    """The schema of the nearest base class that has one; `alike` for an op of another package."""
    return next((SCHEMAS[base] for base in op_class.__mro__ if base in SCHEMAS), alike)


def alike(sketch: Sketch, site: Site) -> None:
    """A guess for ops that nobody described: results and tensors have one shape and dtype.

    Where it is wrong the op's verifier refuses the graph, and no case is found.
    """
    tensors = [slot for slot in (*site.operands, *site.results) if not slot.is_shape]
    for slot in tensors[1:]:
        sketch.same_dims(tensors[0], slot)
        sketch.same_dtype(tensors[0], slot)
