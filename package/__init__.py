"""An open, MLIR-style stack for models that run on Qualcomm's Hexagon Tensor Processor.

This is `htp_mlir` itself; its parts are the folders beside this one.
"""

from .dialects.version import VERSION as __version__

__all__ = ["__version__"]
