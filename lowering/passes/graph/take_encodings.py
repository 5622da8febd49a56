"""The pass that gives the tensors of a graph the encodings which the graph states itself."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...quantization.stated import take_encodings


class TakeEncodings(ModulePass):
    """Graph level to graph level: what is stored by an encoding is computed by it.

    Between a Dequantize and a Quantize an op works on reals. Where it has a form on the stored
    integers it gets that, as with qti-quantize and a file of the same encodings, and the pair goes.
    """

    name = "qti-take-encodings"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        take_encodings(op)
