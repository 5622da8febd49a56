"""Lints: mistakes in rules that show without a model.

Example: `assert not lint(packages.rules)`
"""

from __future__ import annotations

from .check import Linted, lint, lint_each
from .finding import Finding, FindingKind

__all__ = ["Finding", "FindingKind", "Linted", "lint", "lint_each"]
