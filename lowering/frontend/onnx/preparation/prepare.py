"""From a model as exported to a flat graph of one opset with static types, in the order that works.

Block-op bodies go first (inference would believe them), then functions are inlined, dims fixed,
the opset brought to one version, and last types inferred, constants folded and ops expanded that
have no importer.

Each node comes after those whose outputs it reads.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError

import numpy as np
from numpy.typing import ArrayLike
from onnx import (
    GraphProto,
    ModelProto,
    NodeProto,
    TypeProto,
    ValueInfoProto,
    defs,
    helper,
    inliner,
    numpy_helper,
)
from xdsl.dialects.builtin import LocationAttr

from .....dialects.diagnostics import Fault, HtpError, fail, listed
from .....dialects.faults.op_faults import grouped
from .....dialects.spec_of import Array, text
from ....importers.graph.order import in_order
from ....importers.graph.value import UnknownType
from ....importers.support.attributes import graphs_of
from ....importers.support.registry import BLOCK_OPS, OpKey, Refusal, domain_of
from ....importers.support.schemas import VERSION, register_block_ops
from ....importers.support.types import SUPPORTED, dtype_of_onnx
from ..bodies.body import write_defaults
from ..bodies.microsoft import STRAYS, move_strays
from ..reading.files import external_initializers, external_tensors
from ..reading.weights import Weights, set_aside
from .contradictions import TOOL_ERRORS, one_line
from .expansion import check_functions, complete_functions, expand
from .folding import Constants, Types, fold, types_of
from .nodes import (
    drop_dangling,
    faults_by_node,
    is_text,
    node_locations,
    op_of,
    opsets_of,
    uses,
    where,
)
from .sizes import check_sizes, fix_dims, real_inputs
from .spelling import RANGES, SPELLINGS, spell_out, squeeze_ranges
from .supported import BOUNDED, UNINFERRED, Supported, complete, state_bounds
from .versions import LEAST_OPSET, OPSET, converted

_SHOWN = 6
"""Nodes of a cycle that its error names."""


def sort_nodes(graph: GraphProto) -> None:
    """Bring the nodes into an order that works; HtpError where they form a cycle."""
    stated = {value.name for value in graph.input} | {t.name for t in graph.initializer}
    makers: dict[str, int] = {}
    for index, node in enumerate(graph.node):
        for name in node.output:
            if name and name not in stated:
                makers.setdefault(name, index)
    needs = [{makers[name] for name in _read(node) if name in makers} for node in graph.node]
    if all(before < index for index, some in enumerate(needs) for before in some):
        return
    nodes = [graph.node[index] for index in _sorted(graph, needs)]
    del graph.node[:]
    graph.node.extend(nodes)


def _read(node: NodeProto) -> Iterator[str]:
    """Yield the names that a node reads, those that the graphs inside it read included."""
    yield from node.input
    for attribute in node.attribute:
        for graph in graphs_of(attribute):
            yield from _read_from_outside(graph)


def _read_from_outside(graph: GraphProto) -> set[str]:
    """Return the names that a graph reads and does not make itself."""
    inside = {value.name for value in graph.input} | {t.name for t in graph.initializer}
    read = {value.name for value in graph.output}
    for node in graph.node:
        inside.update(node.output)
        read.update(_read(node))
    return read - inside


def _sorted(graph: GraphProto, needs: list[set[int]]) -> list[int]:
    try:
        return in_order(needs)
    except CycleError as error:
        cycle: list[int] = error.args[1]
        names = [where(graph.node[index]) for index in cycle[:_SHOWN]]
        names += [f"and {len(cycle) - _SHOWN} more"] if len(cycle) > _SHOWN else []
        problem = f"its nodes form a cycle: {', then '.join(names)}"
        raise fail("model", problem, "let none of them read what follows from it") from error


def _fix_constants(graph: GraphProto, constants: Mapping[str, ArrayLike]) -> None:
    """Make initializers of the inputs named; HtpError lists every one that cannot be.

    Numbers and lists take the dtype of their input, a list of one number also its shape; arrays
    must have both.
    """
    inputs = {value.name: value for value in real_inputs(graph)}
    faults: list[Fault] = []
    for name, value in constants.items():
        if name not in inputs:
            known = listed(name, inputs, "inputs are")
            faults.append(Fault(f"constant '{name}'", "is no input of the model", known))
            continue
        try:
            array = _fitting(value, inputs[name])
        except (UnknownType, ValueError, OverflowError) as problem:
            remedy = "give a value of the input's dtype and shape"
            faults.append(Fault(f"constant '{name}'", str(problem), remedy))
            continue
        type_ = helper.make_tensor_type_proto(inputs[name].type.tensor_type.elem_type, array.shape)
        inputs[name].type.CopyFrom(type_)
        graph.initializer.append(numpy_helper.from_array(array, name))
    if faults:
        raise HtpError(*faults)


def _fitting(value: ArrayLike, stated: ValueInfoProto) -> Array:
    """Return a value as the input takes it; ValueError or UnknownType in words where it cannot."""
    if not stated.type.HasField("tensor_type"):
        raise UnknownType("the input is no tensor")
    type_ = stated.type.tensor_type
    try:
        wanted = dtype_of_onnx(type_.elem_type)
    except UnknownType as problem:
        raise UnknownType(f"the input has {problem}; supported are {SUPPORTED}") from problem
    storage = np.dtype(wanted.storage)
    array = np.asarray(value)
    numbers = not isinstance(value, np.ndarray | np.generic)
    with np.errstate(all="ignore"):
        cast = array.astype(storage) if array.dtype.kind in "biuf" else array
    same = np.array_equal(cast, array) or wanted.is_float
    if cast.dtype != storage or not ((numbers and same) or array.dtype == storage):
        raise ValueError(f"its numbers are {array.dtype}, the input is {storage}")
    dims = type_.shape.dim if type_.HasField("shape") else None
    if dims is None:
        return cast
    shape = [dim.dim_value if dim.HasField("dim_value") else -1 for dim in dims]
    if numbers and cast.size == 1 and shape in ([], [1], [-1]):
        cast = cast.reshape((1,) * len(shape))
    fits = cast.ndim == len(shape) and all(
        want in (-1, size) for size, want in zip(cast.shape, shape, strict=True)
    )
    if not fits:
        dims_said = "x".join("?" if size < 0 else f"{size}" for size in shape)
        raise ValueError(f"its shape is {text(cast.shape)}, the input's is {dims_said or 'scalar'}")
    return cast


_MOST_VERSIONS = 2**31 - 1
"""The largest version that onnx's tools count with."""


