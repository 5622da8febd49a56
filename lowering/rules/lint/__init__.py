"""Lints: mistakes in rules that show without a model.

Example: `assert not lint(packages.rules)`
"""

from __future__ import annotations

from .check import lint
from .finding import Finding, Kind

__all__ = ["Finding", "Kind", "lint"]
