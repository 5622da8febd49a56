"""Running the IR: tensors in simulated memory, kernels, and the session that runs a module.

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
    from .session.observer import Observer
    from .session.session import Session
    from .session.tap import Tap
    from .tools.loading import load_module, parse_module

_MODULES = {
    "BoundCall": "kernel.kernel",
    "Cost": "kernel.kernel",
    "Flag": "kernel.kernel",
    "KernelSet": "kernel.declare",
    "Observer": "session.observer",
    "Session": "session.session",
    "Tap": "session.tap",
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
    "Observer",
    "Session",
    "Tap",
    "load_module",
    "parse_module",
    "prepare",
    "standard_library",
]


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(f".{_MODULES[name]}", __name__), name)
