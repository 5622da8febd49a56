"""Reads native ops as nodes: one function for each way of reading."""

from dataclasses import replace
from math import prod

from htp_mlir.dialects.htp.base import NativeOp
from htp_mlir.dialects.spec_of import spec_of
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import ReturnOp

from .graph import SAME, WHOLE, Graph, Kind, Node, Operand, Tensor
from .native import POINTWISE, broadcasts, bytes_of, is_elementwise, is_small
from .reader import Reader, View
from .windows import windows_of


def _windowed(reader: Reader, op: NativeOp) -> None:
    """Convolutions and pools."""
    value, pads = reader.pads.get(op.operands[0], (op.operands[0], (0, 0, 0, 0)))
    windows = windows_of(op, pads)
    source, result = reader.extents_of(value), reader.extents_of(op.results[0])
    if windows is None:
        reader.opaque(op)
        return
    reader.imaged |= {*reader.views[value].tensors, len(reader.tensors)}
    rows, columns = windows.rows, windows.columns
    if value in reader.along or spec_of(value).shape[1] == 1 == spec_of(op.results[0]).shape[1]:
        rows, columns = columns, rows
    if "Pool" in op.name and result[1] == result[2] == 1 and source[1] * source[2] > 1:
        reader.add(op, Kind.SUM, reader.operands_of(value, WHOLE, WHOLE))
        return
    operands = reader.operands_of(value, rows, columns)
    weights = bytes_of(op.spec(windows.weights)) if windows.weights else 0
    extras = reader.constant_bytes(op, windows.weights)
    kind = Kind.PRODUCT if windows.depth else Kind.POINTWISE
    reader.add(op, kind, operands, weights=weights, extras=extras, depth=windows.depth)


def _dense(reader: Reader, op: NativeOp) -> None:
    """Layers whose weights are [1, 1, outputs, inputs]."""
    weights = next((n for n in ("weights", "filter") if n in op.OPERANDS), "")
    if not weights or op.operand(weights) not in reader.constants:
        _matmul(reader, op)
        return
    extras = reader.constant_bytes(op, weights)
    spec = op.spec(weights)
    operands = reader.operands_of(op.operands[0], SAME, WHOLE)
    reader.add(
        op, Kind.PRODUCT, operands, weights=bytes_of(spec), extras=extras, depth=spec.shape[3]
    )


def _matmul(reader: Reader, op: NativeOp) -> None:
    """Products of two operands; the second is needed whole, head by head."""
    left, right = op.operands[0], op.operands[1]
    out, first = (
        reader.extents_of(op.results[0]),
        reader.views[left].extents if left in reader.views else None,
    )
    if first is None:
        reader.opaque(op)
        return
    rows = SAME if first[1] == out[1] else WHOLE
    if right in reader.constants:
        reader.add(
            op,
            Kind.PRODUCT,
            reader.operands_of(left, rows),
            weights=bytes_of(spec_of(right)),
            depth=first[3],
        )
        return
    heads = SAME if reader.views[right].extents[2] == out[2] else WHOLE
    operands = [*reader.operands_of(left, rows), *reader.operands_of(right, WHOLE, heads)]
    reader.add(
        op,
        Kind.PRODUCT,
        operands,
        depth=first[3] if len(operands) == 2 else 0,
        has_factor=True,
        extras=0,
    )


def _attention(reader: Reader, op: NativeOp) -> None:
    """Queries row by row; all keys and values."""
    query, *others = reader.data_of(op)
    operands = reader.operands_of(query)
    for value in others:
        operands += reader.operands_of(value, WHOLE)
    reader.add(op, Kind.PRODUCT, operands, extras=reader.constant_bytes(op))


def _recurrent(reader: Reader, op: NativeOp) -> None:
    """The product with the inputs for all steps, then the recurrence."""
    gates = op.spec("R").shape[2]
    steps, size = reader.views[op.operands[0]].extents[1], spec_of(op.results[0]).dtype.itemsize
    reader.tensors.append(Tensor(steps, 1, gates, size))
    reader.names.append(f"{reader.name_of(op)}.gates")
    between = len(reader.tensors) - 1
    operands = reader.operands_of(op.operands[0], SAME, WHOLE)
    reader.nodes.append(Node(Kind.PRODUCT, tuple(operands), between, bytes_of(op.spec("W"))))
    extras = reader.constant_bytes(op) - bytes_of(op.spec("W")) - bytes_of(op.spec("R"))
    reader.add(
        op,
        Kind.RECURRENCE,
        [Operand(between)],
        weights=bytes_of(op.spec("R")),
        extras=max(extras, 0),
    )
    channels = spec_of(op.results[0]).elements // steps
    reader.tensors[reader.nodes[-1].result] = Tensor(steps, 1, channels, size)
    reader.views[op.results[0]] = View((reader.nodes[-1].result,), (1, steps, 1, channels))


