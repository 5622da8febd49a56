"""Passes of your own, as functions, and what else a plugin is written with.

A plugin is a distribution with entry points. `xdsl.universe` names a `Universe` with passes and
dialects, which every xDSL tool then has. `htp_mlir.packages` names an op package, `htp_mlir.rules`
a table of rules, `htp_mlir.kernels` a `KernelSet`, `htp_mlir.socs` a `Soc` or several, and
`htp_mlir.frontends` a function that reads a format. `htp show plugin` lists what is there.
"""

from ...dialects.diagnostics import HtpError
from ...dialects.faults.op_faults import fail_at
from ..soc import Soc
from .function import PassFunction, module_pass, plugin_universe, replace_op, rewrite_pass

__all__ = [
    "HtpError",
    "PassFunction",
    "Soc",
    "fail_at",
    "module_pass",
    "plugin_universe",
    "replace_op",
    "rewrite_pass",
]
