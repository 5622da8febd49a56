"""The pass that gives the tensors of a graph the encodings of a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ....dialects.diagnostics import HtpError
from ...levels import Level
from ...quantization.encodings import read_entries
from ...quantization.fitting import fit, renamed
from ...quantization.names import tensor_names
from ...quantization.quantize import quantize_in_place
from ..check_level import check_level


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
