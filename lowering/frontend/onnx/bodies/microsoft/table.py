"""The bodies of ONNX Runtime's ops, by domain and name."""

from __future__ import annotations

from onnx import GraphProto, ModelProto, defs

from ...support.registry import OpKey, domain_of
from .attention import ATTENTION
from .blockwise import BLOCKWISE
from .call import Signature
from .fused import FUSED
from .norms import NORMS
from .quantized import QUANTIZED

MICROSOFT = "com.microsoft"
"""The domain of ONNX Runtime's own ops."""

_STRAY = ("LayerNormalization", "SimplifiedLayerNormalization")
"""Ops that ONNX Runtime writes into ONNX's domain, which has them later or not at all."""

SIGNATURES: dict[OpKey, Signature] = {
    (MICROSOFT, name): signature
    for table in (QUANTIZED, FUSED, NORMS, ATTENTION, BLOCKWISE)
    for name, signature in table.items()
}
"""The signatures of ONNX Runtime's ops."""


def move_strays(model: ModelProto, version: int) -> None:
    """Move ops that this opset of ONNX does not have into the domain of ONNX Runtime."""
    for node in model.graph.node:
        if node.op_type in _STRAY and not domain_of(node.domain):
            if not defs.has(node.op_type, version, ""):
                node.domain = MICROSOFT
