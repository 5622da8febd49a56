"""Windows of convolutions, pools and ops that change the scale, as reaches of rows and columns."""

from dataclasses import dataclass

from htp_mlir.dialects.htp.base import NativeOp
from htp_mlir.dialects.spec_of import spec_of

from .graph import Reach

Pads = tuple[int, ...]


@dataclass(frozen=True)
class Windows:
    """Reaches, the operand with the weights, and the input channels that are summed in turn."""

    rows: Reach
    columns: Reach
    weights: str = ""
    depth: int = 0


def windows_of(op: NativeOp, pads: Pads) -> Windows | None:
    """Read a convolution, pool or change of scale; None where its params are not known."""
    kind = op.mnemonic().partition(".")[0]
    if kind in ("ConvLayer_valid", "Conv2d_valid", "DepthwiseConvLayer_valid"):
        taps, stride = op.dims("weights")[:2], op.dims("stride")[1:3]
        depth = 0 if kind.startswith("Depthwise") else op.dims("weights")[2]
        return _sliding(taps, stride, (1, 1), pads, "weights", depth)
    if kind in ("MaxPool_valid", "AvgPool_valid"):
        return _sliding(op.dims("window")[1:3], op.dims("stride")[1:3], (1, 1), pads)
    if kind == "TransposeConvLayer_valid":
        taps = op.dims("weights")
        return _growing(taps[:2], taps[:2], (0, 0, 0, 0), "weights", taps[2])
    return _raw(op, kind)


def _raw(op: NativeOp, kind: str) -> Windows | None:
    """Read the forms with params of their own."""
    if kind in ("Conv2d", "DepthWiseConv2d", "TransposeConv2d"):
        taps, stride, inside = op.dims("filter"), op.ints("stride"), op.ints("pad_amount")
        if stride is None or inside is None:
            return None
        if kind == "TransposeConv2d":
            return _growing(taps[:2], stride, inside, "filter", taps[2])
        dilation = op.ints("dilation") or (1, 1)
        groups = 1 if kind == "DepthWiseConv2d" else (op.ints("group") or (1,))[0]
        depth = taps[2] if kind == "Conv2d" and groups == 1 else 0
        return _sliding(taps[:2], stride, dilation, inside, "filter", depth)
    if kind in ("PoolMax2d", "PoolAvg2d"):
        size, stride, inside = (op.ints(n) for n in ("filter_size", "stride", "pad_amount"))
        if size is None or stride is None or inside is None:
            return None
        return _sliding(size, stride, (1, 1), inside)
    return _scaled(op)


def _sliding(
    taps: tuple[int, ...],
    stride: tuple[int, ...],
    dilation: tuple[int, ...],
    pads: Pads,
    weights: str = "",
    depth: int = 0,
) -> Windows:
    rows, columns = (
        Reach(stride[i], 1, -pads[2 * i], (taps[i] - 1) * dilation[i] - pads[2 * i])
        for i in range(2)
    )
    return Windows(rows, columns, weights, depth)


def _growing(
    taps: tuple[int, ...], stride: tuple[int, ...], pads: Pads, weights: str, depth: int
) -> Windows:
    """A transposed convolution: result row r takes input rows ceil((r + pad - k + 1) / s) on."""
    rows, columns = (
        Reach(1, stride[i], pads[2 * i] - taps[i] + stride[i], pads[2 * i]) for i in range(2)
    )
    return Windows(rows, columns, weights, depth)


def _scaled(op: NativeOp) -> Windows:
    """Resizes and shuffles, by the ratio of the extents; a resize reads one neighbour more."""
    source, result = spec_of(op.operands[0]).shape, spec_of(op.results[0]).shape
    margin = 1 if op.name in ("htp.Resize", "htp.Resize_places") else 0
    rows, columns = (_ratio(source[i], result[i], margin) for i in (1, 2))
    return Windows(rows, columns)


def _ratio(source: int, result: int, margin: int) -> Reach:
    if source == result:
        return Reach()
    if result % source == 0:
        factor = result // source
        return Reach(1, factor, -margin * factor, margin * factor)
    if source % result == 0:
        factor = source // result
        return Reach(factor, 1, -margin, factor - 1 + margin)
    return Reach(source, result, -margin * result, source + margin * result)
