"""A model that is being written: tensors whose names are decided at the end, nodes, their order."""

from __future__ import annotations

from collections.abc import Iterable, MutableSequence, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import Any

import numpy as np
from onnx import NodeProto
from onnx.helper import make_node

from ....dialects.dense import Array
from ....dialects.diagnostics import Fault, HtpError
from ....dialects.value.dtypes import DType
from ....dialects.value.spec import TensorSpec
from ...frontend.onnx.blocks.editing import free_name
from ...importers.support.types import DTYPES, QUANTIZED

_STORED = {quantised: plain for plain, quantised in QUANTIZED.items()}
ELEMENTS = {dtype: number for number, dtype in DTYPES.items()}
ELEMENTS |= {quantised: ELEMENTS[plain] for quantised, plain in _STORED.items()}
"""ONNX's element type by dtype; of a quantised one, that of its stored integers."""

_WIDE = (DType.QUInt16, DType.QInt16)


@dataclass(eq=False)
class ModelTensor:
    """A value of the model: its name once it has one, else the name that it would like to have.

    `spec` is not known of values inside what an op becomes. One with `data` is an initializer.
    """

    wanted: str
    spec: TensorSpec | None = None
    data: Array | None = None
    name: str = ""
    wide: ModelTensor | None = None
    """The i64 of indices that this one is the i32 of."""


@dataclass(eq=False)
class DraftNode:
    """A node, the tensors that it reads and makes, and its place among those of the source.

    `inner` are those that the graphs inside it read.
    """

    proto: NodeProto
    inputs: Sequence[ModelTensor | None]
    outputs: Sequence[ModelTensor | None]
    place: int
    kept: bool = False
    inner: Sequence[ModelTensor] = ()

    @property
    def reads(self) -> list[ModelTensor]:
        """The tensors that must be there before the node."""
        return [each for each in (*self.inputs, *self.inner) if each is not None]


@dataclass
class Draft:
    """The nodes and constants of a model; `taken` are the names of the source."""

    opset: int
    nodes: list[DraftNode] = field(default_factory=list)
    taken: dict[str, None] = field(default_factory=dict)
    makers: dict[ModelTensor, DraftNode] = field(default_factory=dict)
    reals: dict[ModelTensor, ModelTensor] = field(default_factory=dict)
    stored: dict[ModelTensor, ModelTensor] = field(default_factory=dict)

    def add(self, node: DraftNode) -> DraftNode:
        """Append a node."""
        self.nodes.append(node)
        self.makers.update({each: node for each in node.outputs if each is not None})
        return node

    def add_new(
        self,
        op: str,
        inputs: Sequence[ModelTensor | None],
        outputs: Sequence[ModelTensor | None],
        place: int | None = None,
        **attributes: Any,
    ) -> None:
        """Append a new node, beside a place in the source, by default that of what it reads."""
        if place is None:
            makers = (self.makers.get(each) for each in inputs if each is not None)
            place = max((maker.place for maker in makers if maker is not None), default=-1)
        self.add(DraftNode(make_node(op, [], [], **attributes), inputs, outputs, place))

    def real(self, tensor: ModelTensor) -> ModelTensor:
        """Return the real numbers of a tensor, by a DequantizeLinear where it is quantised."""
        if tensor.spec is None or tensor.spec.quant is None:
            return tensor
        if tensor not in self.reals:
            real = ModelTensor(f"{tensor.wanted}_real", tensor.spec.with_dtype(DType.Float32))
            self.linear("DequantizeLinear", tensor, real, tensor.spec)
            self.reals[tensor], self.stored[real] = real, tensor
        return self.reals[tensor]

    def linear(self, op: str, tensor: ModelTensor, result: ModelTensor, spec: TensorSpec) -> None:
        """Append a QuantizeLinear or DequantizeLinear with the encoding of a spec."""
        quant = spec.quant
        assert quant is not None
        scales, zeros = np.array(quant.scales, np.float32), np.array(quant.zero_points)
        zeros = zeros.astype(spec.dtype.storage)
        if quant.axis is None:
            scales, zeros = scales.reshape(()), zeros.reshape(())
        inputs = [tensor, ModelTensor(f"{tensor.wanted}_scale", None, scales)]
        inputs.append(ModelTensor(f"{tensor.wanted}_zero_point", None, zeros))
        attributes = {} if quant.axis is None else {"axis": quant.axis}
        if spec.dtype in _WIDE and self.opset < 21:
            problem = f"opset {self.opset} has no {op} of 16 bits"
            raise HtpError(Fault(f"tensor '{tensor.wanted}'", problem, "export it with opset 21"))
        self.add_new(op, inputs, [result], **attributes)

    def name(self, tensor: ModelTensor) -> str:
        """Return the name of a tensor, which takes one now if it has none."""
        if not tensor.name:
            tensor.name = free_name(tensor.wanted or "value", self.taken)
            self.taken[tensor.name] = None
        return tensor.name

    def prune(self, outputs: Iterable[ModelTensor]) -> None:
        """Drop the nodes that no output follows from."""
        left, read = [*outputs], set[ModelTensor]()
        while left:
            tensor = left.pop()
            if tensor not in read:
                read.add(tensor)
                left += self.makers[tensor].reads if tensor in self.makers else ()
        self.nodes = [n for n in self.nodes if any(each in read for each in n.outputs)]

    def sorted(self) -> list[DraftNode]:
        """Return the nodes, makers before readers, else in the order of the source."""
        waits = {
            node: {self.makers[t] for t in node.reads if t in self.makers} for node in self.nodes
        }
        readers: dict[DraftNode, list[DraftNode]] = {node: [] for node in self.nodes}
        for node, makers in waits.items():
            for maker in makers:
                readers[maker].append(node)
        numbers = {node: (node.place, i) for i, node in enumerate(self.nodes)}
        by_number = {number: node for node, number in numbers.items()}
        ready = [numbers[node] for node, makers in waits.items() if not makers]
        heapify(ready)
        done = []
        while ready:
            node = by_number[heappop(ready)]
            done.append(node)
            for reader in readers[node]:
                waits[reader].discard(node)
                if not waits[reader]:
                    heappush(ready, numbers[reader])
        return done

    def protos(self) -> list[NodeProto]:
        """Return the nodes in order, with the names of what they read and make."""
        nodes, names = self.sorted(), {""}
        for node in nodes:
            node.proto.input[:] = [self.name(t) if t else "" for t in node.inputs]
            node.proto.output[:] = [self.name(t) if t else "" for t in node.outputs]
            if not node.kept:
                _trim(node.proto.input)
                _trim(node.proto.output)
        names = {node.proto.name for node in nodes if node.kept}
        for node in nodes:
            if not node.kept:
                node.proto.name = free_name(node.proto.name or node.proto.output[0], names)
                names.add(node.proto.name)
        return [node.proto for node in nodes]

    def constants(self) -> list[ModelTensor]:
        """Return the new constants that nodes read."""
        read = dict.fromkeys(tensor for node in self.nodes for tensor in node.reads)
        return [tensor for tensor in read if tensor.data is not None]


def _trim(names: MutableSequence[str]) -> None:
    """Drop the empty names at the end."""
    while names and not names[-1]:
        names.pop()
