"""The importer of a node: a package's, the project's, or the one for ops of an op package.

Types that ONNX's own inference does not know are completed here: those of packages' ops, and those
of some of its own.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from onnx import GraphProto, ModelProto, NodeProto, TensorProto, TypeProto, helper

from .....dialects.htp.base import NativeOp
from .....dialects.qti_aisw.base import CustomParam
from .....dialects.qti_aisw.ops.custom import custom
from .....dialects.value import RANK, DType, Shape, TensorSpec
from ....conversion.builder import ConversionFault, rank4
from ....conversion.custom import inferred_results
from ....importers.graph.value import UnknownType, Value, spec_of_array
from ....importers.support.registry import (
    NodeContext,
    NodeFault,
    OnnxImporter,
    OpKey,
    domain_of,
    params_of,
)
from ....importers.support.types import DTYPES, QUANTIZED, shape_of_onnx, spec_of_onnx
from ....packages import OpPackage, Packages
from ....rules.graph.graph import DEFAULT_PACKAGE
from ..bodies import control_flow, sequences
from ..bodies.body import Body, Scope, has_schema_body, schema_body
from ..bodies.microsoft import SIGNATURES
from .folding import Constants, Types, inferred, types_of
from .nodes import op_of
from .spelling import SPELLINGS

Specs = tuple[TensorSpec | None, ...]


def custom_node(packages: Packages, ctx: NodeContext) -> list[Value]:
    """Return the op of the package that the node's domain names, inputs in the node's order.

    Results are what the op's class infers; what it leaves open is as the model states it.
    """
    inputs = [ctx.value(index) for index in range(given_inputs(ctx.node.input))]
    params = ctx.params()
    package, op = ctx.node.domain, ctx.node.op_type
    try:
        inferred = results_of(packages, f"{package}.{op}", [each.spec for each in inputs], params)
    except ConversionFault as fault:
        raise NodeFault(str(fault), fault.remedy) from fault
    count = max(len(inferred), len(ctx.node.output))
    if inferred and count > len(inferred):
        raise NodeFault(f"has {count} outputs, {package}.{op} gives {len(inferred)}")
    rank = inputs[0].rank if inputs else RANK
    known = packages.ops.get(f"{package}.{op}")
    specs = [_result(ctx, index, inferred, rank, known) for index in range(count)]
    results = ctx.emitter.add(custom(package, op, [each.ssa for each in inputs], params, *specs))
    return [Value(result, ctx.emitter) for result in results]


def given_inputs(names: Sequence[str]) -> int:
    """Return the number of inputs of a node without those at the end that are left out."""
    return max((index + 1 for index, name in enumerate(names) if name), default=0)


def results_of(
    packages: Packages, target: str, specs: Sequence[TensorSpec], params: Mapping[str, CustomParam]
) -> Specs:
    """Infer a package op's results, of rank 4; empty where only a conversion knows the op.

    ConversionFault where the op does not take these inputs and params.
    """
    if target not in packages.ops and target in packages.conversions:
        return ()
    return inferred_results(target, specs, params, packages)


def at_rank(spec: TensorSpec, rank: int) -> TensorSpec:
    """Return a spec of rank 4 at another rank, where the dims in front are 1; else unchanged."""
    cut = max(RANK - rank, 0)
    if any(dim != 1 for dim in spec.shape[:cut]):
        return spec
    quant = spec.quant
    if quant is not None and quant.axis is not None:
        quant = replace(quant, axis=quant.axis - cut)
    return replace(spec, shape=spec.shape[cut:], quant=quant)


def _result(
    ctx: NodeContext, index: int, inferred: Specs, rank: int, op: type[NativeOp] | None
) -> TensorSpec:
    """Return a result as the op infers it, at the rank that the model states if it states one."""
    inferred_spec = inferred[index] if index < len(inferred) else None
    stated = ctx.outputs[index] if index < len(ctx.outputs) else None
    if inferred_spec is None:
        if stated is None:
            remedy = "state its type in the model's value_info, or "
            declares = op is not None and op.TO_DECLARE
            remedy += f"declare it:\n{declares}" if declares else "write infer in the op's class"
            raise NodeFault(f"output {index} has no shape: the package's op infers none", remedy)
        return stated
    if stated is not None and rank4(stated).shape == inferred_spec.shape:
        return at_rank(inferred_spec, stated.rank)
    return at_rank(inferred_spec, rank)


_CONTROL: dict[str, Callable[[NodeProto, Scope], Body]] = {
    "If": control_flow.branch,
    "Loop": control_flow.loop,
    "Scan": control_flow.scan,
    "SequenceConstruct": sequences.construct,
    "SequenceEmpty": sequences.construct,
    "SplitToSequence": sequences.split,
    "SequenceAt": sequences.at,
    "SequenceLength": sequences.length,
    "SequenceInsert": sequences.insert,
    "SequenceErase": sequences.erase,
    "ConcatFromSequence": sequences.concat,
    "Optional": sequences.wrap,
    "OptionalHasElement": sequences.has_element,
    "OptionalGetElement": sequences.get_element,
}
_BUILDERS: dict[OpKey, Callable[[NodeProto, Scope], Body]] = {
    **{("", name): builder for name, builder in _CONTROL.items()},
    **{op: signature.body for op, signature in SIGNATURES.items()},
}
"""Builders of bodies by op; other ops have the bodies that ONNX brings."""


def has_body(op: OpKey, version: int) -> bool:
    """Tell whether simpler nodes may replace an op's."""
    return op in _BUILDERS or has_schema_body(op, version)