@dataclass(frozen=True)
class Prepared:
    """A graph without constant nodes, its constants, its types, and the faults found so far.

    `placeholders` are the inputs that replace the outputs of faulty nodes. `refusals`
    says why nodes without importers could not be expanded. `locations` are those of the nodes by
    their first output: nodes of the model, whatever took their places.
    """

    graph: GraphProto
    constants: Constants
    types: Types
    faults: tuple[Fault, ...]
    placeholders: frozenset[str]
    refusals: Mapping[str, Refusal]
    locations: Mapping[str, LocationAttr]


def prepare(
    model: ModelProto,
    weights: Weights,
    dims: Mapping[str, int],
    constants: Mapping[str, ArrayLike],
    supported: Supported,
) -> Prepared:
    """Make a copy of the model ready for import; HtpError where that cannot be done.

    `weights` are the data of initializers that have none; it takes up all constants.
    """
    register_block_ops()
    _check_as_written(model.graph)
    original, model = model, _flattened(model, weights, supported)
    _fix_constants(model.graph, constants)
    stated = types_of(model.graph)
    foreign = [node for node in model.graph.node if supported.is_foreign(op_of(node))]
    fix_dims(model, dims, {name for node in foreign for name in node.output})
    check_sizes(model.graph)
    inputs = {value.name for value in model.graph.input}
    steps = _BetweenRounds(supported, _take_out_faulty(model, stated, supported))
    try:
        model = converted(model)
        _simplify(model.graph)
        _write_defaults(model, supported.lacks)
        graph, known, types = fold(
            model,
            weights,
            foldable=supported.foldable,
            strict=not steps.faults,
            complete=steps.complete,
            expand=steps.expand,
        )
    except HtpError as error:
        # What a removed node leaves behind may not hold together: then its faults say it all.
        raise HtpError(*(grouped(dict.fromkeys(steps.faults)) or error.faults)) from error
    placeholders = frozenset(value.name for value in graph.input) - inputs
    locations = node_locations(original.graph, graph)
    faults = tuple(steps.faults)
    return Prepared(graph, known, types, faults, placeholders, steps.refusals, locations)


def _check_as_written(graph: GraphProto) -> None:
    """HtpError where an output is listed twice, a tensor is too large or one has no name."""
    check_sizes(graph)
    if not all(tensor.name for tensor in graph.initializer):
        raise fail("model", "has an initializer without a name", "export it again")
    outputs = Counter(value.name for value in graph.output)
    if twice := [name for name, count in outputs.items() if count > 1]:
        remedy = "list each output once, or give it another name by an Identity"
        raise HtpError(*(Fault(f"output '{name}'", "is listed twice", remedy) for name in twice))


class _BetweenRounds:
    """The steps between two rounds of folding, and the faults that they come across."""

    def __init__(self, supported: Supported, faults: list[Fault]) -> None:
        self.faults = faults
        self.refusals: Mapping[str, Refusal] = {}
        self._supported = supported

    def complete(self, model: ModelProto, constants: Constants, types: Types) -> bool:
        """Write types that ONNX does not infer; tell whether there were any."""
        graph, is_package = model.graph, self._supported.is_package
        news = uses(graph, BOUNDED) and state_bounds(graph, constants, types)
        if uses(graph, UNINFERRED) or any(is_package(node.domain) for node in graph.node):
            news = complete(model, constants, types, self._supported) or news
        return news

    def expand(self, model: ModelProto, constants: Constants, types: Types) -> ModelProto | None:
        """Put bodies in place of nodes, in the form that import wants; None where there is none."""
        nodes = model.graph.node
        left = [at for at, node in enumerate(nodes) if self._supported.leaves(node, types)]
        simpler, self.refusals = expand(model, left, constants, types) if left else (None, {})
        if simpler is not None:
            _write_defaults(simpler, self._supported.lacks)
            _simplify(simpler.graph)
            check_sizes(simpler.graph)
            self.faults.extend(_take_out_faulty(simpler, types, self._supported))
        return simpler


