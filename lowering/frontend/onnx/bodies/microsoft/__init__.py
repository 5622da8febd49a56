"""Bodies of the ops that ONNX Runtime's tools write. Source: its contrib operators."""

from onnx import ModelProto, defs

from .....importers.support.registry import OpKey, domain_of
from .attention import ATTENTION, GROUPED
from .call import OpSignature
from .fused import FUSED, NORMS
from .quantized import BLOCKWISE, QUANTIZED
from .recurrent import RECURRENT

MICROSOFT = "com.microsoft"
"""The domain of ONNX Runtime's own ops."""

STRAYS = {("", "LayerNormalization"), ("", "SimplifiedLayerNormalization")}
"""Ops that ONNX Runtime writes into ONNX's domain, which has them later or not at all."""

SIGNATURES: dict[OpKey, OpSignature] = {
    (MICROSOFT, name): signature
    for table in (QUANTIZED, RECURRENT, FUSED, NORMS, ATTENTION, GROUPED, BLOCKWISE)
    for name, signature in table.items()
}
"""The signatures of ONNX Runtime's ops."""


def move_strays(model: ModelProto, version: int) -> None:
    """Move ops that this opset of ONNX does not have into the domain of ONNX Runtime."""
    for node in model.graph.node:
        stray = (domain_of(node.domain), node.op_type) in STRAYS
        if stray and not defs.has(node.op_type, version, ""):
            node.domain = MICROSOFT


_LAYOUT = (
    "reads a layout that ONNX Runtime chose for this machine",
    "optimise it up to ORT_ENABLE_EXTENDED",
)
_LAYOUT_DOMAINS = ("com.microsoft.nchwc", "com.ms.internal.nhwc")


def refusal(op: OpKey) -> tuple[str, str] | None:
    """Return problem and remedy of an op that only a machine's own file has; None for another."""
    domain, name = op
    own = domain in _LAYOUT_DOMAINS or (domain == MICROSOFT and name.startswith("Nhwc"))
    return _LAYOUT if own else None
