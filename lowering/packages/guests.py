"""The ops of the dialects that plugins bring."""

from __future__ import annotations

from xdsl.irdl import IRDLOperation

from ...runtime.installed.universe import guests as guests
from ...runtime.installed.universe import universe


def guest_ops(dialect: str) -> dict[str, type[IRDLOperation]]:
    """Return the ops of a dialect of another distribution by name; none of another dialect."""
    if dialect not in guests():
        return {}
    operations = universe().all_dialects[dialect]().operations
    return {op.name: op for op in operations if issubclass(op, IRDLOperation)}
