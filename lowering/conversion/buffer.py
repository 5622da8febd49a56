"""Buffer: its content and counters become states, its step a stateless op."""

from __future__ import annotations

import numpy as np

from ...dialects.qti_aisw.base import GraphOp
from ...dialects.spec_of import spec_of
from ...dialects.value.dtypes import DType
from ...dialects.value.layout import RANK
from ...dialects.value.spec import TensorSpec
from .builder import Builder, ConversionFault, rank4
from .registry import ConversionSet

CONVERSIONS = ConversionSet()

_MODES = {"NON_BLOCKING_LEFT": 1, "NON_BLOCKING_RIGHT": 2}


@CONVERSIONS.conversion("Buffer")
def convert_buffer(op: GraphOp, builder: Builder) -> None:
    """Append the reads of content and counters, the step, and their writes."""
    result, params = rank4(spec_of(op.results[0])), op.params()
    mode = _MODES.get(str(params["mode"]))
    if mode is None:
        remedy = "use NON_BLOCKING_LEFT or NON_BLOCKING_RIGHT"
        raise ConversionFault("mode BLOCKING cannot run on HTP", remedy)
    dim = op.int_param("buffer_dim") + RANK - spec_of(op.operands[0]).rank
    if dim < 0:
        problem = f"buffers a dim that native tensors do not have, of rank {RANK}"
        raise ConversionFault(problem, "reshape to rank 4 in the model")
    padding = op.int_param("buffer_padding")
    full = padding == result.shape[dim]
    counters = TensorSpec((1, 1, 1, 2), DType.Int32)
    start = np.array([padding, int(full)], np.int32)
    empty = np.full(result.shape, result.quant.zero_point if result.quant else 0)
    reset = builder.reset_of(op)
    content = builder.state(op, "content", builder.const(empty, result), reset)
    counts = builder.state(op, "counters", builder.const(start, counters), reset)
    operands = [
        content.value,
        counts.value,
        builder.get(op.operands[0]),
        builder.param("dim", dim),
        builder.param("stride", params["stride"]),
        builder.param("mode", mode),
    ]
    out, kept, counted = builder.multi("BufferStep", operands, result, result, counters)
    builder.set(op.results[0], out)
    builder.write(content, kept)
    builder.write(counts, counted)
