"""The block ops Buffer and MaskedSoftmax. Source: QAIRT block op definitions."""

from ....dialects.qti_aisw.choices import BufferMode, BufferModeAttr, Choice, MaskMode, MaskModeAttr
from ..graph.value import Value
from ..support.registry import BLOCK_OPS, ImporterSet, require

ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("Buffer", domain=BLOCK_OPS, keeps_stored=True)
def buffer(
    x: Value,
    reset: Value | None,
    *,
    buffer_size: int,
    buffer_dim: int,
    buffer_padding: int = 0,
    stride: int = 1,
    mode: int = 0,
) -> Value:
    """Buffer; a mode that is left out is BLOCKING."""
    return x.op(
        *("Buffer", reset),
        buffer_size=buffer_size,
        buffer_dim=buffer_dim,
        buffer_padding=buffer_padding,
        stride=stride,
        mode=BufferModeAttr(list(BufferMode)[_checked(mode, BufferMode)]),
    )


@ONNX.importer("MaskedSoftmax", domain=BLOCK_OPS)
def masked_softmax(x: Value, mask: Value, *, mode: int = 0) -> Value:
    """MaskedSoftmax; a mode that is left out is UNCOMPRESSED."""
    kind = MaskModeAttr(list(MaskMode)[_checked(mode, MaskMode)])
    return x.op("MaskedSoftmax", mask, mode=kind)


@ONNX.importer("DecodeWeights", domain=BLOCK_OPS)
def decode_weights(codes: Value, table: Value, scales: Value, zeros: Value) -> Value:
    """DecodeWeights: weights of few bits in the bodies of other ops."""
    return codes.op("DecodeWeights", table, scales, zeros)


def _checked(code: int, choices: type[Choice]) -> int:
    """Return the attribute `mode`, a number that the choice has a name for."""
    names = [f"{choice.code} ({choice.value})" for choice in choices]
    allowed = f"allowed are {', '.join(names)}"
    require(0 <= code < len(names), f"attribute 'mode' is {code}", allowed)
    return code
