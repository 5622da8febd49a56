"""The walk over the converter's graph: one call a node, and the faults of all of them.

Most op types become graph ops by name, the others by functions. Params have the names of our
params. Source: QNN op definitions.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import UNKNOWN_LOC, ModuleOp, UnrealizedConversionCastOp
from xdsl.ir import Block, SSAValue
from xdsl.utils.exceptions import VerifyException

from ....dialects.diagnostics import Fault
from ....dialects.faults.op_faults import OpFault
from ....dialects.locations import named
from ....dialects.qti_aisw import GRAPH_OPS, const, custom
from ....dialects.qti_aisw.base import CustomParam
from ....dialects.spec_of import Array, type_of
from ....dialects.value import DType, Kind
from ...importers.graph.value import (
    Emitter,
    UnknownType,
    Value,
    hinted,
    joined,
    main_function,
    module_of,
    unread,
)
from ...importers.onnx.elementwise import modulo
from ...importers.onnx.tensors.indexing import gather_nd
from ...importers.support.registry import NodeFault, require
from .call import NetCall, in_reals, settled
from .file import Net, NetNode, NetRole

Build = Callable[[NetCall], Sequence[Value]]
"""Returns the results of a node, which may be in other element types than the file states."""

_BY_NAME = (
    *("Conv2d", "DepthWiseConv2d", "TransposeConv2d", "PoolMax2d", "PoolAvg2d", "MatMul", "Tile"),
    *("Transpose", "Split", "Softmax", "LogSoftmax", "LayerNorm", "RmsNorm", "Batchnorm", "Prelu"),
    *("ReduceSum", "ReduceMean", "ReduceProd", "ReduceMax", "ReduceMin", "Argmax", "Argmin"),
    *("DepthToSpace", "SpaceToDepth", "Relu", "Sigmoid", "Tanh", "HardSwish", "Gelu", "Elu"),
    *("LeakyRelu", "ReluMinMax", "Pad", "Buffer", "MaskedSoftmax", "StatefulGru", "StatefulLstm"),
    *("ElementWiseSelect", "ElementWiseSoftplus", "TopK"),
)
BINARY = (
    *("Add", "And", "Divide", "Equal", "FloorDiv", "Fmod", "Greater", "GreaterEqual", "Less"),
    *("LessEqual", "Maximum", "Minimum", "Mod", "Multiply", "NotEqual", "Or", "Power"),
    *("SquaredDifference", "Subtract", "Xor"),
)
"""The binary operations in the order of their numbers."""
UNARY = (
    *("Abs", "Asin", "Atan", "Ceil", "Cos", "Exp", "Floor", "Log", "Neg", "Not", "Reciprocal"),
    *("Round", "Rsqrt", "Sign", "Sin", "SquareRoot"),
)
"""The unary operations in the order of their numbers."""
NEURON = (
    *("Elu", "Gelu", "HardSigmoid", "HardSwish", "Relu", "ReluMinMax", "Sigmoid"),
    *("ElementWiseSoftplus", "Tanh"),
)
"""The activations in the order of their numbers."""
_OF_NEURON = {
    **dict.fromkeys(("alpha", "beta", "min_value", "max_value", "threshold"), ()),
    **{"alpha": ("Elu", "HardSigmoid"), "beta": ("HardSigmoid", "ElementWiseSoftplus")},
    **{"min_value": ("ReluMinMax",), "max_value": ("ReluMinMax",)},
}
"""The activations that have each param of the op of all activations."""


def _plain(name: str) -> Build:
    return lambda call: call.emit(name, *call.inputs)


def _numbered(names: Sequence[str], prefix: str = "") -> Build:
    """Make the importer of an op whose param `operation` numbers others."""

    def build(call: NetCall) -> Sequence[Value]:
        number = call.whole("operation")
        known = 0 <= number < len(names)
        require(known, f"param 'operation' is {number}, not 0 to {len(names) - 1}")
        name = f"{prefix}{names[number]}"
        require(name in OPS, f"operation '{name}' has no graph op")
        if names is NEURON:
            call.forget(*(key for key, owners in _OF_NEURON.items() if name not in owners))
        return OPS[name](call)

    return build


def _floor_div(call: NetCall) -> Sequence[Value]:
    a, b = in_reals(call.input(0)), in_reals(call.input(1))
    require(a.dtype.is_float, f"of {a.dtype.name} has no graph op")
    return [(a / b).floor()]


def _hard_sigmoid(call: NetCall) -> Sequence[Value]:
    alpha, beta = call.number("alpha", 0.2), call.number("beta", 0.5)
    return [(in_reals(call.input(0)) * alpha + beta).clip(0, 1)]


def _bounded(low: float, high: float) -> Build:
    return lambda call: call.emit("ReluMinMax", *call.inputs, min_value=low, max_value=high)


def _named(param: str, prefix: str) -> Build:
    """Make the importer of an op that another one is named by a param of."""

    def build(call: NetCall) -> Sequence[Value]:
        kind = str(call.params.pop(param, ""))
        known = {name.removeprefix(prefix).lower(): name for name in _BY_NAME if prefix in name}
        name = known.get(kind.removeprefix(prefix).lower(), "")
        require(bool(name), f"param '{param}' is '{kind}', known are {', '.join(known.values())}")
        return call.emit(name, *call.inputs)

    return build


def _reshape(call: NetCall) -> Sequence[Value]:
    call.forget("axes", "axis", "shape")
    return call.emit("Reshape", call.input(0), shape=call.outputs[0].shape)


def _concat(call: NetCall) -> Sequence[Value]:
    """Join parts, each on the grid of the result."""
    spec, parts = call.outputs[0], call.present()
    if spec.dtype.is_quantized:
        parts = [Value(settled(p, p.spec.with_type(spec)), call.emitter) for p in parts]
    return call.emit("Concat", *parts)


def _pack(call: NetCall) -> Sequence[Value]:
    axis, shape = call.whole("axis", 0), call.outputs[0].shape
    require(0 <= axis < len(shape), f"param 'axis' is {axis}, the rank is {len(shape)}")
    require(bool(call.present()), "has no inputs")
    one = (*shape[:axis], 1, *shape[axis + 1 :])
    return [joined([part.op("Reshape", shape=one) for part in call.present()], axis)]


def _unpack(call: NetCall) -> Sequence[Value]:
    axis, inputs, places = call.whole("axis", 0), call.present(), range(1, len(call.outputs))
    require(len(inputs) == 1, f"has {len(inputs)} inputs, it takes 1")
    (x,) = inputs
    parts = x.ops("Split", axis=axis, split_index=places) if places else [x]
    shapes = [spec.shape for spec in call.outputs]
    return [part.op("Reshape", shape=s) for part, s in zip(parts, shapes, strict=False)]


def _strided_slice(call: NetCall) -> Sequence[Value]:
    """Cut by ranges; a bit of a mask leaves an end open, or takes one place and drops its dim."""
    x, ranges = call.input(0), call.params.pop("ranges", ())
    if not isinstance(ranges, tuple) or len(ranges) != 3 * x.rank or 0 in ranges[2::3]:
        raise NodeFault(f"param 'ranges' is {ranges}, not begin, end and step of each dim")
    masks = [call.whole(name, 0) for name in ("begin_mask", "end_mask", "shrink_axes")]
    taken: list[int] = []
    for axis, size in enumerate(x.shape):
        begin, end, step = map(int, ranges[3 * axis : 3 * axis + 3])
        no_begin, no_end, one = (mask >> axis & 1 for mask in masks)
        if one:
            begin += size if begin < 0 else 0
            end, step = begin + 1, 1
        taken += slice(None if no_begin else begin, None if no_end else end, step).indices(size)
    (cut,) = call.emit("StridedSlice", x, ranges=tuple(taken))
    return [cut.op("Reshape", shape=call.outputs[0].shape)] if masks[2] else [cut]


def _indices(call: NetCall) -> Value:
    indices = call.input(1)
    return indices if indices.dtype in Kind.INDEX.value[1] else indices.cast(DType.Int32)


def _by_indices(name: str) -> Build:
    return lambda call: call.emit(name, call.input(0), _indices(call), *call.inputs[2:])


def _fully_connected(call: NetCall) -> Sequence[Value]:
    x, features, shape = call.input(0), call.input(1).shape[-1:], call.outputs[0].shape
    call.forget("keep_dims")
    if x.shape[-1:] != features:
        rows = prod(x.shape) // max(prod(features), 1)
        x = x.op("Reshape", shape=(rows, *features))
    (y,) = call.emit("FullyConnected", x, *call.inputs[1:])
    return [y if y.shape == shape else y.op("Reshape", shape=shape)]


def _resize(interpolation: int) -> Build:
    """Make the importer of an op that resizes as one of the modes of `qti_aisw.Resize` does."""

    def build(call: NetCall) -> Sequence[Value]:
        corners, half = call.whole("align_corners", 0), call.whole("half_pixel_centers", 0)
        call.params["transformation_mode"] = 2 if corners else 0 if half else 3
        call.params["nearest_mode"] = 1 if corners or half else 2
        call.params["interpolation_mode"] = interpolation
        return _sized(call)

    return build


def _sized(call: NetCall) -> Sequence[Value]:
    return call.emit("Resize", *call.inputs, size=call.outputs[0].shape[1:3])


def _non_max_suppression(call: NetCall) -> Sequence[Value]:
    """Choose boxes; the file may state fewer rows than there can be."""
    chosen, count = call.emit("NonMaxSuppression", *call.inputs)
    (rows,) = call.outputs[0].shape[:1] or (0,)
    return [chosen[:rows] if rows < chosen.shape[0] else chosen, count]


OPS: Mapping[str, Build] = {
    **{name: _plain(name) for name in _BY_NAME},
    **{name: _plain(name) for n in (*BINARY, *UNARY) if (name := f"ElementWise{n}") in GRAPH_OPS},
    **{"ElementWiseFloorDiv": _floor_div, "HardSigmoid": _hard_sigmoid},
    "ElementWiseFmod": lambda c: [modulo(*map(in_reals, (c.input(0), c.input(1))), fmod=True)],
    **dict.fromkeys(("Eltwise_Binary", "ElementWiseBinary"), _numbered(BINARY, "ElementWise")),
    **dict.fromkeys(("Eltwise_Unary", "ElementWiseUnary"), _numbered(UNARY, "ElementWise")),
    **{"ElementWiseNeuron": _numbered(NEURON)},
    **{"Relu1": _bounded(-1.0, 1.0), "Relu6": _bounded(0.0, 6.0)},
    **{"Pool": _named("pool_type", "Pool"), "Reduce": _named("reduce_type", "Reduce")},
    **dict.fromkeys(("Reshape", "Squeeze", "ExpandDims"), _reshape),
    **{"Concat": _concat, "Pack": _pack, "UnPack": _unpack, "StridedSlice": _strided_slice},
    **{"Gather": _by_indices("Gather"), "ScatterNd": _by_indices("ScatterNd")},
    "GatherNd": lambda c: [gather_nd(c.input(0), _indices(c), batch_dims=c.whole("batch_dims", 0))],
    "FullyConnected": _fully_connected,
    # The change of element type is left to what the file states.
    **dict.fromkeys(("Cast", "Convert", "Quantize", "Dequantize"), lambda c: [c.input(0)]),
    **{"ResizeNearestNeighbor": _resize(0), "ResizeBilinear": _resize(1), "Resize": _sized},
    "NonMaxSuppression": _non_max_suppression,
}
"""The importers by op type."""

_OF_GATES = "has weights of its own for each gate, which no graph op has"
_READ_ONNX = "look at the ONNX model that the converter read: its layer is taken"
_REFUSED = {
    "NonZero": (
        "gives as many rows as there are numbers other than 0, and a graph op has one shape",
        "cut the model in front of it, or let a TopK or a mask choose",
    ),
    **dict.fromkeys(("Lstm", "Gru"), (_OF_GATES, _READ_ONNX)),
}
"""The reason that an op of QNN is not taken, and what to do, by op type."""

OWN_PACKAGE = "qti.aisw"
"""The package of QNN's own ops."""