def body_of(node: NodeProto, scope: Scope) -> Body:
    """Return the body of a node; NodeFault or UnknownInput where there is none as things are."""
    own = _BUILDERS.get((domain_of(node.domain), node.op_type))
    return own(node, scope) if own else schema_body(node, scope)


def costly_body_of(node: NodeProto, scope: Scope) -> Body | None:
    """Return a body that computes more than the node asks for; None where its op has none."""
    is_if = not domain_of(node.domain) and node.op_type == "If"
    return control_flow.both_branches(node, scope) if is_if else None


@dataclass(frozen=True)
class Supported:
    """The ops that can be imported with some packages in use."""

    packages: Packages

    def importer(self, op: OpKey) -> OnnxImporter | None:
        """Return the importer of an op; None where it is not supported."""
        if op in self.packages.importers:
            return self.packages.importers[op]
        node = partial(custom_node, self.packages)
        return OnnxImporter(*op, node) if self.is_package(op[0]) else None

    def __contains__(self, op: OpKey) -> bool:
        return op in SPELLINGS or self.importer(op) is not None

    def lacks(self, op: OpKey) -> bool:
        """Tell whether an op has no importer."""
        return op not in self

    def leaves(self, node: NodeProto, types: Mapping[str, TypeProto]) -> bool:
        """Tell whether the body of a node's op is to take its place, if there is one."""
        if op_of(node) in SPELLINGS:
            return False
        importer = self.importer(op_of(node))
        return importer is None or (importer.leaves is not None and importer.leaves(node, types))

    def has_body(self, op: OpKey, version: int) -> bool:
        """Tell whether simpler nodes may replace an op's."""
        return has_body(op, version)

    @cached_property
    def foldable(self) -> frozenset[OpKey]:
        """The ops that are evaluated where their inputs are constant."""
        return frozenset(row.key for p in self.packages for row in p.importers if row.folds)

    def is_foreign(self, op: OpKey) -> bool:
        """Tell whether a user's package answers for an op, which ONNX then need not know."""
        return op in self._foreign or self.is_package(op[0])

    def has_own(self, op: OpKey) -> bool:
        """Tell whether a package has this very op, or an importer or a conversion of it."""
        name = ".".join(op)
        known = name in self.packages.ops or name in self.packages.conversions
        return op in self._foreign or (self.is_package(op[0]) and known)

    def is_package(self, domain: str) -> bool:
        """Tell whether a domain is a user's op package that is loaded."""
        return domain in self._users

    @cached_property
    def _users(self) -> Mapping[str, OpPackage]:
        return {p.name: p for p in self.packages if p.name != DEFAULT_PACKAGE}

    @cached_property
    def _foreign(self) -> frozenset[OpKey]:
        return frozenset(row.key for package in self._users.values() for row in package.importers)


BOUNDED = {("", "NonMaxSuppression")}
"""Ops whose results have as many rows as the data says."""


def state_bounds(graph: GraphProto, constants: Constants, types: Types) -> bool:
    """Write the types of results whose number of rows follows from data; tell whether one is new.

    The graph pads such a result to its bound: ONNX infers [?, 3] for the result of a
    NonMaxSuppression; of 2 classes, 6 boxes and at most 4 boxes per class, the graph's has 8 rows.
    """
    news = False
    for node in graph.node:
        if op_of(node) not in BOUNDED:
            continue
        rows = _rows(node, constants, types)
        (name,) = node.output
        # A number of rows that the model states is that of one input.
        if rows is not None and shape_of_onnx(types.get(name, TypeProto())) != (rows, 3):
            values = [v for v in (*graph.value_info, *graph.output) if v.name == name]
            for value in values or [graph.value_info.add(name=name)]:
                value.type.CopyFrom(helper.make_tensor_type_proto(TensorProto.INT64, (rows, 3)))
            news = True
    return news


def _rows(node: NodeProto, constants: Constants, types: Types) -> int | None:
    """Return batch * classes * the most boxes of a class; None where one is not known."""
    scores = types.get(node.input[1], TypeProto())
    shape = shape_of_onnx(scores)
    if node.input[1] in constants:
        shape = constants[node.input[1]].shape
    most = 0
    if len(node.input) > 2 and node.input[2]:
        if node.input[2] not in constants:
            return None
        most = int(constants[node.input[2]].reshape(-1)[0])
    if shape is None or len(shape) != 3:
        return None
    return shape[0] * shape[1] * max(min(shape[2], most), 0)


_Shaped = Callable[[NodeProto, Shape], Shape]
"""Gives the shape of a node's result from that of its first input."""


