"""The version of the project."""

VERSION = "0.1.0"
"""The version, as `htp_mlir.__version__`, the package's metadata and each tool have it."""