_MISREAD = {("", "STFT")}
"""Ops with importers whose defaults ONNX's inference misses."""


def _write_defaults(model: ModelProto, of: Callable[[OpKey], bool]) -> None:
    """Write out the defaults of nodes of some ops, before any shape is inferred."""
    opsets = opsets_of(model)
    for node in model.graph.node:
        if of(op_of(node)):
            write_defaults(node, opsets[op_of(node)[0]])


def _simplify(graph: GraphProto) -> None:
    """Write some ops as others, in place, so that importers see fewer forms."""
    if uses(graph, SPELLINGS):
        spell_out(graph)
    if uses(graph, RANGES):
        squeeze_ranges(graph)


def _flattened(original: ModelProto, weights: Weights, supported: Supported) -> ModelProto:
    """Return a copy without functions and weights, with sorted nodes and an opset per domain.

    The body of a block op, or of an op that a package brings, is not looked at.
    """
    if not is_text(original):
        raise fail("model", "holds names that are no UTF-8 text", "export it again")
    _require_inline_data(original, weights)
    model = set_aside(original, weights)
    sort_nodes(model.graph)
    _unify_opsets(model)
    if "" not in opsets_of(model) and all(domain_of(node.domain) for node in model.graph.node):
        model.opset_import.add(domain="", version=OPSET)
    version = opsets_of(model).get("", 0)
    newest = defs.onnx_opset_version()
    if not LEAST_OPSET <= version <= newest:
        remedy = f"export it with an opset from {LEAST_OPSET} to {newest}"
        raise fail("model", f"has opset {version or 'none'}", remedy)
    for domain, number in opsets_of(model).items():
        if not 1 <= number <= _MOST_VERSIONS:
            problem = f"states version {number} of domain '{domain}'"
            raise fail("model", problem, "export it again")
    kept = [
        body
        for body in model.functions
        if body.domain != BLOCK_OPS and not supported.has_own((domain_of(body.domain), body.name))
    ]
    del model.functions[:]
    model.functions.extend(kept)
    if kept:
        check_functions(model)
        complete_functions(model)
        model = _inlined(model)
    if uses(model.graph, STRAYS):
        move_strays(model, version)
    for domain in {BLOCK_OPS} | {domain_of(node.domain) for node in model.graph.node}:
        if domain not in opsets_of(model):
            model.opset_import.add(domain=domain, version=VERSION)
    _write_defaults(model, _MISREAD.__contains__)
    return model


def _unify_opsets(model: ModelProto) -> None:
    """State each domain's opset once, under one name: ONNX's own domain has two."""
    stated = {(domain_of(opset.domain), opset.version) for opset in model.opset_import}
    del model.opset_import[:]
    for domain, version in sorted(stated):
        if domain in opsets_of(model):
            named = f"of domain '{domain}'" if domain else "of ONNX"
            raise fail("model", f"states two opsets {named}", "keep one of them")
        model.opset_import.add(domain=domain, version=version)


def _require_inline_data(model: ModelProto, weights: Weights) -> None:
    initializers = [t for t in external_initializers(model) if t.name not in weights]
    faults = [
        Fault(f"tensor '{tensor.name}'", "has external data", "load the model from its file")
        for tensor in (*initializers, *external_tensors(model))
    ]
    if faults:
        raise HtpError(*faults)


def _inlined(model: ModelProto) -> ModelProto:
    try:
        return inliner.inline_local_functions(model, convert_version=True)
    except TOOL_ERRORS as error:
        problem = f"its functions cannot be inlined: {one_line(error)}"
        raise fail("model", problem, "inline them before export") from error


def _take_out_faulty(model: ModelProto, stated: Types, supported: Supported) -> list[Fault]:
    """Remove the nodes that have faults, so that the rest can still be looked at.

    What they made becomes an input, of the type that the model stated, if any, and what they read
    of other nodes an output.
    """
    faults = drop_dangling(model.graph)
    faulty = faults_by_node(model.graph, opsets_of(model), supported)
    faults += [f for node_faults in faulty.values() for f in node_faults]
    for index in faulty:
        for name in model.graph.node[index].output:
            if name:
                model.graph.input.add(name=name, type=stated.get(name, TypeProto()))
    kept = [node for index, node in enumerate(model.graph.node) if index not in faulty]
    read = {name for index in faulty for name in _read(model.graph.node[index])}
    read -= {value.name for value in model.graph.output}
    for name in (name for node in kept for name in node.output if name in read):
        model.graph.output.add(name=name, type=stated.get(name, TypeProto()))
    del model.graph.node[:]
    model.graph.node.extend(kept)
    return faults
