"""Everything that the packages in use register for an op, as text for people."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...dialects.diagnostics import fail
from ...dialects.htp.base import NativeOp
from ...dialects.htp.named import otherwise
from ...dialects.suggestions import did_you_mean
from ...runtime.kernel.kernel import Cost, Kernel
from ...runtime.tools.choices import cost_text
from ..conversion.builder import CUSTOM, ir_name
from ..rules import Expr, OpForm, ParamOrder, Rule, TensorProperties
from ..rules.graph.names import DEFAULT_PACKAGE, GRAPH, resolve
from ..rules.tree.expr import walk
from .bodies import UnboundCost
from .packages import Packages
from .report_lines import rule_line, tag_line

_OF_PYTORCH = ("aten", "prims")
"""The namespaces of PyTorch's own ops."""


@dataclass(frozen=True)
class PackageFunction:
    """A function that a package brings for an op."""

    package: str
    function: str

    def __str__(self) -> str:
        return f"{self.function}, of {self.package}"


@dataclass(frozen=True)
class Registered:
    """A name with all that the packages in use say of it, as a native, a graph, an ONNX or
    a PyTorch op.

    `matching` are the rules at whose root or inside whose match the native op stands, `building`
    those that make it. `conversions`, `importers` and `torch_conversions` are
    those that are in use first.
    """

    name: str
    op: type[NativeOp] | None = None
    kernels: tuple[Kernel, ...] = ()
    properties: TensorProperties | None = None
    param_order: ParamOrder | None = None
    matching: tuple[Rule, ...] = ()
    building: tuple[Rule, ...] = ()
    conversions: tuple[PackageFunction, ...] = ()
    importers: tuple[PackageFunction, ...] = ()
    torch_conversions: tuple[PackageFunction, ...] = ()

    def lines(self) -> list[str]:
        """Return the entry as lines of text."""
        return [*self._native(), *self._others()]

    def _native(self) -> Iterator[str]:
        if self.op is None:
            yield self.name
            return
        yield f"{self.op.name}({', '.join(self.op.OPERANDS)})"
        yield from _section("kernels", map(_kernel, self.kernels))
        yield from _section("tensor properties", _properties(self.properties))
        yield from _section("param order", _params(self.param_order))
        yield from _section("rules that match it", map(rule_line, self.matching))
        yield from _section("rules that build it", map(rule_line, self.building))

    def _others(self) -> Iterator[str]:
        if self.conversions:
            yield from _section("graph op, converted by", map(str, self.conversions))
        if self.importers:
            yield from _section("ONNX op, imported by", map(str, self.importers))
        if self.torch_conversions:
            yield from _section("PyTorch op, converted by", map(str, self.torch_conversions))


def registered(packages: Packages, name: str) -> Registered:
    """Everything that is registered for an op: `Pkg.Op`, or `Op` for one of the package htp.

    A graph op is `qti_aisw.Op`, one of ONNX `onnx.Op` or `domain.Op`, one of PyTorch
    `aten.add.Tensor` or `aten.add`. For a graph op the native op
    of its name is listed, too. HtpError where nobody knows the op.
    """
    graph = name.partition(".")[0] == GRAPH
    native = name.partition(".")[2] if graph else name
    full = native if native in packages.ops else f"{DEFAULT_PACKAGE}.{native}"
    conversions = tuple(_conversions(packages, name if graph else full))
    importers = tuple(_importers(packages, name))
    if full in packages.ops:
        rules = packages.rules.rules
        return Registered(
            name,
            packages.ops[full],
            packages.kernels.kernels(full),
            packages.properties.get(full),
            packages.param_orders.get(full),
            tuple(rule for rule in rules if full in _op_names(rule.match, rule.package)),
            tuple(rule for rule in rules if full in _op_names(rule.replacement, rule.package)),
            conversions,
            importers,
        )
    torch = tuple(_torch_conversions(packages, name))
    if conversions or importers or torch:
        return Registered(
            name, conversions=conversions, importers=importers, torch_conversions=torch
        )
    known = [*packages.ops, *packages.conversions, *_onnx_names(packages)]
    known += packages.torch_conversions
    hint = otherwise(name) or did_you_mean(name, known, "name it as the IR does: Pkg.Op")
    if name.partition(".")[0] in _OF_PYTORCH:
        hint = "PyTorch's exporter knows most of its ops: see registered(op) of frontend.torch"
    raise fail(f"op '{name}'", "no package in use has it", hint)