def result_of(node: NodeProto, types: Mapping[str, TypeProto]) -> TypeProto | None:
    """Return the type of a node's result; None where its data has no shape yet."""
    data = types.get(node.input[0], TypeProto())
    shape = shape_of_onnx(data)
    if not shape:
        return None
    element = data.tensor_type.elem_type if op_of(node) in _OF_ANY_TYPE else TensorProto.FLOAT
    return helper.make_tensor_type_proto(element, UNINFERRED[op_of(node)](node, shape))


def _same(_: NodeProto, shape: Shape) -> Shape:
    return shape


def _scores(node: NodeProto, shape: Shape) -> Shape:
    """Return one row for each of the data, with a number for each target."""
    targets = next((a.i for a in node.attribute if a.name == "targets"), 1)
    return (shape[0] if len(shape) > 1 else 1, targets)


def _side_by_side(node: NodeProto, shape: Shape) -> Shape:
    widths = (sum(a.ints) for a in node.attribute if a.name == "inputdimensions")
    return (shape[0], next(widths, 0))


_ML = "ai.onnx.ml"
UNINFERRED: Mapping[OpKey, _Shaped] = {
    ("", "GroupNormalization"): _same,
    (_ML, "Scaler"): _same,
    (_ML, "Normalizer"): _same,
    (_ML, "Imputer"): _same,
    (_ML, "LinearRegressor"): _scores,
    (_ML, "FeatureVectorizer"): _side_by_side,
}
"""Ops whose shapes ONNX does not infer."""
_OF_ANY_TYPE = {("", "GroupNormalization"), (_ML, "Imputer")}
"""Ops whose result has the type of their data; that of the others is f32."""


_ELEMENTS: dict[DType, int] = {
    **{dtype: element for element, dtype in DTYPES.items()},
    **{QUANTIZED[dtype]: element for element, dtype in DTYPES.items() if dtype in QUANTIZED},
}


def complete(model: ModelProto, constants: Constants, types: Types, supported: Supported) -> bool:
    """Write into a model what follows from the types so far; tell whether there is any.

    What ONNX infers from that in turn may be news for further ops, so it goes in rounds,
    on a copy. A node with a fault is passed over: its import says what is wrong.
    """
    completed: Types = {}
    copy = ModelProto()
    if _open_nodes(model.graph, types, supported):
        copy.CopyFrom(model)
    while more := _round(copy.graph, constants, types, supported):
        completed |= more
        _state(copy.graph, more)
        copy = inferred(copy, strict=False)
        types = types_of(copy.graph)
    _state(model.graph, completed)
    return bool(completed)


def _open_nodes(graph: GraphProto, types: Types, supported: Supported) -> list[NodeProto]:
    """Return the nodes that ONNX cannot infer, with outputs that have no shape yet."""
    return [
        node
        for node in graph.node
        if (op_of(node) in UNINFERRED or supported.is_package(node.domain))
        and any(name and _is_open(name, types) for name in node.output)
    ]


def _is_open(name: str, types: Types) -> bool:
    """Tell whether a value's shape is not known."""
    return shape_of_onnx(types.get(name, TypeProto())) is None


def _round(graph: GraphProto, constants: Constants, types: Types, supported: Supported) -> Types:
    """Return the types that the open nodes' results have, one after the other."""
    known = dict(types)
    for node in _open_nodes(graph, types, supported):
        results = dict(_results(node, constants, known, supported))
        known |= {name: type_ for name, type_ in results.items() if _is_open(name, known)}
    return {name: type_ for name, type_ in known.items() if type_ is not types.get(name)}


def _state(graph: GraphProto, types: Types) -> None:
    """Write types of values into a graph."""
    values = {value.name: value for value in (*graph.value_info, *graph.output)}
    for name, type_ in types.items():
        if name in values:
            values[name].type.CopyFrom(type_)
        else:
            graph.value_info.add(name=name, type=type_)


def _results(
    node: NodeProto, constants: Constants, types: Types, supported: Supported
) -> Iterator[tuple[str, TypeProto]]:
    if op_of(node) in UNINFERRED and not supported.is_foreign(op_of(node)):
        result = result_of(node, types)
        if result is not None:
            yield node.output[0], result
        return
    names = node.input[: given_inputs(node.input)]
    try:
        specs = [spec for name in names if (spec := _spec(name, constants, types)) is not None]
        if len(specs) != len(names):
            return
        target = f"{node.domain}.{node.op_type}"
        results = results_of(supported.packages, target, specs, params_of(node))
    except (ConversionFault, NodeFault, UnknownType):
        return
    for name, spec in zip(node.output, results, strict=False):
        if name and spec is not None:
            element = _ELEMENTS.get(spec.dtype, TensorProto.UNDEFINED)
            shape = at_rank(spec, specs[0].rank if specs else spec.rank).shape
            yield name, helper.make_tensor_type_proto(element, shape)


def _spec(name: str, constants: Constants, types: Types) -> TensorSpec | None:
    if name in constants:
        return spec_of_array(constants[name])
    return spec_of_onnx(types[name]) if name in types else None
