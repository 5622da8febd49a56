"""What holds between the operands and results of each op, for making graphs of them."""

from __future__ import annotations

from functools import lru_cache

from xdsl.ir import Operation

from . import elementwise, linear, movement, recurrent, windows
from .common import Schema
from .guess import guessed

SCHEMAS: dict[type[Operation], Schema] = {
    **elementwise.SCHEMAS,
    **windows.SCHEMAS,
    **linear.SCHEMAS,
    **movement.SCHEMAS,
    **recurrent.SCHEMAS,
}
"""By the class that states the family; a leaf is looked up by its base classes."""


@lru_cache(maxsize=1024)
def schema_of(op_class: type[Operation]) -> Schema:
    """The schema of the nearest base class that has one; guesses for an op of another package."""
    stated = next((SCHEMAS[base] for base in op_class.__mro__ if base in SCHEMAS), None)
    return stated or guessed(op_class, SCHEMAS)
