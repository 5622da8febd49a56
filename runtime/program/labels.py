"""How messages name an op of a module."""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation

from .boundary import NAME


def op_label(op: Operation, index: int) -> str:
    """An op by its own name, its node's where the model gave one, and its place in the function."""
    name = op.attributes.get(NAME)
    node = f" '{name.data}'" if isinstance(name, StringAttr) else ""
    return f"{op.name}{node} (op {index})"
