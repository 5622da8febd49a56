"""The way of a graph down to the tensor processor: frontends, rules, passes, planner.

Import-light, because every xDSL tool of the environment reads the list of passes from here.
"""

from ..dialects.diagnostics import HtpError
from .api import load_module, lower, save_onnx
from .frontend.onnx import import_model

__all__ = ["HtpError", "import_model", "load_module", "lower", "save_onnx"]
