"""Quantised forms of models whose numbers do not matter: every activation on the same grid."""

from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.lowering.quantization.encodings import Encodings, grid
from htp_mlir.lowering.quantization.fitting import tensor_names
from htp_mlir.lowering.quantization.params import param_encodings
from htp_mlir.lowering.quantization.quantize import quantize
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

RANGE = (-4.0, 4.0)
"""Real numbers that every activation may have."""


def on_grids(module: ModuleOp, dtype: DType = DType.QUInt8) -> ModuleOp:
    """Quantise a graph to one grid for all activations; weights to i8, as their numbers ask."""
    names = tensor_names(module)
    activations = {
        name: grid(*RANGE, dtype)
        for value, name in names.items()
        if not (isinstance(value.owner, Operation) and value.owner.name.endswith(".Const"))
    }
    return quantize(module, Encodings(activations, param_encodings(module, names, dtype)))
