"""A model that is being written: tensors whose names are decided at the end, nodes, their order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableSequence, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

import numpy as np
from onnx import NodeProto
from onnx.helper import make_node

from ....dialects.diagnostics import Fault, HtpError
from ....dialects.spec_of import Array
from ....dialects.value import DType, TensorSpec
from ....runtime.functions.quantize import dequantize
from ...frontend.onnx.blocks.append import free_name
from ...importers.graph.moves import Perm, in_order_at_rank, inverse
from ...importers.graph.order import in_order
from ...importers.support.types import DTYPES, STORED
from ...quantization.groups import laid

ELEMENTS = {dtype: number for number, dtype in DTYPES.items()}
ELEMENTS |= {quantised: ELEMENTS[plain] for quantised, plain in STORED.items()}
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


ABSENT = -1
"""In an order, a dim of extent 1 that the tensor has not."""
ROW = (0, ABSENT, 2, 1)
"""The order of an image [n, 1, w, c] that is a row [n, c, w]."""


@dataclass(frozen=True)
class Ordered:
    """A value of the IR as a tensor of the model with its dims in an order."""

    tensor: ModelTensor
    order: Perm

    @property
    def dims(self) -> Perm:
        """The dims of the tensor, in their order."""
        return tuple(dim for dim in self.order if dim != ABSENT)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the value, once its maker stated it."""
        spec = self.tensor.spec
        return () if spec is None else _extents(spec, self.order)

    def spec_of(self, spec: TensorSpec) -> TensorSpec:
        """Return the spec of the tensor of a value with a spec."""
        return _in_order(spec, tuple(map(self.order.index, order(len(self.dims)))))


def _in_order(spec: TensorSpec, dims: Perm) -> TensorSpec:
    """Return a spec with its dims in an order that may leave out some of extent 1, or add some."""
    quant = spec.quant
    if quant is not None and quant.axis not in (None, *dims):
        spec = replace(spec, quant=replace(quant, axis=None))
    return spec.transposed(dims).with_shape(_extents(spec, dims))


def _extents(spec: TensorSpec, dims: Perm) -> tuple[int, ...]:
    return tuple(1 if dim == ABSENT else spec.shape[dim] for dim in dims)


def order_of(view: Perm, rank: int) -> Perm:
    """Return the order of a value of this rank whose dims a tensor has in the order of a view."""
    return tuple(view.index(dim) if dim in view else ABSENT for dim in order(rank))


