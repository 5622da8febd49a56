"""Op packages: ops, kernels, tensor properties, param orders and rules under one name."""

from ...dialects.qti_aisw.base import GraphOp
from ..conversion.builder import Builder, ConversionSet, rank4
from ..importers.aten.registry import TorchConversions
from ..importers.graph.value import Value, concat, where
from ..importers.support.registry import ImporterSet, NodeContext, require
from .def_package import load_cpp
from .def_package.declared import result
from .from_cpp import Bodies, from_cpp
from .loading import load_package, load_packages
from .ops.declared_op import optional
from .package import OpPackage, op_package
from .packages import Packages

__all__ = [
    "Bodies",
    "Builder",
    "ConversionSet",
    "GraphOp",
    "ImporterSet",
    "NodeContext",
    "OpPackage",
    "Packages",
    "TorchConversions",
    "Value",
    "concat",
    "from_cpp",
    "load_cpp",
    "load_package",
    "load_packages",
    "op_package",
    "optional",
    "rank4",
    "require",
    "result",
    "where",
]
