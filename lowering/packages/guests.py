"""The dialects that plugins bring, and their ops."""

from __future__ import annotations

from xdsl.irdl import IRDLOperation

from ...runtime.plugins import plugins
from ...runtime.universe import GROUP, universe


def guest_ops(dialect: str) -> dict[str, type[IRDLOperation]]:
    """Return the ops of a dialect of another distribution by name; none of another dialect."""
    if dialect not in guests():
        return {}
    operations = universe().all_dialects[dialect]().operations
    return {op.name: op for op in operations if issubclass(op, IRDLOperation)}


def guests() -> list[str]:
    """Return the names of the dialects that distributions but ours and xDSL bring."""
    own = {plugin.origin for plugin in plugins(GROUP) if plugin.is_own}
    origins = universe().origins.items()
    return sorted(name for (kind, name), of in origins if kind == "dialect" and of not in own)
