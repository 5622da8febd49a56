"""Reads a module of the native level, fused and not tiled, as a graph of the reference planner.

Rows are the dim that plans cut first: the height of an image, the tokens of a sequence, the queries
of attention, whose heads are then columns. Transposes, reshapes, concatenations and slices of
channels are views of the tensors behind them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod

from htp_mlir.dialects.htp.base import NativeOp
from htp_mlir.dialects.htp.ops.const import ConstOp, ShapeOp
from htp_mlir.dialects.htp.ops.state import StateOp, StateReadOp, StateWriteOp
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value.spec import TensorSpec
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from .graph import SAME, WHOLE, Graph, Kind, Node, Operand, Reach, Tensor
from .windows import Windows, windows_of

ALONG_TOKENS = ("htp.MatMul", "htp.FullyConnected", "htp.Attention", "htp.Lstm", "htp.Gru")
POINTWISE = (
    *("Softmax", "LogSoftmax", "LayerNorm", "RmsNorm", "Batchnorm", "Prelu", "BiasAdd"),
    *("Cast", "BitCast", "Quantize", "Dequantize", "Clamp", "ReluMinMax", "Select"),
)
"""Ops that keep rows apart, beside the element-wise ones."""


@dataclass(frozen=True)
class View:
    """A value as its reader sees it: the tensors it is put together from, and its extents.

    `is_whole` says that rows are no longer rows, so that a reader needs all of it.
    """

    tensors: tuple[int, ...]
    extents: tuple[int, int, int, int]
    is_whole: bool = False


class _Reader:
    """A module that is being read."""

    def __init__(self, module: ModuleOp) -> None:
        function = next(op for op in module.walk() if isinstance(op, FuncOp))
        self.ops = list(function.body.block.ops)
        self.inputs = list(function.body.block.args)
        self.along = _along_tokens(self.ops)
        self.tensors: list[Tensor] = []
        self.names: list[str] = []
        self.nodes: list[Node] = []
        self.views: dict[SSAValue, View] = {}
        self.pads: dict[SSAValue, tuple[SSAValue, tuple[int, ...]]] = {}
        self.constants = {op.results[0] for op in self.ops if isinstance(op, ConstOp)}
        self.outputs: list[int] = []
        self.imaged: set[int] = set()
        states = [op.spec.nbytes for op in module.walk() if isinstance(op, StateOp)]
        self.fixed = 2 * sum(states)

    def read(self) -> Graph:
        for value in self.inputs:
            self._new(value, value.name_hint or "input")
        count = len(self.tensors)
        for op in self.ops:
            self._op(op)
        boundary = {*range(count), *self.outputs}
        croutons = _crouton_tensors(self.nodes, self.imaged)
        tensors = tuple(
            replace(tensor, is_boundary=index in boundary, has_croutons=index in croutons)
            for index, tensor in enumerate(self.tensors)
        )
        graph = Graph(
            tensors,
            tuple(self.nodes),
            tuple(range(count)),
            tuple(dict.fromkeys(self.outputs)),
            tuple(self.names),
            self.fixed,
        )
        return merged(graph)

    def _op(self, op: Operation) -> None:
        if isinstance(op, (ConstOp, ShapeOp, StateOp, StateReadOp, StateWriteOp)):
            for result in op.results:
                if isinstance(op, StateReadOp):
                    self._new(result, "state")
            return
        if isinstance(op, ReturnOp):
            for value in op.operands:
                self.outputs += [i for i in self._view(value).tensors if self._is_result(i)]
            return
        if isinstance(op, NativeOp):
            _READERS.get(op.mnemonic().partition(".")[0], _Reader._pointwise_or_opaque)(self, op)

    def _is_result(self, index: int) -> bool:
        return any(node.result == index for node in self.nodes)

    def _extents(self, value: SSAValue) -> tuple[int, int, int, int]:
        """Images, rows, columns and channels of a value."""
        shape = (1, 1, 1, 1, *spec_of(value).shape)[-4:]
        images, high, wide, depth = shape
        if len(spec_of(value).shape) > 4:
            return 1, 1, 1, prod(spec_of(value).shape)
        if value in self.along or high == 1:
            return images, wide, high, depth
        return images, high, wide, depth

    def _new(self, value: SSAValue, name: str) -> int:
        images, rows, columns, channels = extents = self._extents(value)
        size = spec_of(value).dtype.itemsize
        self.tensors.append(Tensor(rows, columns, channels, size, images))
        self.names.append(name)
        self.views[value] = View((len(self.tensors) - 1,), extents)
        return len(self.tensors) - 1

    def _view(self, value: SSAValue) -> View:
        return self.views[value]

    def _data(self, op: NativeOp) -> list[SSAValue]:
        """Operands that are data of the model; constants and params are not."""
        values = [
            value
            for index, value in enumerate(op.operands)
            if op.operand_name(index) not in op.PARAMS and value in self.views
        ]
        return list(dict.fromkeys(values))

    def _constant_bytes(self, op: NativeOp, but: str = "") -> int:
        """Bytes of the constants among an op's operands."""
        values = {
            value
            for index, value in enumerate(op.operands)
            if value in self.constants and op.operand_name(index) != but
        }
        return sum(_bytes(spec_of(value)) for value in values)

    def _name(self, op: Operation) -> str:
        name = op.attributes.get("htp.name")
        return str(name).strip('"') if name else op.name

    def _add(self, op: NativeOp, kind: Kind, operands: list[Operand], **more: int | bool) -> None:
        result = self._new(op.results[0], self._name(op))
        self.nodes.append(Node(kind, tuple(operands), result, **more))  # type: ignore[arg-type]
        for value in op.results[1:]:
            if value.first_use is not None:
                self._new(value, self._name(op))

    def _operands(
        self, value: SSAValue, rows: Reach = SAME, columns: Reach = SAME
    ) -> list[Operand]:
        """The operands behind a value; what is read across rows or columns is read whole."""
        view = self._view(value)
        operands = []
        for index in view.tensors:
            tensor = self.tensors[index]
            same_rows = not view.is_whole and tensor.rows == view.extents[1]
            same_columns = same_rows and tensor.columns == view.extents[2]
            operands.append(
                Operand(index, rows if same_rows else WHOLE, columns if same_columns else WHOLE)
            )
        return operands

    def _windowed(self, op: NativeOp) -> None:
        """Convolutions and pools."""
        value, pads = self.pads.get(op.operands[0], (op.operands[0], (0, 0, 0, 0)))
        windows = windows_of(op, pads)
        source, result = self._extents(value), self._extents(op.results[0])
        if windows is None:
            self._opaque(op)
            return
        self.imaged |= {*self._view(value).tensors, len(self.tensors)}
        rows, columns = windows.rows, windows.columns
        if value in self.along or spec_of(value).shape[1] == 1 == spec_of(op.results[0]).shape[1]:
            rows, columns = columns, rows
        if "Pool" in op.name and result[1] == result[2] == 1 and source[1] * source[2] > 1:
            self._add(op, Kind.SUM, self._operands(value, WHOLE, WHOLE))
            return
        operands = self._operands(value, rows, columns)
        weights = _bytes(op.spec(windows.weights)) if windows.weights else 0
        extras = self._constant_bytes(op, windows.weights)
        kind = Kind.PRODUCT if windows.depth else Kind.POINTWISE
        self._add(op, kind, operands, weights=weights, extras=extras, depth=windows.depth)

    def _dense(self, op: NativeOp) -> None:
        """Layers whose weights are [1, 1, outputs, inputs]."""
        weights = next((n for n in ("weights", "filter") if n in op.OPERANDS), "")
        if not weights or op.operand(weights) not in self.constants:
            self._matmul(op)
            return
        extras = self._constant_bytes(op, weights)
        spec = op.spec(weights)
        operands = self._operands(op.operands[0], SAME, WHOLE)
        self._add(
            op, Kind.PRODUCT, operands, weights=_bytes(spec), extras=extras, depth=spec.shape[3]
        )

    def _matmul(self, op: NativeOp) -> None:
        """Products of two operands; the second is needed whole, head by head."""
        left, right = op.operands[0], op.operands[1]
        out, first = (
            self._extents(op.results[0]),
            self._view(left).extents if left in self.views else None,
        )
        if first is None:
            self._opaque(op)
            return
        rows = SAME if first[1] == out[1] else WHOLE
        if right in self.constants:
            self._add(
                op,
                Kind.PRODUCT,
                self._operands(left, rows),
                weights=_bytes(spec_of(right)),
                depth=first[3],
            )
            return
        heads = SAME if self._view(right).extents[2] == out[2] else WHOLE
        operands = [*self._operands(left, rows), *self._operands(right, WHOLE, heads)]
        self._add(
            op,
            Kind.PRODUCT,
            operands,
            depth=first[3] if len(operands) == 2 else 0,
            has_factor=True,
            extras=0,
        )

    def _attention(self, op: NativeOp) -> None:
        """Queries row by row; all keys and values."""
        query, *others = self._data(op)
        operands = self._operands(query)
        for value in others:
            operands += self._operands(value, WHOLE)
        self._add(op, Kind.PRODUCT, operands, extras=self._constant_bytes(op))

    def _recurrent(self, op: NativeOp) -> None:
        """The product with the inputs for all steps, then the recurrence."""
        gates = op.spec("R").shape[2]
        steps, size = self._view(op.operands[0]).extents[1], spec_of(op.results[0]).dtype.itemsize
        self.tensors.append(Tensor(steps, 1, gates, size))
        self.names.append(f"{self._name(op)}.gates")
        between = len(self.tensors) - 1
        operands = self._operands(op.operands[0], SAME, WHOLE)
        self.nodes.append(Node(Kind.PRODUCT, tuple(operands), between, _bytes(op.spec("W"))))
        extras = self._constant_bytes(op) - _bytes(op.spec("W")) - _bytes(op.spec("R"))
        self._add(
            op,
            Kind.RECURRENCE,
            [Operand(between)],
            weights=_bytes(op.spec("R")),
            extras=max(extras, 0),
        )
        channels = spec_of(op.results[0]).elements // steps
        self.tensors[self.nodes[-1].result] = Tensor(steps, 1, channels, size)
        self.views[op.results[0]] = View((self.nodes[-1].result,), (1, steps, 1, channels))

    def _concat(self, op: NativeOp) -> None:
        """Along the channels a view; else an op."""
        values = [v for v in op.operands if v in self.views]
        shapes = {spec_of(value).shape[:3] for value in values}
        whole = any(self._view(value).is_whole for value in values)
        if len(shapes) == 1 and shapes == {spec_of(op.results[0]).shape[:3]} and not whole:
            tensors = [i for value in values for i in self._view(value).tensors]
            view = View(tuple(dict.fromkeys(tensors)), self._extents(op.results[0]))
            self.views[op.results[0]] = view
        else:
            self._opaque(op)

    def _slice(self, op: NativeOp) -> None:
        """Padding goes into the window behind it; of channels a view; else an op."""
        value, result = op.operands[0], op.results[0]
        if value not in self.views:
            self._opaque(op)
            return
        if "pad_before" in op.OPERANDS:
            before = [a - b for a, b in zip(op.dims("pad_before"), op.dims("start"), strict=True)]
            self.pads[result] = value, (before[1], 0, before[2], 0)
            self.views[result] = replace(self._view(value), is_whole=True)
        elif spec_of(value).shape[:3] == spec_of(result).shape[:3]:
            self.views[result] = self._view(value)
        else:
            self._opaque(op)

    def _shape_only(self, op: NativeOp) -> None:
        """Reshapes and Transposes: views, which keep rows where these stay together."""
        value, result = op.operands[0], op.results[0]
        if value not in self.views:
            self._opaque(op)
            return
        view, after = self._view(value), self._extents(result)
        if (
            len(view.tensors) == 1
            and view.tensors[0] < len(self.inputs)
            and not self.nodes_read(view)
        ):
            self._reshape_input(view.tensors[0], after)
            self.views[result] = View(view.tensors, after)
            return
        keeps_rows = view.extents[:2] == after[:2] and prod(view.extents) == prod(after)
        is_last = all(isinstance(use.operation, ReturnOp) for use in result.uses)
        if keeps_rows and not view.is_whole:
            tensor = self.tensors[view.tensors[0]]
            if len(view.tensors) == 1 and tensor.columns == 1 != after[2]:
                columns, channels = after[2], after[3]
                self.tensors[view.tensors[0]] = replace(tensor, columns=columns, channels=channels)
            self.views[result] = View(view.tensors, after)
        elif op.name == "htp.Reshape" or is_last or _is_small(spec_of(value)):
            self.views[result] = View(view.tensors, after, is_whole=True)
        else:
            self._opaque(op)

    def nodes_read(self, view: View) -> bool:
        """Tell whether a node has read one of the tensors so far."""
        read = {operand.tensor for node in self.nodes for operand in node.operands}
        return bool(read & set(view.tensors))

    def _reshape_input(self, index: int, extents: tuple[int, int, int, int]) -> None:
        images, rows, columns, channels = extents
        size = self.tensors[index].itemsize
        self.tensors[index] = Tensor(rows, columns, channels, size, images)

    def _pointwise_or_opaque(self, op: NativeOp) -> None:
        """Element-wise ops by their operands' shapes; all others need their operands whole."""
        kind = op.mnemonic().partition(".")[0]
        shape, data = spec_of(op.results[0]).shape, self._data(op)
        alike = all(_broadcasts(spec_of(value).shape, shape) for value in data)
        known = kind in POINTWISE or _is_elementwise(op)
        if not data or not alike or not known or len(op.results) > 1:
            self._opaque(op)
            return
        operands: list[Operand] = []
        for value in data:
            for operand in self._operands(value):
                tensor = self.tensors[operand.tensor]
                _, rows, columns, _ = self._extents(op.results[0])
                operands.append(
                    Operand(
                        operand.tensor,
                        operand.rows if tensor.rows == rows else WHOLE,
                        operand.columns if tensor.columns == columns else WHOLE,
                    )
                )
        self._add(op, Kind.POINTWISE, operands, extras=self._constant_bytes(op))

    def _opaque(self, op: NativeOp) -> None:
        data = [value for value in op.operands if value in self.views]
        operands = [o for v in dict.fromkeys(data) for o in self._operands(v, WHOLE, WHOLE)]
        self._add(op, Kind.OPAQUE, operands, extras=self._constant_bytes(op))