def _concat(reader: Reader, op: NativeOp) -> None:
    """Along the channels a view; else an op."""
    values = [v for v in op.operands if v in reader.views]
    shapes = {spec_of(value).shape[:3] for value in values}
    whole = any(reader.views[value].is_whole for value in values)
    if len(shapes) == 1 and shapes == {spec_of(op.results[0]).shape[:3]} and not whole:
        tensors = [i for value in values for i in reader.views[value].tensors]
        view = View(tuple(dict.fromkeys(tensors)), reader.extents_of(op.results[0]))
        reader.views[op.results[0]] = view
    else:
        reader.opaque(op)


def _slice(reader: Reader, op: NativeOp) -> None:
    """Padding goes into the window behind it; of channels a view; else an op."""
    value, result = op.operands[0], op.results[0]
    if value not in reader.views:
        reader.opaque(op)
        return
    if "pad_before" in op.OPERANDS:
        before = [a - b for a, b in zip(op.dims("pad_before"), op.dims("start"), strict=True)]
        reader.pads[result] = value, (before[1], 0, before[2], 0)
        reader.views[result] = replace(reader.views[value], is_whole=True)
    elif spec_of(value).shape[:3] == spec_of(result).shape[:3]:
        reader.views[result] = reader.views[value]
    else:
        reader.opaque(op)


def _shape_only(reader: Reader, op: NativeOp) -> None:
    """Reshapes and Transposes: views, which keep rows where these stay together."""
    value, result = op.operands[0], op.results[0]
    if value not in reader.views:
        reader.opaque(op)
        return
    view, after = reader.views[value], reader.extents_of(result)
    if (
        len(view.tensors) == 1
        and view.tensors[0] < len(reader.inputs)
        and not reader.nodes_read(view)
    ):
        reader.reshape_input(view.tensors[0], after)
        reader.views[result] = View(view.tensors, after)
        return
    keeps_rows = view.extents[:2] == after[:2] and prod(view.extents) == prod(after)
    is_last = all(isinstance(use.operation, ReturnOp) for use in result.uses)
    if keeps_rows and not view.is_whole:
        tensor = reader.tensors[view.tensors[0]]
        if len(view.tensors) == 1 and tensor.columns == 1 != after[2]:
            columns, channels = after[2], after[3]
            reader.tensors[view.tensors[0]] = replace(tensor, columns=columns, channels=channels)
        reader.views[result] = View(view.tensors, after)
    elif op.name == "htp.Reshape" or is_last or is_small(spec_of(value)):
        reader.views[result] = View(view.tensors, after, is_whole=True)
    else:
        reader.opaque(op)


def _pointwise_or_opaque(reader: Reader, op: NativeOp) -> None:
    """Element-wise ops by their operands' shapes; all others need their operands whole."""
    kind = op.mnemonic().partition(".")[0]
    shape, data = spec_of(op.results[0]).shape, reader.data_of(op)
    alike = all(broadcasts(spec_of(value).shape, shape) for value in data)
    known = kind in POINTWISE or is_elementwise(op)
    if not data or not alike or not known or len(op.results) > 1:
        reader.opaque(op)
        return
    operands: list[Operand] = []
    for value in data:
        for operand in reader.operands_of(value):
            tensor = reader.tensors[operand.tensor]
            _, rows, columns, _ = reader.extents_of(op.results[0])
            operands.append(
                Operand(
                    operand.tensor,
                    operand.rows if tensor.rows == rows else WHOLE,
                    operand.columns if tensor.columns == columns else WHOLE,
                )
            )
    reader.add(op, Kind.POINTWISE, operands, extras=reader.constant_bytes(op))


_READERS = {
    **dict.fromkeys(
        (
            *("ConvLayer_valid", "Conv2d_valid", "DepthwiseConvLayer_valid", "Conv2d"),
            *("TransposeConvLayer_valid", "DepthWiseConv2d", "TransposeConv2d"),
            *("MaxPool_valid", "AvgPool_valid", "PoolMax2d", "PoolAvg2d"),
            *("Resize", "Resize_places", "DepthToSpace", "SpaceToDepth", "DepthToSpace_shape"),
            *("SpaceToDepth_shape", "ResizeNearestNeighbor_shape"),
        ),
        _windowed,
    ),
    "FullyConnected": _dense,
    "MatMul": _matmul,
    "Attention": _attention,
    "Lstm": _recurrent,
    "Gru": _recurrent,
    "Concat": _concat,
    "Slice_shape": _slice,
    "SlicePad_shape": _slice,
    "StridedSlice": _slice,
    "Reshape": _shape_only,
    "Transpose": _shape_only,
}


def read_graph(module: ModuleOp) -> Graph:
    """Read `@main` of a module of the native level."""
    return Reader(module, _READERS, _pointwise_or_opaque).read()
