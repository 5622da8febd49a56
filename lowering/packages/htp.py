"""The package `htp`: the project's own ops, kernels and tables, as a package like any other.

Its conversions are those of irregular ops, and the uniform one for the rest.
"""

from collections.abc import Iterable

from ...dialects.htp import NATIVE_OPS
from ...dialects.qti_aisw import GRAPH_OPS
from ...runtime.kernels import SETS as KERNELS
from ..conversion import attention, custom, decomposed, movement, rnn
from ..conversion.builder import Conversion, ConversionSet, ir_name
from ..conversion.regular import convert_regular
from ..importers.aten import others, quantized
from ..importers.onnx import SETS as IMPORTERS
from ..patterns import HTP_RULES
from ..patterns.properties import PARAM_ORDERS, PROPERTIES
from ..rules.graph.graph import DEFAULT_PACKAGE
from .package import op_package

_IRREGULAR = (
    movement.CONVERSIONS,
    rnn.CONVERSIONS,
    decomposed.CONVERSIONS,
    attention.CONVERSIONS,
    custom.CONVERSIONS,
)
"""State, several outputs, another operand order or no HTP op of that name."""

_DECLARED = {row.op for rows in _IRREGULAR for row in rows}

_REGULAR = ConversionSet()
_REGULAR.conversion(*(op for op in GRAPH_OPS if ir_name(op) not in _DECLARED))(convert_regular)

CONVERSIONS: tuple[Iterable[Conversion], ...] = (_REGULAR, *_IRREGULAR)
"""One conversion for every graph op but Const."""


HTP = op_package(
    DEFAULT_PACKAGE,
    ops=NATIVE_OPS.values(),
    kernels=KERNELS,
    properties=PROPERTIES.values(),
    param_orders=PARAM_ORDERS.values(),
    rules=[HTP_RULES],
    conversions=CONVERSIONS,
    importers=IMPORTERS,
    torch_conversions=[module.ATEN for module in (others, quantized)],
    axis_params=["axis", "axes"],
)
