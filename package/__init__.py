"""An open, MLIR-style stack for models that run on Qualcomm's Hexagon Tensor Processor.

This is `htp_mlir` itself; its parts are the folders beside this one.
"""

from typing import TYPE_CHECKING, NoReturn

from .dialects.version import VERSION as __version__

__all__ = ["__version__"]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> NoReturn:
        remedy = "import it from htp_mlir.lowering or htp_mlir.runtime"
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'; {remedy}")
