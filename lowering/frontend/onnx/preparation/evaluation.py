"""One node on constants: onnx's reference evaluator, with ops of ours where it takes too little."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from onnx import ModelProto, NodeProto, ValueInfoProto, helper
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun

from .....dialects.dense import Array
from .....dialects.diagnostics import fail
from ..nodes import op_of, where
from .contradictions import TOOL_ERRORS

_SCALARS = (("", "CumSum"), ("", "CumProd"), ("", "OneHot"))
"""Ops that take a list of one behind their data, where onnx's evaluator wants a scalar."""

_ERRORS = (*TOOL_ERRORS, ArithmeticError, AssertionError)
"""Exceptions that onnx's evaluator raises on operands that it does not take."""


class GatherElements(OpRun):
    """GatherElements of any axis, and of fewer indices than the data has elements."""

    op_domain = ""

    def _run(self, data: Array, indices: Array, axis: int) -> tuple[Array]:
        places: list[Array] = [*np.indices(indices.shape, sparse=True)]
        places[axis] = indices
        return (data[tuple(places)],)


class Pad(OpRun):
    """Pad, where negative pads crop."""

    op_domain = ""

    def _run(
        self,
        data: Array,
        pads: Array,
        value: Array | None = None,
        axes: Array | None = None,
        mode: Literal["constant", "edge", "reflect", "wrap"] = "constant",
    ) -> tuple[Array]:
        pairs = np.zeros((data.ndim, 2), np.int64)
        pairs[slice(None) if axes is None else axes] = pads.reshape(2, -1).T
        cut = -np.minimum(pairs, 0)
        sizes = zip(cut, data.shape, strict=True)
        data = data[tuple(slice(low, size - high) for (low, high), size in sizes)]
        grown = np.maximum(pairs, 0)
        if mode != "constant":
            return (np.pad(data, grown, mode=mode),)
        filling = 0 if value is None else value.item()
        return (np.pad(data, grown, constant_values=np.asarray(filling, data.dtype)),)


_OURS = [GatherElements, Pad]
"""Ops that onnx's evaluator has for fewer operands than ONNX."""


def evaluated(
    model: ModelProto, node: NodeProto, constants: Mapping[str, Array]
) -> Sequence[Array]:
    """Return the outputs of a node of the model whose inputs are all constants.

    Raises HtpError where the constants do not fit the op.
    """
    inputs = {name: constants[name] for name in node.input if name}
    if op_of(node) in _SCALARS:
        single = {n: a for n, a in inputs.items() if n in node.input[1:] and a.size == 1}
        inputs |= {name: array.reshape(()) for name, array in single.items()}
    values = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(a.dtype), a.shape)
        for name, a in inputs.items()
    ]
    outputs = [ValueInfoProto(name=name) for name in node.output]
    graph = helper.make_graph([node], "node", values, outputs)
    alone = helper.make_model(graph, opset_imports=model.opset_import)
    try:
        with np.errstate(all="ignore"):
            results = ReferenceEvaluator(alone, new_ops=_OURS).run(None, inputs)
    except _ERRORS as error:
        reason = str(error) or "they do not fit together"
        problem = f"its constant inputs cannot be evaluated: {reason}"
        raise fail(where(node), problem, "fix the model's constants") from error
    return [np.asarray(result) for result in results]
