"""Sweeps: many lowerings or checks of rules, on local processes or a Dask cluster."""

from .cases import Case, Lowering, Outcome, Row, RuleCheck, Status, lowerings, rule_checks
from .sweep import sweep

__all__ = [
    "Case",
    "Lowering",
    "Outcome",
    "Row",
    "RuleCheck",
    "Status",
    "lowerings",
    "rule_checks",
    "sweep",
]
