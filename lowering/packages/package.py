"""An op package as a value: what a user brings under one name. `htp` is one too.

Source: QNN HTP op package documentation, writing a package step by step.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from xdsl.ir import Dialect

from ...dialects.diagnostics import Fault, HtpError
from ...dialects.htp.base import NativeOp
from ...runtime.kernel.kernel import Kernel
from ..conversion.builder import Conversion
from ..importers.aten.registry import TorchConversion
from ..importers.support.registry import OnnxImporter
from ..rules import ParamOrder, Rule, RuleSet, TensorProperties
from ..rules.definition.rule import rules as rule_table
from ..rules.graph.graph import resolve
from ..rules.tree.expr import External
from .def_package.package import CppPackage


@dataclass(frozen=True)
class OpPackage:
    """Ops, their kernels, tensor properties and param orders, and rules.

    Op names in properties, param orders and rules are those of this package unless they say
    otherwise (`Pkg::Op`, `FROM_DEFAULT_PACKAGE("Op")`). `axis_params` names the params, of all its
    ops, that are axes: they are shifted where a tensor of a lower rank is back-filled to rank 4.
    `conversions` turn graph ops into native ops, `importers` nodes of ONNX models into graph
    ops, `torch_conversions` nodes of PyTorch's programs.
    `cpp` is the C++ text's package where this one was read from C++.
    """

    name: str
    ops: tuple[type[NativeOp], ...] = ()
    kernels: tuple[Kernel, ...] = ()
    properties: tuple[TensorProperties, ...] = ()
    param_orders: tuple[ParamOrder, ...] = ()
    rules: RuleSet = field(default_factory=RuleSet)
    axis_params: tuple[str, ...] = ()
    conversions: tuple[Conversion, ...] = ()
    importers: tuple[OnnxImporter, ...] = ()
    torch_conversions: tuple[TorchConversion, ...] = ()
    cpp: CppPackage | None = field(default=None, compare=False, repr=False)

    def ir_name(self, op: str) -> str:
        """Return the name in the IR of an op as this package's declarations name it."""
        return resolve(op, self.name)

    @cached_property
    def dialect(self) -> Dialect:
        """The package's ops as a dialect, for reading and printing IR."""
        return Dialect(self.name, list(self.ops))


def op_package(
    name: str,
    *,
    ops: Iterable[type[NativeOp]] = (),
    kernels: Iterable[Iterable[Kernel]] = (),
    properties: Iterable[TensorProperties] = (),
    param_orders: Iterable[ParamOrder] = (),
    rules: Iterable[Rule | RuleSet] = (),
    externals: Sequence[External] = (),
    axis_params: Iterable[str] = (),
    conversions: Iterable[Iterable[Conversion]] = (),
    importers: Iterable[Iterable[OnnxImporter]] = (),
    torch_conversions: Iterable[Iterable[TorchConversion]] = (),
) -> OpPackage:
    """Return a package out of its parts; `externals` is what rules call by name.

    `kernels` are kernel sets, `conversions` conversion sets, `importers` importer sets and
    `torch_conversions` sets of conversions of PyTorch's ops.

    HtpError for an op whose name does not begin with the package's, and for a rule that calls an
    unknown function. What depends on other packages is checked when packages are loaded.
    """
    classes = tuple(ops)
    _check_names(name, classes)
    return OpPackage(
        name,
        classes,
        tuple(kernel for kernel_set in kernels for kernel in kernel_set),
        tuple(properties),
        tuple(param_orders),
        rule_table(*rules, package=name, ops={op.name: op for op in classes}, externals=externals),
        tuple(dict.fromkeys(axis_params)),
        tuple(conversion for conversion_set in conversions for conversion in conversion_set),
        tuple(importer for importer_set in importers for importer in importer_set),
        tuple(row for torch_set in torch_conversions for row in torch_set),
    )


def _check_names(package: str, ops: Iterable[type[NativeOp]]) -> None:
    """HtpError for an op whose name does not begin with the package's, and for one of no name."""
    faults = [fault for op in ops if (fault := _misnamed(package, op))]
    if not faults and not package.isidentifier():
        place = f"package '{package}'"
        faults = [Fault(place, "this is no name", "take letters, digits and _")]
    if faults:
        raise HtpError(*faults)


def _misnamed(package: str, op: type[NativeOp]) -> Fault | None:
    if op.name.startswith(f"{package}.") and op.mnemonic():
        return None
    remedy = f'write name = "{package}.{op.name.rpartition(".")[2]}"'
    return Fault(f"package {package}", f"class {op.__name__} has the op name '{op.name}'", remedy)


def arity_fault(kernel: Kernel, op: type[NativeOp]) -> str | None:
    """Compare the number of a kernel's tensors with the op's; None where they fit."""
    counts = range(op.least_operands(), len(op.OPERANDS) + 1)
    fits = takes_many(op) or any(kernel.slots_for(count) is not None for count in counts)
    if fits and len(kernel.outputs) == op.RESULTS:
        return None
    return f"takes {kernel.arity()}, op {op.name} has {op.RESULTS} and {op.takes()}"


def takes_many(op: type[NativeOp]) -> bool:
    """Tell whether the last operand represents any number."""
    return "".join(op.OPERANDS[-1:]).endswith("...")
