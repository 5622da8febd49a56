"""The importer of a node: a package's, the project's, or the one for ops of an op package."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from onnx import NodeProto, TypeProto

from .....dialects.htp.base import NativeOp
from .....dialects.qti_aisw.base import CustomParam
from .....dialects.qti_aisw.ops.custom import custom
from .....dialects.value import RANK, TensorSpec
from ....conversion.builder import ConversionFault, rank4
from ....conversion.custom import inferred_results
from ....importers.graph.value import Value
from ....importers.support.context import NodeContext, NodeFault
from ....importers.support.registry import OnnxImporter, OpKey, domain_of
from ....packages import OpPackage
from ....packages.packages import Packages
from ....rules.graph.names import DEFAULT_PACKAGE
from ..bodies import control_flow, sequences
from ..bodies.body import Body, Scope, has_schema_body, schema_body
from ..bodies.microsoft import SIGNATURES
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
