"""The runtime: tensors in simulated memory, kernels, and the session that runs a module.

These are the public names; each is imported when it is first used, so that the command-line tools
start fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .functions.arrays import Array
    from .kernel.declare import KernelSet
    from .kernel.kernel import BoundCall, Cost, Flag, Operand
    from .kernel.scratch import Sizes
    from .kernels import standard_library
    from .program.preparation import prepare
    from .session.observer import Observer
    from .session.session import Session
    from .session.tap import Tap
    from .tensors.tensor_classes import (
        F16CroutonTensor,
        F16CroutonTensor_TCM,
        FloatCroutonTensor,
        FloatCroutonTensor_TCM,
        Int32CroutonTensor,
        Int32CroutonTensor_TCM,
        Int32Tensor,
        Int32Tensor_TCM,
        Int64Tensor,
        Int64Tensor_TCM,
        PlainFloat16Tensor,
        PlainFloat16Tensor_TCM,
        PlainFloatTensor,
        PlainFloatTensor_TCM,
        QInt8CroutonTensor,
        QInt8CroutonTensor_TCM,
        QInt16CroutonTensor,
        QInt16CroutonTensor_TCM,
        QInt32CroutonTensor,
        QInt32CroutonTensor_TCM,
        QuantInt8Tensor,
        QuantInt8Tensor_TCM,
        QuantInt16Tensor,
        QuantInt16Tensor_TCM,
        QuantInt32Tensor,
        QuantInt32Tensor_TCM,
        QuantUint8Tensor,
        QuantUint8Tensor_TCM,
        QuantUint16Tensor,
        QuantUint16Tensor_TCM,
        QUint8CroutonTensor,
        QUint8CroutonTensor_TCM,
        QUint16CroutonTensor,
        QUint16CroutonTensor_TCM,
        new_tensor,
    )
    from .tensors.tensors import ShapeParam, Tensor
    from .tools.loading import load_module, parse_module
    from .tools.resources import save_module

__all__ = [
    "Array",
    "BoundCall",
    "Cost",
    "F16CroutonTensor",
    "F16CroutonTensor_TCM",
    "Flag",
    "FloatCroutonTensor",
    "FloatCroutonTensor_TCM",
    "Int32CroutonTensor",
    "Int32CroutonTensor_TCM",
    "Int32Tensor",
    "Int32Tensor_TCM",
    "Int64Tensor",
    "Int64Tensor_TCM",
    "KernelSet",
    "Observer",
    "Operand",
    "PlainFloat16Tensor",
    "PlainFloat16Tensor_TCM",
    "PlainFloatTensor",
    "PlainFloatTensor_TCM",
    "QInt8CroutonTensor",
    "QInt8CroutonTensor_TCM",
    "QInt16CroutonTensor",
    "QInt16CroutonTensor_TCM",
    "QInt32CroutonTensor",
    "QInt32CroutonTensor_TCM",
    "QUint8CroutonTensor",
    "QUint8CroutonTensor_TCM",
    "QUint16CroutonTensor",
    "QUint16CroutonTensor_TCM",
    "QuantInt8Tensor",
    "QuantInt8Tensor_TCM",
    "QuantInt16Tensor",
    "QuantInt16Tensor_TCM",
    "QuantInt32Tensor",
    "QuantInt32Tensor_TCM",
    "QuantUint8Tensor",
    "QuantUint8Tensor_TCM",
    "QuantUint16Tensor",
    "QuantUint16Tensor_TCM",
    "Session",
    "ShapeParam",
    "Sizes",
    "Tap",
    "Tensor",
    "load_module",
    "new_tensor",
    "parse_module",
    "prepare",
    "save_module",
    "standard_library",
]

_MODULES = (
    "tensors.tensors",
    "tensors.tensor_classes",
    "functions.arrays",
    "kernel.scratch",
    "kernel.kernel",
    "kernel.declare",
    "tools.loading",
    "tools.resources",
    "program.preparation",
    "session.session",
    "session.observer",
    "session.tap",
    "kernels",
)
"""The modules that public names are looked up in, in this order."""


def __getattr__(name: str) -> object:
    if name in __all__:
        for module in _MODULES:
            if name in vars(members := import_module(f".{module}", __name__)):
                return getattr(members, name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
