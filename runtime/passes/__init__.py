"""Runs of passes, and the instruments that follow them."""

from .instrument import FiredRule, Instrument, instrumented, trial
from .run import passes_around, run_pass, run_passes

__all__ = [
    "FiredRule",
    "Instrument",
    "instrumented",
    "passes_around",
    "run_pass",
    "run_passes",
    "trial",
]