def _conversions(packages: Packages, name: str) -> Iterator[PackageFunction]:
    """Yield the conversions of a graph op, by its name or that of the native op that it becomes."""
    package, _, op = name.partition(".")
    keys = {name, ir_name(op)} if package == DEFAULT_PACKAGE else {name}
    for member in reversed(packages.members):
        for row in member.conversions:
            if row.op in keys:
                yield PackageFunction(member.name, row.label)
    if name in packages.ops and package != DEFAULT_PACKAGE:
        yield PackageFunction(
            DEFAULT_PACKAGE, f"{packages.conversions[CUSTOM].label}, from {CUSTOM}"
        )


def _importers(packages: Packages, name: str) -> Iterator[PackageFunction]:
    """Yield the importers of `domain.Op`; `onnx` is ONNX's own domain, a package has its name."""
    domain, _, op = name.rpartition(".")
    key = ("" if domain in ("onnx", "ai.onnx") else domain, op)
    for member in reversed(packages.members):
        for row in member.importers:
            if row.key == key:
                yield PackageFunction(member.name, row.label)
    if name in packages.ops and domain != DEFAULT_PACKAGE:
        yield PackageFunction(DEFAULT_PACKAGE, "custom_node, by the param order")


def _torch_conversions(packages: Packages, name: str) -> Iterator[PackageFunction]:
    for member in reversed(packages.members):
        for row in member.torch_conversions:
            if row.op in (name, name.rpartition(".")[0]):
                some = " for some arguments" * (row.when is not None)
                yield PackageFunction(member.name, row.label + some)


def _onnx_names(packages: Packages) -> Iterator[str]:
    for domain, op in packages.importers:
        yield f"{domain or 'onnx'}.{op}"


def _op_names(expr: Expr, package: str) -> Iterator[str]:
    return (resolve(form.name, package) for form in walk(expr) if isinstance(form, OpForm))


def _section(title: str, rows: Iterable[str]) -> Iterator[str]:
    yield f"  {title}:"
    lines = list(rows) or ["none"]
    yield from (f"    {row}" for row in lines)


def _kernel(kernel: Kernel) -> str:
    cost = cost_text(kernel.cost.value) if isinstance(kernel.cost, Cost) else "by a function"
    cost = str(kernel.cost) if isinstance(kernel.cost, UnboundCost) else cost
    slots = [f"{slot.name}: {slot.text()}" for slot in (*kernel.outputs, *kernel.inputs)]
    tensors = ", ".join([*slots[:-1], f"*{slots[-1]}" if kernel.variadic else slots[-1]])
    flags = "".join(f", {flag.name}" for flag in kernel.flags)
    scratch = "".join(f", scratch {own.name}: {own.takes.__name__}" for own in kernel.scratch)
    return f"{kernel.name}({tensors}), cost {cost}{flags}{scratch}"


def _properties(row: TensorProperties | None) -> Iterator[str]:
    """Yield each tensor with its placement constraint; without a declaration, flat in DDR."""
    if row is None:
        yield "none, so everything is flat in main memory"
        return
    yield from (tag_line(row, tag) for tag in (*row.outputs, *row.inputs))


def _params(order: ParamOrder | None) -> Iterator[str]:
    for param in order.params if order else ():
        default = "" if param.default is None else f", default {param.default}"
        yield f"{param.name}{', mandatory' if param.mandatory else ''}{default}"
