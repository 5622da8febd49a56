"""Nodes whose domain is an op package: they become that package's op."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from .....dialects.htp.base import NativeOp
from .....dialects.qti_aisw.base import CustomParam
from .....dialects.qti_aisw.ops.custom import custom
from .....dialects.value import RANK, TensorSpec
from ....conversion.builder import ConversionFault, rank4
from ....conversion.custom import inferred_results
from ....importers.graph.value import Value
from ....importers.support.context import NodeContext, NodeFault
from ....packages.packages import Packages

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
