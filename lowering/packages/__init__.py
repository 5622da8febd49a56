"""Op packages: ops, kernels, tensor properties, param orders and rules under one name."""

from __future__ import annotations

from .loading import load_package, load_packages
from .package import OpPackage, op_package
from .packages import Packages

__all__ = ["OpPackage", "Packages", "load_package", "load_packages", "op_package"]
