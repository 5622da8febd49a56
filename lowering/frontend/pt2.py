"""Files of `torch.export.save` as graph IR, and PyTorch for the ops of a graph that stay its own.

Both need the extra `torch`; nothing of it is imported before they are called.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...dialects.diagnostics import HtpError, fail

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ...runtime.kernel.library import Library


def load_pt2(
    path: str | Path,
    *,
    dims: Mapping[str, int] | None = None,
    constants: Mapping[str, ArrayLike] | None = None,
    ctx: Context | None = None,
    fallback: bool = False,
) -> ModuleOp:
    """Return the graph-level module of an exported program in a file.

    `dims` gives its symbolic dims their sizes; the packages of `ctx`, by default the installed
    ones, bring conversions. With `fallback` an op that nothing converts stays unchanged. Raises
    HtpError with every fault of the program, and for `constants`: its inputs stay open. Nothing
    in the file is executed: one with pickles, or with calls of what is not an op, is refused.
    """
    _require_torch(str(path))
    from ..packages.loading import installed, packages_of
    from .torch import load_torch
    from .torch.archive import load_program
    from .torch.programs.translation import quiet

    if constants:
        problem = f"'{next(iter(constants))}' is given, and a .pt2 program has its inputs open"
        raise fail("--const", problem, "give numbers, not tensors, to torch.export")
    try:
        with quiet():
            # Brings the ops of quantised programs, which a file only names.
            import_module("torch.ao.quantization.fx._decomposed")
            program = load_program(str(path))
    except HtpError:
        raise
    except Exception as error:
        first = next(iter(str(error).splitlines()), type(error).__name__)
        remedy = "write it by torch.export.save, with this version of PyTorch"
        raise fail(str(path), f"torch.export cannot load it: {first}", remedy) from error
    packages = packages_of(ctx) if ctx else installed()
    return load_torch(program, dims=dims, packages=packages, fallback=fallback)


def with_torch(library: Library) -> Library:
    """Return a library that runs the ops of the package `torch` by PyTorch."""
    _require_torch("--fallback")
    from ..packages.evaluation import CUSTOM
    from ..packages.loading import installed
    from .torch.programs.executors import with_executors

    # Without op packages a library has no evaluator for their ops.
    return with_executors(library if CUSTOM in library.graph else installed().library)


def _require_torch(where: str) -> None:
    if find_spec("torch") is None:
        raise fail(where, "needs PyTorch", "pip install 'htp-mlir[torch]'")
