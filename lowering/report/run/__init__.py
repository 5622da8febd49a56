"""One page about a whole lowering: its passes, rules, kernels, memory and ops."""

from .page import run_page
from .recorder import Limits, Recorder

__all__ = ["Limits", "Recorder", "run_page"]