def imported(call: NetCall) -> list[SSAValue]:
    """Return the results of a node as the file states them; NodeFault where it cannot be taken."""
    node = call.node
    if node.package != OWN_PACKAGE:
        params: dict[str, CustomParam] = dict(call.params)
        inputs = [value.ssa for value in call.present()]
        op = custom(node.package, node.op, inputs, params, *call.outputs)
        op.verify()
        return list(call.emitter.add(op))
    if node.op in _REFUSED:
        raise NodeFault(*_REFUSED[node.op])
    if node.op not in OPS:
        raise NodeFault("the op is not supported", f"supported are {', '.join(sorted(OPS))}")
    require(bool(call.outputs), "has no outputs")
    results = [*OPS[node.op](call)]
    require(len(results) >= len(call.outputs), f"gives {len(results)} results, the file says more")
    return [settled(result, spec) for result, spec in zip(results, call.outputs, strict=False)]


@dataclass(frozen=True)
class PartialNet:
    """The module of the nodes that can be imported, and the faults of the others by node.

    A Cast without operands represents each result of a faulty node, and what such nodes alone read
    is among the outputs.
    """

    module: ModuleOp
    faults: Mapping[str, Fault]


class _NetImport:
    def __init__(self, net: Net, data: Mapping[str, Array]) -> None:
        self.net = net
        self.data = data
        self.emitter = Emitter(Block(), {}, frozenset())
        self.values: dict[str, SSAValue] = {}
        self.faults: dict[str, Fault] = {}

    def run(self, name: str) -> PartialNet:
        inputs = [*self._named(NetRole.INPUT), *self._named(NetRole.BOTH)]
        for number, each in enumerate(inputs):
            type_ = type_of(self.net.tensors[each].spec)
            self.values[each] = hinted(self.emitter.block.insert_arg(type_, number), each)
        for node in self.net.nodes:
            self._node(node)
        outputs = [*self._named(NetRole.OUTPUT), *self._named(NetRole.BOTH)]
        self.emitter.location = UNKNOWN_LOC
        results = [(each, self._value(each)) for each in outputs]
        typed = [(each, value) for each, value in results if value is not None]
        if self.faults:
            read = {name for node in self.net.nodes for name in node.inputs}
            typed += unread(self.values, read, [value for _, value in typed])
        for each in [each for each, value in results if value is None]:
            fault = Fault(f"tensor '{each}'", "is an output that nothing makes", "write it again")
            self.faults[f"output {each}"] = fault
        function = main_function(self.emitter.block, inputs, typed, name)
        return PartialNet(module_of(function), self.faults)

    def _named(self, role: NetRole) -> Sequence[str]:
        return [name for name, tensor in self.net.tensors.items() if tensor.role is role]

    def _node(self, node: NetNode) -> None:
        self.emitter.location = named(node.name)
        specs = [self.net.tensors[name].spec for name in node.outputs]
        try:
            inputs = [self._operand(name) for name in node.inputs]
            results = imported(NetCall(node, self.emitter, inputs, specs, dict(node.params)))
        except (NodeFault, VerifyException, UnknownType) as fault:
            remedy = fault.remedy if isinstance(fault, NodeFault) else NodeFault("").remedy
            where = f"node '{node.name}' ({node.op})"
            self.faults[node.name] = OpFault(
                where, str(fault), remedy, op=node.op, nodes=(node.name,)
            )
            casts = [UnrealizedConversionCastOp.create(result_types=[type_of(s)]) for s in specs]
            results = [self.emitter.add(cast)[0] for cast in casts]
        for name, value in zip(node.outputs, results, strict=True):
            self.values[name] = hinted(value, name)

    def _operand(self, name: str) -> Value | None:
        """Return an input of a node; None where it is absent."""
        if not name or self.net.tensors[name].role is NetRole.ABSENT:
            return None
        value = self._value(name)
        if value is None:
            raise NodeFault(f"reads '{name}', which nothing makes", "write the file again")
        return Value(value, self.emitter)

    def _value(self, name: str) -> SSAValue | None:
        """Return a tensor; a static one becomes a constant when it is first read."""
        if name not in self.values and name in self.data:
            op = const(self.data[name], self.net.tensors[name].spec)
            self.values[name] = hinted(self.emitter.add(op)[0], name)
        return self.values.get(name)


def import_partly(net: Net, data: Mapping[str, Array], name: str) -> PartialNet:
    """Return what can be imported of a graph of this name; `data` are those of static tensors."""
    return _NetImport(net, data).run(name)
