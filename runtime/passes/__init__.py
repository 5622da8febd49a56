"""Runs of passes, and the instruments that follow them."""

from .run import FiredRule, Instrument, instrumented, passes_around, run_pass, run_passes, trial

__all__ = [
    "FiredRule",
    "Instrument",
    "instrumented",
    "passes_around",
    "run_pass",
    "run_passes",
    "trial",
]
