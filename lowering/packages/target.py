"""The target `cpp-package`: an op package in use, as C++ source text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from ...dialects.diagnostics import fail
from ...dialects.suggestions import listed
from .build_text import interface_text, makefile_text
from .def_package.op_xml import write_definitions
from .def_package.writer import write_cpp
from .loading import packages_of
from .package import OpPackage
from .packages import Packages
from .to_cpp import to_cpp

PARTS: Mapping[str, Callable[[OpPackage], str]] = {
    "ops": lambda package: write_cpp(to_cpp(package)),
    "interface": interface_text,
    "makefile": makefile_text,
    "xml": lambda package: write_definitions(package.name, package.ops, package.param_orders),
}
"""The writer of each part of a package."""


@dataclass(frozen=True)
class CppPackageTarget(Target):
    """Write the op package `package`; without it, the one that is in use beside `htp`.

    The part `ops` has rules, tensor properties, param orders, axis params and registrations;
    kernels are declared. The parts `interface`, `makefile` and `xml` are the files beside it. The
    module has no say in it.
    """

    name = "cpp-package"

    package: str | None = None
    part: str = "ops"

    def __post_init__(self) -> None:
        if self.part not in PARTS:
            raise fail("cpp-package", f"part '{self.part}' is not known", listed(self.part, PARTS))

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(PARTS[self.part](chosen(packages_of(ctx), self.package)))


def chosen(packages: Packages, name: str | None) -> OpPackage:
    """Return the package of that name, or the only one beside `htp`; else HtpError."""
    by_name = {package.name: package for package in packages}
    own, *others = by_name
    if name is None and len(others) > 1:
        problem = f"{len(others)} packages are in use"
        raise fail("cpp-package", problem, f"name one: cpp-package{{package={others[-1]}}}")
    wanted = name or (others[0] if others else own)
    if wanted not in by_name:
        raise fail(
            "cpp-package", f"no package {wanted} is in use", f"there are {', '.join(by_name)}"
        )
    return by_name[wanted]
