"""Checking that rules keep the numbers: graphs made for a rule, run before and after it.

Example: `assert check_rule(rule(EARLY, Op("Neg", Op("Neg", "X")), OK, "X")).passed`
"""

from __future__ import annotations

from .check import check_rule
from .report import Counterexample, Report

__all__ = ["Counterexample", "Report", "check_rule"]