_READERS = {
    **dict.fromkeys(
        (
            *("ConvLayer_valid", "Conv2d_valid", "DepthwiseConvLayer_valid", "Conv2d"),
            *("TransposeConvLayer_valid", "DepthWiseConv2d", "TransposeConv2d"),
            *("MaxPool_valid", "AvgPool_valid", "PoolMax2d", "PoolAvg2d"),
            *("Resize", "Resize_places", "DepthToSpace", "SpaceToDepth", "DepthToSpace_shape"),
            *("SpaceToDepth_shape", "ResizeNearestNeighbor_shape"),
        ),
        _Reader._windowed,
    ),
    "FullyConnected": _Reader._dense,
    "MatMul": _Reader._matmul,
    "Attention": _Reader._attention,
    "Lstm": _Reader._recurrent,
    "Gru": _Reader._recurrent,
    "Concat": _Reader._concat,
    "Slice_shape": _Reader._slice,
    "SlicePad_shape": _Reader._slice,
    "StridedSlice": _Reader._slice,
    "Reshape": _Reader._shape_only,
    "Transpose": _Reader._shape_only,
}


def read_graph(module: ModuleOp) -> Graph:
    """Read `@main` of a module of the native level."""
    return _Reader(module).read()


def merged(graph: Graph) -> Graph:
    """Let element-wise ops of one operand run with what makes it, where nobody else reads that."""
    nodes: list[Node] = []
    renamed: dict[int, int] = {}
    readers: dict[int, int] = {}
    for node in graph.nodes:
        for operand in node.operands:
            readers[operand.tensor] = readers.get(operand.tensor, 0) + 1
    results = {node.result: position for position, node in enumerate(graph.nodes)}
    for node in graph.nodes:
        operands = tuple(replace(o, tensor=renamed.get(o.tensor, o.tensor)) for o in node.operands)
        source = node.operands[0].tensor if node.operands else -1
        before, after = graph.tensors[source], graph.tensors[node.result]
        alone = (
            len(operands) == 1 and node.kind is Kind.POINTWISE and not node.operands[0].is_windowed
        )
        plain = replace(before, is_boundary=False) == replace(after, is_boundary=False)
        if alone and plain and readers[source] == 1 and source in results and node.extras < 64:
            if source not in graph.outputs:
                last = nodes[-1]
                target = next(i for i, n in enumerate(nodes) if n.result == operands[0].tensor)
                del last
                nodes[target] = replace(nodes[target], result=node.result)
                renamed = {
                    k: node.result if v == operands[0].tensor else v for k, v in renamed.items()
                }
                renamed[source] = node.result
                continue
        nodes.append(replace(node, operands=operands))
    return replace(graph, nodes=tuple(nodes))


