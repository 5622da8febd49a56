"""A pass, a kernel module and a fast kernel that nobody listed are named."""

from collections.abc import Iterator
from importlib import import_module
from inspect import isabstract
from pkgutil import walk_packages
from types import ModuleType

import pytest
from htp_mlir.dialects.htp import CORE_OF, NATIVE_OPS
from htp_mlir.lowering import passes
from htp_mlir.lowering.packages.htp import HTP
from htp_mlir.lowering.universe import PASSES
from htp_mlir.runtime import kernels
from htp_mlir.runtime.kernel.declare import KernelSet
from htp_mlir.runtime.kernel.kernel import Cost
from htp_mlir.runtime.kernels import NATIVE, SETS
from xdsl.passes import ModulePass

REFERENCE_ONLY = {
    *("Conv2d_valid", "TransposeConv2d", "PoolMax2d"),
    *("BufferStep", "SequenceIds", "ScatterNd", "TopK", "NonMaxSuppression"),
    *("CopyWait", "DecodeWeights"),
}
"""Ops without a fast kernel: those that rules replace, rare ones, and the wait for a copy."""


def modules(package: ModuleType) -> Iterator[ModuleType]:
    for row in walk_packages(package.__path__, f"{package.__name__}."):
        yield import_module(row.name)


def test_every_pass_has_a_name_for_tools() -> None:
    listed = {load() for load in PASSES.all_passes.values()}
    written = {
        value
        for module in modules(passes)
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, ModulePass)
        and not isabstract(value)
        and value.__module__ == module.__name__
    }
    assert not written - listed, "list the pass in lowering/universe.py"


def test_every_kernel_module_is_listed() -> None:
    for module in modules(kernels):
        declared = getattr(module, "KERNELS", None)
        if isinstance(declared, KernelSet):
            listed = any(declared is row for row in SETS)
            assert listed, f"{module.__name__}: list it in runtime/kernels/__init__.py"


def test_every_op_has_one_importer_and_one_conversion() -> None:
    labels: dict[object, list[str]] = {}
    for row in HTP.importers:
        labels.setdefault(row.key, []).append(row.label)
    for conversion in HTP.conversions:
        labels.setdefault(conversion.op, []).append(conversion.label)
    more = {key: names for key, names in labels.items() if len(names) > 1}
    assert not more, "the last one would count: take out the others"


@pytest.mark.parametrize("name", sorted(NATIVE_OPS.keys() - CORE_OF.keys()))
def test_every_op_has_a_fast_kernel_or_is_rare(name: str) -> None:
    slow = all(kernel.cost is Cost.GLACIAL for kernel in NATIVE.kernels(f"htp.{name}"))
    assert slow == (name in REFERENCE_ONLY), f"{name}: declare a kernel with a cost"
