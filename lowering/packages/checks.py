"""Faults of a package among the others that are loaded."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ...dialects.diagnostics import Fault, did_you_mean
from ...dialects.htp.base import NativeOp
from ...dialects.qti_aisw import GRAPH_OPS
from ...dialects.qti_aisw.ops.custom import TORCH
from ...runtime.installed.environment import universe
from ...runtime.installed.universe import guest_ops
from ..conversion.builder import CUSTOM
from ..rules.graph.graph import DEFAULT_PACKAGE, DEFAULT_PREFIX, GRAPH, TensorProperties
from ..rules.graph.param_order import is_axis
from .named import named_natives
from .package import OpPackage, arity_fault, takes_many

Ops = Mapping[str, type[NativeOp]]


def package_faults(package: OpPackage, loaded: Sequence[OpPackage]) -> Iterator[Fault]:
    """Yield every fault of a package that is loaded together with others, itself included.

    A second package of one name is that fault alone, and the second one's.
    """
    if _is_second(package, loaded):
        problem, remedy = "two packages have this name", "load one of them, or rename it"
        yield Fault(f"package {package.name}", problem, remedy)
        return
    loaded = [member for member in loaded if not _is_second(member, loaded)]
    ops = {op.name: op for member in loaded for op in member.ops} | named_natives(loaded)
    yield from name_faults(package.name)
    for name, count in Counter(op.name for op in package.ops).items():
        if count > 1:
            yield Fault(f"package {package.name}", f"declares op {name} {count} times", "keep one")
    yield from _kernel_faults(package, loaded, ops)
    yield from _property_faults(package, ops)
    yield from _order_faults(package, ops)
    yield from _axis_faults(package)
    # Functions are known by name, and a rule must find its own.
    for other in (member for member in loaded if member is not package):
        for name, external in package.rules.externals.items():
            if other.rules.externals.get(name, external) != external:
                where = f"package {package.name}, function {name}"
                yield Fault(where, f"package {other.name} has another of this name", "rename it")
    yield from _registry_faults(package, loaded)


def _is_second(package: OpPackage, loaded: Sequence[OpPackage]) -> bool:
    return next(other for other in loaded if other.name == package.name) is not package


def name_faults(name: str) -> Iterator[Fault]:
    """Refuse a name that no package of a user may have."""
    where, remedy = f"package {name}", "take another name"
    if name == DEFAULT_PREFIX:
        yield Fault(where, "rules call the package htp by this name", remedy)
    elif name == TORCH:
        yield Fault(where, "ops of PyTorch that nothing converts have this package", remedy)
    elif name in universe().all_dialects:
        yield Fault(where, "a dialect has this name", remedy)


def _kernel_faults(package: OpPackage, loaded: Sequence[OpPackage], ops: Ops) -> Iterator[Fault]:
    named = Counter((k.op, k.name) for member in loaded for k in member.kernels)
    for kernel in package.kernels:
        where = f"package {package.name}, kernel {kernel.name}"
        op = ops.get(kernel.op)
        if not op and kernel.op not in guest_ops(kernel.op.partition(".")[0]):
            yield Fault(where, f"is for the unknown op {kernel.op}", _known(kernel.op, ops))
        elif op and (why := arity_fault(kernel, op)):
            yield Fault(where, why, "give it the op's results, then the op's operands")
        elif named[kernel.op, kernel.name] > 1:
            yield Fault(where, f"op {kernel.op} has two kernels of this name", "rename one of them")


def _property_faults(package: OpPackage, ops: Ops) -> Iterator[Fault]:
    for row in package.properties:
        name = package.ir_name(row.op)
        where = f"tensor properties of {name}"
        if name not in ops:
            yield Fault(where, "no loaded package has this op", _known(name, ops))
        elif why := _tag_fault(row, ops[name]):
            yield Fault(where, why, "name the op's own operands and results, in their order")


def _tag_fault(row: TensorProperties, op: type[NativeOp]) -> str | None:
    if len(row.inputs) > len(op.OPERANDS) and not takes_many(op):
        tag = row.inputs[len(op.OPERANDS)]
        return f"'{tag}' is tag {len(op.OPERANDS) + 1}, the op has {len(op.OPERANDS)} operands"
    if len(row.outputs) > op.RESULTS:
        return f"'{row.outputs[op.RESULTS]}' is no output, the op has {op.RESULTS}"
    return None


def _order_faults(package: OpPackage, ops: Ops) -> Iterator[Fault]:
    for order in package.param_orders:
        name = package.ir_name(order.op)
        if name not in ops:
            yield Fault(
                f"param order of {name}", "no loaded package has this op", _known(name, ops)
            )


def _axis_faults(package: OpPackage) -> Iterator[Fault]:
    """Yield the faults of axis params: each is a param of some op, and its default an axis."""
    params = [param for order in package.param_orders for param in order.params]
    known = {*(param.name for param in params), *(p for op in package.ops for p in op.PARAMS)}
    for name in package.axis_params:
        where = f"package {package.name}, axis param '{name}'"
        if name not in known and not _takes_any_param(package):
            order = "a param order" if package.cpp is None else "DEF_PACKAGE_PARAM_ORDER"
            hint = did_you_mean(name, known, f"list it in {order}")
            yield Fault(where, "no op of the package has this param", hint)
        for default in (param.default for param in params if param.name == name):
            axes = default if isinstance(default, tuple) else (default,)
            if default is not None and not all(map(is_axis, axes)):
                yield Fault(where, f"has the default {default!r}", "an axis is an integer")


def _takes_any_param(package: OpPackage) -> bool:
    """Tell whether an op takes any params: it has no order, and any number of operands."""
    ordered = {package.ir_name(order.op) for order in package.param_orders}
    return any(op.name not in ordered and not op.PARAMS and takes_many(op) for op in package.ops)


def _known(name: str, ops: Ops) -> str:
    return did_you_mean(name, ops, "declare it among the package's ops")


def _registry_faults(package: OpPackage, loaded: Sequence[OpPackage]) -> Iterator[Fault]:
    """Yield the faults of a package that is loaded together with others, itself included.

    The package htp converts every op that no other package converts.
    """
    others = [member for member in loaded if member.name != DEFAULT_PACKAGE]
    converted = Counter(row.op for member in others for row in member.conversions)
    for row in package.conversions:
        where = f"package {package.name}, conversion {row.label}"
        if why := _unknown(row.op):
            yield Fault(where, *why)
        elif converted[row.op] > 1:
            yield Fault(where, f"{row.op} has {converted[row.op]} conversions", "keep one of them")
    imported = Counter(row.key for member in others for row in member.importers)
    for importer in package.importers:
        where = f"package {package.name}, importer {importer.label}"
        if imported[importer.key] > 1:
            domain, op = importer.key
            name = f"{domain or 'onnx'}.{op}"
            yield Fault(where, f"{name} has {imported[importer.key]} importers", "keep one of them")
    exported = Counter(row.op for member in others for row in member.torch_conversions)
    for own in package.torch_conversions:
        if exported[own.op] > 1:
            where = f"package {package.name}, conversion {own.label}"
            yield Fault(where, f"{own.op} has {exported[own.op]} conversions", "keep one of them")


def _unknown(op: str) -> tuple[str, str] | None:
    """Return the fault of a conversion's op name, and the remedy; None for a good name."""
    dialect, _, name = op.partition(".")
    if dialect == DEFAULT_PACKAGE:
        return f"is for {op}, a native op", "name a graph op, or rewrite it by a rule"
    if dialect != GRAPH or name in GRAPH_OPS or op == CUSTOM:
        return None
    hint = did_you_mean(name, GRAPH_OPS, "name a graph op, or Package.Op")
    return f"is for the unknown graph op {op}", hint
