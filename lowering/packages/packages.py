"""The packages in use, as one value that is passed to whoever needs a table of any of them.

Everything that they register for an op is shown to people as text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from operator import add

from xdsl.context import Context

from ...dialects.diagnostics import HtpError, did_you_mean, fail
from ...dialects.htp.base import NativeOp
from ...dialects.htp.named import otherwise
from ...runtime.installed.environment import universe
from ...runtime.kernel.kernel import Cost, Kernel
from ...runtime.kernel.library import KernelRegistry, Library
from ...runtime.kernels import standard_library
from ...runtime.tools.choices import cost_text
from ..conversion.builder import CUSTOM as CUSTOM_OP
from ..conversion.builder import Conversion, ir_name
from ..importers.aten.registry import TorchConversion
from ..importers.support.registry import OnnxImporter, OpKey
from ..rules import Expr, OpForm, ParamOrder, Rule, RuleSet, TensorProperties
from ..rules.definition.rule import UnknownOp, unknown_ops
from ..rules.engine.engine import op_classes
from ..rules.graph.graph import DEFAULT_PACKAGE, GRAPH, OpTables, resolve
from ..rules.graph.param_order import merge as merge_orders
from ..rules.language.properties import merge as merge_properties
from ..rules.tree.expr import walk
from .checks import package_faults
from .evaluation import CUSTOM, CustomEvaluator
from .from_cpp import UnboundCost
from .htp import HTP
from .named import named_kernels, named_natives, named_properties
from .package import OpPackage
from .report_lines import rule_line, tag_line


@dataclass(frozen=True)
class Packages:
    """Packages in the order of loading, `htp` first; tables are by IR name (`Pkg.Op`).

    Rules of one pass group run in that order, and among kernels of equal cost the earlier wins.
    """

    members: tuple[OpPackage, ...] = (HTP,)

    def extended(self, *more: OpPackage) -> Packages:
        """These packages and more; HtpError with everything that does not fit together."""
        if not more:
            return self
        joined = Packages((*self.members, *more))
        faults = [fault for package in more for fault in package_faults(package, joined.members)]
        distinct = len({member.name for member in joined}) == len(joined.members)
        tables = (joined._merged_properties, joined._merged_orders) if distinct else ()
        for table in tables:
            try:
                table()
            except HtpError as error:
                faults += error.faults
        if faults:
            raise HtpError(*faults)
        return joined

    def __iter__(self) -> Iterator[OpPackage]:
        return iter(self.members)

    @cached_property
    def ops(self) -> Mapping[str, type[NativeOp]]:
        """Every op, with the native ones that rules name and that are known by name only."""
        return {op.name: op for package in self.members for op in package.ops} | dict(self._named)

    @cached_property
    def _named(self) -> Mapping[str, type[NativeOp]]:
        return named_natives(self.members)

    @cached_property
    def rules(self) -> RuleSet:
        """Every rule, in the order of the packages and of writing, with the tables of all ops."""
        joined = reduce(add, (package.rules for package in self.members))
        return replace(joined, ops={**self._named, **joined.ops}, tables=self.tables)

    def unknown_ops(self, package: OpPackage) -> list[UnknownOp]:
        """Return the op names in a package's rules that no package has and no rule explains."""
        return unknown_ops(self.rules, op_classes(self.rules), package.rules.rules)

    @cached_property
    def properties(self) -> Mapping[str, TensorProperties]:
        """The tensor properties of each op that declares some."""
        declared = self._merged_properties()
        return {**named_properties(self._named, declared), **declared}

    @cached_property
    def tables(self) -> OpTables:
        """Tensor properties and kernels together, which say how much of the TCM an op needs."""
        return OpTables(self.properties, self.kernels)

    @cached_property
    def param_orders(self) -> Mapping[str, ParamOrder]:
        """The param order of each op that declares one."""
        return self._merged_orders()

    def axis_params(self, op: str) -> tuple[str, ...]:
        """Return the params of an op (`Pkg.Op`) that are axes, as its package says."""
        name = op.partition(".")[0]
        return next((member.axis_params for member in self.members if member.name == name), ())

    def in_cpp(self, op: str) -> bool:
        """Tell whether an op (`Pkg.Op`) belongs to a package that is written in C++."""
        return self.kernels.in_cpp(op)

    @cached_property
    def conversions(self) -> Mapping[str, Conversion]:
        """The conversion of each graph op, by IR name; a package's comes before that of htp."""
        return {row.op: row for package in self.members for row in package.conversions}

    @cached_property
    def importers(self) -> Mapping[OpKey, OnnxImporter]:
        """The importer of each ONNX op, by domain and type; a package's precedes that of htp."""
        return {row.key: row for package in self.members for row in package.importers}

    @cached_property
    def torch_conversions(self) -> Mapping[str, TorchConversion]:
        """The conversion of each op of PyTorch, by name; a package's precedes that of htp."""
        return {row.op: row for package in self.members for row in package.torch_conversions}

    @cached_property
    def library(self) -> Library:
        """The library that runs modules with ops of these packages."""
        added = [package.kernels for package in self.members if package is not HTP]
        named = named_kernels(self._named, standard_library().kernels)
        cpp = [package.name for package in self.members if package.cpp is not None]
        library = standard_library().extended(*added, *([named] if named else []), cpp=cpp)
        return replace(library, graph={**library.graph, CUSTOM: CustomEvaluator(self)})

    @property
    def kernels(self) -> KernelRegistry:
        """The kernels of all packages."""
        return self.library.kernels

    def context(self) -> PackageContext:
        """Return a context that reads ops of these packages and hands the packages to passes."""
        context = PackageContext(packages=self)
        for name, dialect in universe().all_dialects.items():
            context.register_dialect(name, dialect)
        for package in self.members:
            if package is not HTP:
                context.load_dialect(package.dialect)
        for op in self._named.values():
            context.load_op(op)
        return context

    def _merged_properties(self) -> Mapping[str, TensorProperties]:
        return merge_properties(
            [
                replace(row, op=package.ir_name(row.op))
                for package in self.members
                for row in package.properties
            ]
        )

    def _merged_orders(self) -> Mapping[str, ParamOrder]:
        return merge_orders(
            [
                replace(row, op=package.ir_name(row.op))
                for package in self.members
                for row in package.param_orders
            ]
        )


@dataclass
class PackageContext(Context):
    """xDSL's context with the packages in use, which passes ask it for."""

    packages: Packages = field(default_factory=Packages)

    def clone(self) -> PackageContext:
        """Return a copy with the same packages and dialects."""
        return PackageContext(**vars(super().clone()), packages=self.packages)


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
            DEFAULT_PACKAGE, f"{packages.conversions[CUSTOM_OP].label}, from {CUSTOM_OP}"
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
