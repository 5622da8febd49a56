"""The package `htp`: the project's own ops, kernels and tables, as a package like any other."""

from __future__ import annotations

from ...dialects.htp import NATIVE_OPS
from ...runtime.kernels import SETS as KERNELS
from ..conversion.table import SETS as CONVERSIONS
from ..importers.aten import others, pooling, quantized
from ..importers.onnx import SETS as IMPORTERS
from ..patterns import HTP_RULES
from ..patterns.param_orders import PARAM_ORDERS
from ..patterns.properties import PROPERTIES
from ..rules.graph.names import DEFAULT_PACKAGE
from .package import op_package

HTP = op_package(
    DEFAULT_PACKAGE,
    ops=NATIVE_OPS.values(),
    kernels=KERNELS,
    properties=PROPERTIES.values(),
    param_orders=PARAM_ORDERS.values(),
    rules=[HTP_RULES],
    conversions=CONVERSIONS,
    importers=IMPORTERS,
    torch_conversions=[module.ATEN for module in (others, pooling, quantized)],
    axis_params=["axis", "axes"],
)
