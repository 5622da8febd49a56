"""Op packages: ops, kernels, tensor properties, param orders and rules under one name."""

from __future__ import annotations

from ..conversion.registry import ConversionSet
from ..frontend.onnx.support.registry import ImporterSet
from .from_cpp import Bodies, from_cpp
from .loading import load_package, load_packages
from .package import OpPackage, op_package
from .packages import Packages

__all__ = [
    "Bodies",
    "ConversionSet",
    "ImporterSet",
    "OpPackage",
    "Packages",
    "from_cpp",
    "load_package",
    "load_packages",
    "op_package",
]
