"""The param orders of the `htp` package: which params a native op takes, in which order.

They follow from the graph op of the same name: the native op's params in order, with the defaults
of the graph op's. ReluMinMax is not one of them: its bounds have other names in a graph. Of
ScatterNd the axis follows from the rank of the data.
"""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import FloatAttr
from xdsl.irdl import OptPropertyDef

from ...dialects.htp import NATIVE_OPS
from ...dialects.qti_aisw import GRAPH_OPS
from ...dialects.qti_aisw.params import param_value
from ..rules.graph.param_order import Param, ParamOrder, param_order

_ABSENT = {"clip": 0.0}
"""The value that represents an absent optional param: a clip of 0 is not a clip."""
_OTHER_NAMES = {"ReluMinMax": ("min_value", "max_value"), "ScatterNd": ("reduction",)}


def _param(mnemonic: str, name: str) -> Param:
    declared = GRAPH_OPS[mnemonic].get_irdl_definition().properties[name]
    if isinstance(declared, OptPropertyDef):
        return Param(name, default=_ABSENT[name])
    if declared.default_value is None:
        return Param(name, mandatory=True)
    if isinstance(declared.default_value, FloatAttr):
        # A graph rounds to f32: the shortest number that rounds to the same is what was written.
        return Param(name, default=float(str(np.float32(declared.default_value.value.data))))
    return Param(name, default=param_value(declared.default_value))


PARAM_ORDERS: dict[str, ParamOrder] = {
    name: param_order(name, *(_param(name, param) for param in _OTHER_NAMES.get(name, op.PARAMS)))
    for name, op in NATIVE_OPS.items()
    if op.PARAMS and name in GRAPH_OPS
}
"""Keyed by op name; an op that is absent has no params."""