def _along_tokens(ops: list[Operation]) -> set[SSAValue]:
    """Values whose rows are dim 2: those of matrix products, and those that are alike."""
    along: set[SSAValue] = set()
    while True:
        before = len(along)
        for op in ops:
            values = [v for v in (*op.operands, *op.results) if _is_tensor(v)]
            if op.name.partition(".gelu")[0].partition(".clamp")[0] in (
                "htp.MatMul",
                "htp.FullyConnected",
                "htp.Attention",
            ):
                along |= {*values[:2], *op.results}
            elif (
                isinstance(op, NativeOp)
                and any(v in along for v in values)
                and (_is_elementwise(op) or op.name.removeprefix("htp.") in POINTWISE)
            ):
                shape = spec_of(op.results[0]).shape
                along |= {v for v in values if spec_of(v).shape == shape}
        if len(along) == before:
            return along


def _is_tensor(value: SSAValue) -> bool:
    return str(value.type).startswith("tensor")


def _crouton_tensors(nodes: list[Node], imaged: set[int]) -> set[int]:
    """Tensors of images: those of convolutions and pools, and what element-wise ops tie to them."""
    croutons = set(imaged)
    while True:
        before = len(croutons)
        for node in nodes:
            tied = {*(o.tensor for o in node.operands), node.result}
            if node.kind is Kind.POINTWISE and tied & croutons:
                croutons |= tied
        if len(croutons) == before:
            return croutons


def _is_elementwise(op: NativeOp) -> bool:
    return any(
        base.__name__ in ("UnaryOp", "BinaryOp", "ElementWiseOp") for base in type(op).__mro__
    )


def _broadcasts(shape: tuple[int, ...], result: tuple[int, ...]) -> bool:
    return len(shape) == len(result) and all(
        a in (1, b) for a, b in zip(shape, result, strict=True)
    )


def _is_small(spec: TensorSpec) -> bool:
    return spec.elements < 4096


def _bytes(spec: TensorSpec) -> int:
    return spec.elements * spec.dtype.itemsize
