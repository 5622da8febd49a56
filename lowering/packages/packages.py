"""The packages in use, as one value that is passed to whoever needs a table of any of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from operator import add

from xdsl.context import Context

from ...dialects.diagnostics import HtpError
from ...dialects.htp.base import NativeOp
from ...runtime.installed.environment import universe
from ...runtime.kernel.library import KernelRegistry, Library
from ...runtime.kernels import standard_library
from ..conversion.builder import Conversion
from ..importers.aten.registry import TorchConversion
from ..importers.support.registry import OnnxImporter, OpKey
from ..rules import ParamOrder, RuleSet
from ..rules.definition.unknown_ops import UnknownOp, unknown_ops
from ..rules.engine.engine import op_classes
from ..rules.graph.param_order import merge as merge_orders
from ..rules.graph.tables import OpTables, TensorProperties
from ..rules.language.properties import merge as merge_properties
from .checks import package_faults
from .evaluation import CUSTOM, CustomEvaluator
from .htp import HTP
from .named import named_kernels, named_natives, named_properties
from .package import OpPackage


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
