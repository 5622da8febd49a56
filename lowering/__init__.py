"""How a graph gets down to the tensor processor: frontends, rules, passes, planner."""

from __future__ import annotations

from ..runtime.loading import load_module
from .api import lower

__all__ = ["load_module", "lower"]
