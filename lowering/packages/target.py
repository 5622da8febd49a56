"""The target `cpp-package`: an op package in use, as C++ source text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from ...dialects.diagnostics import fail
from .def_package.writer import write_cpp
from .loading import packages_of
from .package import OpPackage
from .packages import Packages
from .to_cpp import to_cpp


@dataclass(frozen=True)
class CppPackageTarget(Target):
    """Write the op package `package`; without it, the one that is in use beside `htp`.

    Rules, tensor properties, param orders, axis params and registrations; kernels are declared.
    The module has no part in it.
    """

    name = "cpp-package"

    package: str | None = None

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(write_cpp(to_cpp(chosen(packages_of(ctx), self.package))))


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