def order(rank: int) -> Perm:
    """Return the order that changes nothing."""
    return tuple(range(rank))


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
    """The nodes and constants of a model, and the nodes of its source to copy from.

    `transposes` are those of the source by name and order, `taken` all its names.
    """

    opset: int
    source: Sequence[NodeProto] = ()
    transposes: Mapping[tuple[str, Perm], int] = field(default_factory=dict)
    floats: bool = False
    """True where no node quantises: `encodings` then has the spec of each tensor on a grid."""
    nodes: list[DraftNode] = field(default_factory=list)
    taken: dict[str, None] = field(default_factory=dict)
    makers: dict[ModelTensor, DraftNode] = field(default_factory=dict)
    reals: dict[ModelTensor, ModelTensor] = field(default_factory=dict)
    stored: dict[ModelTensor, ModelTensor] = field(default_factory=dict)
    encodings: dict[ModelTensor, TensorSpec] = field(default_factory=dict)
    fixed: set[str] = field(default_factory=set)
    """The names that tensors have for good."""
    _copied: dict[tuple[object, ...], DraftNode] = field(default_factory=dict)
    _orders: dict[tuple[ModelTensor, Perm], ModelTensor] = field(default_factory=dict)

    def fix(self, tensor: ModelTensor, name: str) -> None:
        """Give a tensor its name for good."""
        tensor.name = name
        self.fixed.add(name)
        self.taken[name] = None

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

    def copy(self, index: int, reads: Mapping[str, ModelTensor]) -> dict[str, ModelTensor]:
        """Copy a node once for what it reads; return its outputs by their names in the source."""
        node = self.source[index]
        key = index, *map(reads.get, node.input)
        if key not in self._copied:
            outputs = [ModelTensor(name) if name else None for name in node.output]
            for tensor in outputs:
                if tensor is not None and tensor.wanted not in self.fixed:
                    self.fix(tensor, tensor.wanted)
            is_first = all(index != other[0] for other in self._copied)
            self._copied[key] = self.add_copy(index, reads, outputs)
            self._copied[key].kept = is_first
        pairs = zip(node.output, self._copied[key].outputs, strict=True)
        return {name: tensor for name, tensor in pairs if tensor is not None}

    def add_copy(
        self, index: int, reads: Mapping[str, ModelTensor], outputs: Sequence[ModelTensor | None]
    ) -> DraftNode:
        """Append a node of the source that reads tensors by its names for them."""
        proto = NodeProto()
        proto.CopyFrom(self.source[index])
        inner = [tensor for name, tensor in reads.items() if name not in proto.input]
        inputs = [*map(reads.get, proto.input)]
        return self.add(DraftNode(proto, inputs, outputs, index, True, inner))

    def ordered(self, written: Ordered, perm: Perm) -> ModelTensor:
        """Return a value with its dims in an order, by a Transpose where it has another one.

        A dim of extent 1 that moves, that the tensor has not, or the order leaves out, takes a
        Reshape.
        """
        tensor, plain = written.tensor, order(len(written.dims))
        whole = tuple(written.order[dim] for dim in perm)
        has_all, spec = sorted(whole) == [*plain], tensor.spec
        is_same = has_all and spec is not None and spec.transposed(whole) == spec
        if whole == plain or (is_same and spec is not None and not _is_moved(whole, spec)):
            return tensor
        if (tensor, whole) not in self._orders:
            stored = self.stored.get(tensor)
            if stored is not None and stored.data is not None:
                turned = self.real(self.ordered(Ordered(stored, written.order), perm))
            elif has_all and not self._is_reshape(tensor, whole):
                turned = self._transposed(tensor, whole)
                turned.spec = tensor.spec.transposed(whole) if tensor.spec else None
            else:
                turned = self._reshaped(tensor, whole)
            self._orders[tensor, whole] = turned
        return self._orders[tensor, whole]

    def _transposed(self, tensor: ModelTensor, perm: Perm) -> ModelTensor:
        """Transpose a constant, else append a Transpose, that of the source where it has one."""
        if tensor.data is not None:
            return ModelTensor(tensor.wanted, None, tensor.data.transpose(perm))
        index = self.transposes.get((tensor.name, perm))
        if index is not None:
            return next(iter(self.copy(index, {tensor.name: tensor}).values()))
        turned = ModelTensor(tensor.wanted)
        self.add_new("Transpose", [tensor], [turned], perm=perm)
        return turned

    def turned(self, tensor: ModelTensor, shape: Sequence[int]) -> ModelTensor | None:
        """Return what a Transpose of the source that moves no element makes, of this shape."""
        if tensor.spec is None:
            return None
        for name, perm in self.transposes:
            if name == tensor.name and not _is_moved(perm, tensor.spec):
                other = tensor.spec.transposed(perm)
                if other.shape == tuple(shape):
                    turned = self._transposed(tensor, perm)
                    turned.spec = other
                    return turned
        return None

    def _reshaped(self, tensor: ModelTensor, dims: Perm) -> ModelTensor:
        """Return a tensor in an order of dims, those of extent 1 put in or left out."""
        assert tensor.spec is not None
        plain, spec = order(tensor.spec.rank), _in_order(tensor.spec, dims)
        full = (*(dim for dim in plain if dim not in dims), *(dim for dim in dims if dim != ABSENT))
        turned = tensor
        if _is_moved(full, tensor.spec):
            turned = self.ordered(Ordered(tensor, full), plain)
        maker = self.makers.get(turned)
        if maker is not None and not maker.kept and maker.proto.op_type == "Reshape":
            turned = maker.inputs[0] or turned
            if turned.spec is not None and turned.spec.shape == spec.shape:
                return turned
        if turned.data is not None:
            return ModelTensor(tensor.wanted, spec, turned.data.reshape(spec.shape))
        reshaped = ModelTensor(tensor.wanted, spec)
        wanted = ModelTensor("shape", None, np.array(spec.shape, np.int64))
        self.add_new("Reshape", [turned, wanted], [reshaped])
        return reshaped

    def _is_reshape(self, tensor: ModelTensor, perm: Perm) -> bool:
        """Tell whether an order keeps that of all elements; a Transpose of the source stays one."""
        known = tensor.data is None and (tensor.name, perm) not in self.transposes
        return known and tensor.spec is not None and not _is_moved(perm, tensor.spec)

    def full(self, written: Ordered) -> Ordered:
        """Return a value whose tensor has all its dims, those that it had not before the last."""
        if ABSENT not in written.order:
            return written
        places = [len(written.dims) - 1.5 if dim == ABSENT else dim for dim in written.order]
        perm = tuple(sorted(order(len(places)), key=places.__getitem__))
        return Ordered(self.ordered(written, perm), inverse(perm))

    def moved(self, written: Ordered, perm: Perm) -> Ordered:
        """Return an operand before the Transpose that all have in common."""
        tensor, rank = written.tensor, len(perm)
        if len(written.order) == rank:
            return Ordered(self.ordered(written, inverse(perm)), order(rank))
        if tensor.data is None or tensor.spec is None or tensor.spec.elements == 1:
            return written
        data, spec = tensor.data.transpose(written.order), tensor.spec.transposed(written.order)
        data, spec = in_order_at_rank(data, spec, inverse(perm))
        moved = ModelTensor(tensor.wanted, spec, data)
        if tensor in self.encodings:
            self.encode(moved, self.encodings[tensor])
        return Ordered(moved, order(data.ndim))

    def real(self, tensor: ModelTensor) -> ModelTensor:
        """Return the real numbers of a tensor, by a DequantizeLinear where it is quantised."""
        if tensor.spec is None or tensor.spec.quant is None:
            return tensor
        if tensor not in self.reals:
            real = ModelTensor(f"{tensor.wanted}_real", tensor.spec.with_dtype(DType.Float32))
            if self.floats and tensor.data is not None:
                quant, real.wanted = tensor.spec.quant, tensor.wanted
                real.data = dequantize(tensor.data, *laid(quant), quant.axis)
                self.encode(real, tensor.spec)
            else:
                self.linear("DequantizeLinear", tensor, real, tensor.spec)
            self.reals[tensor], self.stored[real] = real, tensor
        return self.reals[tensor]

    def encode(self, tensor: ModelTensor, spec: TensorSpec) -> bool:
        """Note that a tensor is on the grid of a spec; false where it is on another one."""
        return self.encodings.setdefault(tensor, spec).same_encoding(spec)

    def linear(self, op: str, tensor: ModelTensor, result: ModelTensor, spec: TensorSpec) -> None:
        """Append a QuantizeLinear or DequantizeLinear with the encoding of a spec."""
        quant = spec.quant
        assert quant is not None
        scales, zeros = laid(quant)
        zeros = zeros.astype(spec.dtype.storage)
        inputs = [tensor, ModelTensor(f"{tensor.wanted}_scale", None, scales)]
        inputs.append(ModelTensor(f"{tensor.wanted}_zero_point", None, zeros))
        attributes = {} if quant.axis is None else {"axis": quant.axis}
        if spec.dtype in _WIDE and self.opset < 21:
            problem = f"opset {self.opset} has no QuantizeLinear of 16 bits"
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
        nodes = sorted(self.nodes, key=lambda node: node.place)
        numbers = {node: number for number, node in enumerate(nodes)}
        makers = ([self.makers[t] for t in node.reads if t in self.makers] for node in nodes)
        needs = [{numbers[maker] for maker in each} for each in makers]
        return [nodes[number] for number in in_order(needs)]

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


