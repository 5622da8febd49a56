"""How a graph gets down to the tensor processor: frontends, rules, passes, planner.

Import-light, because every xDSL tool of the environment reads the list of passes from here.
"""

from __future__ import annotations

from .api import load_module, lower

__all__ = ["load_module", "lower"]
