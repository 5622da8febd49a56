"""The runtime: tensors in simulated memory, kernels, and the session that runs a module.

These are the public names; each is imported when it is first used, so that the command-line tools
start fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .functions.support.arrays import Array as Array
    from .kernel.declare import KernelSet as KernelSet
    from .kernel.kernel import BoundCall as BoundCall
    from .kernel.kernel import Cost as Cost
    from .kernel.kernel import Flag as Flag
    from .kernel.kernel import Operand as Operand
    from .kernel.kernel import Sizes as Sizes
    from .kernels import standard_library as standard_library
    from .program.preparation import prepare as prepare
    from .session.observer import Observer as Observer
    from .session.observer import StepView as StepView
    from .session.session import Session as Session
    from .session.session import Tap as Tap
    from .tensors.tensor_classes import Bool8CroutonTensor as Bool8CroutonTensor
    from .tensors.tensor_classes import Bool8CroutonTensor_TCM as Bool8CroutonTensor_TCM
    from .tensors.tensor_classes import Bool8Tensor as Bool8Tensor
    from .tensors.tensor_classes import Bool8Tensor_TCM as Bool8Tensor_TCM
    from .tensors.tensor_classes import F16CroutonTensor as F16CroutonTensor
    from .tensors.tensor_classes import F16CroutonTensor_TCM as F16CroutonTensor_TCM
    from .tensors.tensor_classes import FloatCroutonTensor as FloatCroutonTensor
    from .tensors.tensor_classes import FloatCroutonTensor_TCM as FloatCroutonTensor_TCM
    from .tensors.tensor_classes import Int32CroutonTensor as Int32CroutonTensor
    from .tensors.tensor_classes import Int32CroutonTensor_TCM as Int32CroutonTensor_TCM
    from .tensors.tensor_classes import Int32Tensor as Int32Tensor
    from .tensors.tensor_classes import Int32Tensor_TCM as Int32Tensor_TCM
    from .tensors.tensor_classes import Int64Tensor as Int64Tensor
    from .tensors.tensor_classes import Int64Tensor_TCM as Int64Tensor_TCM
    from .tensors.tensor_classes import PlainFloat16Tensor as PlainFloat16Tensor
    from .tensors.tensor_classes import PlainFloat16Tensor_TCM as PlainFloat16Tensor_TCM
    from .tensors.tensor_classes import PlainFloatTensor as PlainFloatTensor
    from .tensors.tensor_classes import PlainFloatTensor_TCM as PlainFloatTensor_TCM
    from .tensors.tensor_classes import QInt8CroutonTensor as QInt8CroutonTensor
    from .tensors.tensor_classes import QInt8CroutonTensor_TCM as QInt8CroutonTensor_TCM
    from .tensors.tensor_classes import QInt16CroutonTensor as QInt16CroutonTensor
    from .tensors.tensor_classes import QInt16CroutonTensor_TCM as QInt16CroutonTensor_TCM
    from .tensors.tensor_classes import QInt32CroutonTensor as QInt32CroutonTensor
    from .tensors.tensor_classes import QInt32CroutonTensor_TCM as QInt32CroutonTensor_TCM
    from .tensors.tensor_classes import QuantInt8Tensor as QuantInt8Tensor
    from .tensors.tensor_classes import QuantInt8Tensor_TCM as QuantInt8Tensor_TCM
    from .tensors.tensor_classes import QuantInt16Tensor as QuantInt16Tensor
    from .tensors.tensor_classes import QuantInt16Tensor_TCM as QuantInt16Tensor_TCM
    from .tensors.tensor_classes import QuantInt32Tensor as QuantInt32Tensor
    from .tensors.tensor_classes import QuantInt32Tensor_TCM as QuantInt32Tensor_TCM
    from .tensors.tensor_classes import QuantUint8Tensor as QuantUint8Tensor
    from .tensors.tensor_classes import QuantUint8Tensor_TCM as QuantUint8Tensor_TCM
    from .tensors.tensor_classes import QuantUint16Tensor as QuantUint16Tensor
    from .tensors.tensor_classes import QuantUint16Tensor_TCM as QuantUint16Tensor_TCM
    from .tensors.tensor_classes import QUint8CroutonTensor as QUint8CroutonTensor
    from .tensors.tensor_classes import QUint8CroutonTensor_TCM as QUint8CroutonTensor_TCM
    from .tensors.tensor_classes import QUint16CroutonTensor as QUint16CroutonTensor
    from .tensors.tensor_classes import QUint16CroutonTensor_TCM as QUint16CroutonTensor_TCM
    from .tensors.tensor_classes import new_tensor as new_tensor
    from .tensors.tensors import ShapeParam as ShapeParam
    from .tensors.tensors import Tensor as Tensor
    from .tools.loading import load_module as load_module
    from .tools.loading import parse_module as parse_module
    from .tools.loading import save_module as save_module

_MODULES = (
    "tensors.tensors",
    "tensors.tensor_classes",
    "functions.support.arrays",
    "kernel.kernel",
    "kernel.declare",
    "tools.loading",
    "program.preparation",
    "session.session",
    "session.observer",
    "kernels",
)
"""The modules that public names are looked up in, in this order."""


def __getattr__(name: str) -> object:
    for module in () if name.startswith("_") else _MODULES:
        if name in vars(members := import_module(f".{module}", __name__)):
            return getattr(members, name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