def _is_moved(dims: Perm, spec: TensorSpec) -> bool:
    """Tell whether dims of more than one element are not in the order of the tensor."""
    moved = [dim for dim in dims if spec.shape[dim] != 1]
    return moved != sorted(moved)


def is_in_place(written: Ordered, perm: Perm) -> bool:
    """Tell whether a value in another order is a Reshape of its tensor."""
    spec, whole = written.tensor.spec, tuple(written.order[dim] for dim in perm)
    return spec is not None and ABSENT not in whole and not _is_moved(whole, spec)


def common_order(operands: Sequence[Ordered]) -> Perm | None:
    """Return the one order, other than their own, that operands of full rank have in common.

    One whose elements stay in place in that order, as a number for each channel, has it, too.
    """
    rank = max((len(each.order) for each in operands), default=0)
    full = [each for each in operands if each.tensor.data is None and len(each.order) == rank]
    perm, *others = {each.order for each in full if each.order != order(rank)} or [()]
    if others or not perm or ABSENT in perm:
        return None
    rest = [each for each in operands if each not in full]
    fits = all(each.tensor.data is not None or prod(each.shape) == 1 for each in rest)
    fits &= all(each.order == perm or is_in_place(each, inverse(perm)) for each in full)
    return perm if fits else None


def _trim(names: MutableSequence[str]) -> None:
    """Drop the empty names at the end."""
    while names and not names[-1]:
        names.pop()
