"""The entry points of installed distributions that become op packages, by their group."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...dialects.diagnostics import fail
from ...runtime.environment import KERNELS, PACKAGES, RULES
from ...runtime.kernel.declare import KernelSet
from ..rules.definition.rule import RuleSet
from .package import OpPackage


def _package(name: str, value: object) -> OpPackage:
    if not isinstance(value, OpPackage):
        raise fail(f"package '{name}'", f"{value!r} is no OpPackage", "name an OpPackage")
    return value


def _rules(name: str, value: object) -> OpPackage:
    if not isinstance(value, RuleSet):
        raise fail(f"rules '{name}'", f"{value!r} is no table of rules", "name rules(...)")
    return OpPackage(_identifier(name), rules=value)


def _kernels(name: str, value: object) -> OpPackage:
    if not isinstance(value, KernelSet):
        raise fail(f"kernels '{name}'", f"{value!r} is no KernelSet", "name a KernelSet")
    return OpPackage(_identifier(name), kernels=tuple(value))


def _identifier(name: str) -> str:
    """Return the name of an entry point as that of a package."""
    return "".join(letter if letter.isalnum() else "_" for letter in name)


PLUGINS: Mapping[str, Callable[[str, object], OpPackage]] = {
    PACKAGES: _package,
    RULES: _rules,
    KERNELS: _kernels,
}
"""For each group of entry points, what makes a package of a name and a value."""
