"""One page about a whole lowering: its passes, rules, kernels, memory and ops."""

from .recorder import Limits, Recorder
from .target import run_page

__all__ = ["Limits", "Recorder", "run_page"]
