"""Reads a module of the native level, fused and not tiled, as a graph of the reference planner.

Rows are the dim that plans cut first: the height of an image, the tokens of a sequence, the queries
of attention, whose heads are then columns. Transposes, reshapes, concatenations and slices of
channels are views of the tensors behind them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import prod

from htp_mlir.dialects.htp.base import NativeOp
from htp_mlir.dialects.htp.ops.const import ConstOp, ShapeOp
from htp_mlir.dialects.htp.ops.state import StateOp, StateReadOp, StateWriteOp
from htp_mlir.dialects.spec_of import spec_of
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from .graph import SAME, WHOLE, Graph, Kind, Node, Operand, Reach, Tensor
from .native import along_tokens, bytes_of
from .simplify import crouton_tensors, merged


@dataclass(frozen=True)
class View:
    """A value as its reader sees it: the tensors it is put together from, and its extents.

    `is_whole` says that rows are no longer rows, so that a reader needs all of it.
    """

    tensors: tuple[int, ...]
    extents: tuple[int, int, int, int]
    is_whole: bool = False


class Reader:
    """A module that is being read; `readers` read ops by the first part of their names."""

    def __init__(self, module: ModuleOp, readers: Mapping[str, OpReader], usual: OpReader) -> None:
        self.readers, self.usual = readers, usual
        function = next(op for op in module.walk() if isinstance(op, FuncOp))
        self.ops = list(function.body.block.ops)
        self.inputs = list(function.body.block.args)
        self.along = along_tokens(self.ops)
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
            self.new(value, value.name_hint or "input")
        count = len(self.tensors)
        for op in self.ops:
            self.take(op)
        boundary = {*range(count), *self.outputs}
        croutons = crouton_tensors(self.nodes, self.imaged)
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

    def take(self, op: Operation) -> None:
        if isinstance(op, (ConstOp, ShapeOp, StateOp, StateReadOp, StateWriteOp)):
            for result in op.results:
                if isinstance(op, StateReadOp):
                    self.new(result, "state")
            return
        if isinstance(op, ReturnOp):
            for value in op.operands:
                self.outputs += [i for i in self.views[value].tensors if self.is_result(i)]
            return
        if isinstance(op, NativeOp):
            read = self.readers.get(op.mnemonic().partition(".")[0], self.usual)
            read(self, op)

    def is_result(self, index: int) -> bool:
        return any(node.result == index for node in self.nodes)

    def extents_of(self, value: SSAValue) -> tuple[int, int, int, int]:
        """Images, rows, columns and channels of a value."""
        shape = (1, 1, 1, 1, *spec_of(value).shape)[-4:]
        images, high, wide, depth = shape
        if len(spec_of(value).shape) > 4:
            return 1, 1, 1, prod(spec_of(value).shape)
        if value in self.along or high == 1:
            return images, wide, high, depth
        return images, high, wide, depth

    def new(self, value: SSAValue, name: str) -> int:
        images, rows, columns, channels = extents = self.extents_of(value)
        size = spec_of(value).dtype.itemsize
        self.tensors.append(Tensor(rows, columns, channels, size, images))
        self.names.append(name)
        self.views[value] = View((len(self.tensors) - 1,), extents)
        return len(self.tensors) - 1

    def data_of(self, op: NativeOp) -> list[SSAValue]:
        """Operands that are data of the model; constants and params are not."""
        values = [
            value
            for index, value in enumerate(op.operands)
            if op.operand_name(index) not in op.PARAMS and value in self.views
        ]
        return list(dict.fromkeys(values))

    def constant_bytes(self, op: NativeOp, but: str = "") -> int:
        """Bytes of the constants among an op's operands."""
        values = {
            value
            for index, value in enumerate(op.operands)
            if value in self.constants and op.operand_name(index) != but
        }
        return sum(bytes_of(spec_of(value)) for value in values)

    def name_of(self, op: Operation) -> str:
        name = op.attributes.get("htp.name")
        return str(name).strip('"') if name else op.name

    def add(
        self,
        op: NativeOp,
        kind: Kind,
        operands: list[Operand],
        weights: int = 0,
        extras: int = 0,
        depth: int = 0,
        has_factor: bool = False,
    ) -> None:
        """Append a node; a second result that is used is a tensor that nobody accounts for."""
        result = self.new(op.results[0], self.name_of(op))
        node = Node(kind, tuple(operands), result, weights, extras, depth, has_factor)
        self.nodes.append(node)
        for value in op.results[1:]:
            if value.first_use is not None:
                self.new(value, self.name_of(op))

    def operands_of(
        self, value: SSAValue, rows: Reach = SAME, columns: Reach = SAME
    ) -> list[Operand]:
        """The operands behind a value; what is read across rows or columns is read whole."""
        view = self.views[value]
        operands = []
        for index in view.tensors:
            tensor = self.tensors[index]
            same_rows = not view.is_whole and tensor.rows == view.extents[1]
            same_columns = same_rows and tensor.columns == view.extents[2]
            operands.append(
                Operand(index, rows if same_rows else WHOLE, columns if same_columns else WHOLE)
            )
        return operands

    def nodes_read(self, view: View) -> bool:
        """Tell whether a node has read one of the tensors so far."""
        read = {operand.tensor for node in self.nodes for operand in node.operands}
        return bool(read & set(view.tensors))

    def reshape_input(self, index: int, extents: tuple[int, int, int, int]) -> None:
        images, rows, columns, channels = extents
        size = self.tensors[index].itemsize
        self.tensors[index] = Tensor(rows, columns, channels, size, images)

    def opaque(self, op: NativeOp) -> None:
        data = [value for value in op.operands if value in self.views]
        operands = [o for v in dict.fromkeys(data) for o in self.operands_of(v, WHOLE, WHOLE)]
        self.add(op, Kind.OPAQUE, operands, extras=self.constant_bytes(op))


OpReader = Callable[[Reader, NativeOp], None]
"""A function that reads one op."""
