"""The passes that quantise a graph by encodings, stated or of a file, and equalise its layers."""

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ....dialects.diagnostics import HtpError
from ...levels import Level
from ...quantization.encodings import read_entries
from ...quantization.fitting import fit, renamed, tensor_names
from ...quantization.layers import equalize
from ...quantization.quantize import quantize_in_place, take_encodings
from ..checks.check_level import check_level


class TakeEncodings(ModulePass):
    """Graph level to graph level: what is stored by an encoding is computed by it.

    Between a Dequantize and a Quantize an op works on reals. Where it has a form on the stored
    integers it gets that, as with qti-quantize and a file of the same encodings, and the pair goes.
    """

    name = "qti-take-encodings"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        take_encodings(op)


class Equalize(ModulePass):
    """Graph level to graph level: channels of neighbouring layers are scaled to like ranges.

    Neighbours are two layers of constant f32 weights with nothing but Relu and pooling between.
    The graph computes the same, but for rounding; its weights lose less when they are quantised.
    """

    name = "qti-equalize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_level(op, Level.GRAPH)
        equalize(op)


@dataclass(frozen=True)
class Quantize(ModulePass):
    """Graph level to graph level: f32 tensors get the encodings of a file, in either of its forms.

    An op whose results have none, or that takes no quantised tensors, stays in floats; Quantize,
    Dequantize and Cast stand in between, and the function's inputs and outputs stay unchanged.
    HtpError lists the encodings that do not fit the graph.
    """

    name = "qti-quantize"
    FILES: ClassVar[tuple[str, ...]] = ("encodings",)

    encodings: str

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_level(op, Level.GRAPH)
        entries, faults = read_entries(self.encodings)
        encodings = renamed(entries, op)
        faults += fit(encodings, op, tensor_names(op))[1]
        if faults:
            raise HtpError(*faults)
        quantize_in_place(op, encodings)
