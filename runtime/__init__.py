"""What the IR means: tensors in simulated memory, kernels, and the session that runs a module.

The public names are imported when they are first used, so that the command-line tools start fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .kernel.declare import KernelSet
    from .kernel.kernel import BoundCall, Cost, Flag
    from .library import standard_library
    from .program.preparation import prepare
    from .session.session import Session
    from .tools.loading import load_module, parse_module

_HOMES = {
    "BoundCall": "kernel.kernel",
    "Cost": "kernel.kernel",
    "Flag": "kernel.kernel",
    "KernelSet": "kernel.declare",
    "Session": "session.session",
    "load_module": "tools.loading",
    "parse_module": "tools.loading",
    "prepare": "program.preparation",
    "standard_library": "library",
}

__all__ = [
    "BoundCall",
    "Cost",
    "Flag",
    "KernelSet",
    "Session",
    "load_module",
    "parse_module",
    "prepare",
    "standard_library",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
