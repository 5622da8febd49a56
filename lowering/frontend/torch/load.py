"""Modules of PyTorch straight to graph IR, by `torch.export`."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn
from torch.export import ExportedProgram, default_decompositions
from xdsl.dialects.builtin import ModuleOp

from ....dialects.diagnostics import HtpError, fail
from ...packages.loading import installed
from ...packages.packages import Packages
from ..aten.registry import Convert, TorchConversion, TorchConversions, of_op
from .programs.fallback import keep
from .programs.program import ProgramImport


def load_torch(
    module: nn.Module | ExportedProgram,
    args: tuple[Any, ...] = (),
    kwargs: Mapping[str, Any] | None = None,
    *,
    dynamic_shapes: Any = None,
    dims: Mapping[str, int] | None = None,
    conversions: Iterable[TorchConversions] = (),
    packages: Packages | None = None,
    fallback: bool = False,
) -> ModuleOp:
    """Return the graph-level module of a PyTorch module, called with these arguments.

    An exported program needs no arguments. Their shapes are those of the graph, but for
    `dynamic_shapes`, which `torch.export` takes; `dims` gives the symbolic dims their sizes, by
    the names of their Dims or by `input:axis`. `conversions` are the user's own, which come before
    those of the `packages` in use, by default the installed ones. With `fallback` an op that
    nothing converts stays as `qti_aisw.Custom` of the package `torch`, which a session with
    `torch_library` runs and lowering refuses.

    Results are named by their keys in dicts, else by their nodes; a number is a scalar, None is
    left out. Raises HtpError with every fault: ops without a conversion, with the line of Python
    that they come from, buffers that the module writes, dims without a size.
    """
    packages = packages or installed()
    table = conversion_table(packages, conversions)
    program = decomposed(exported(module, args, kwargs, dynamic_shapes), table)
    functions: dict[str, Convert] = {op: row.function for op, row in table.items()}
    otherwise = keep if fallback else None
    return ProgramImport(program, functions, packages.importers, dims or {}, otherwise).run()


def conversion_table(
    packages: Packages, conversions: Iterable[TorchConversions]
) -> Mapping[str, TorchConversion]:
    """Return the conversion of each op, a user's first, then a package's."""
    return {**packages.torch_conversions, **{row.op: row for rows in conversions for row in rows}}


def decomposed(program: ExportedProgram, table: Mapping[str, object]) -> ExportedProgram:
    """Take the ops of a program apart into core ATen, but for those in the table."""
    decompositions = default_decompositions()
    for op in list(decompositions):
        if of_op(table, f"{op.namespace}.{op.__name__}"):
            del decompositions[op]
    with _quiet():
        return program.run_decompositions(decompositions)


def exported(
    module: nn.Module | ExportedProgram,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any] | None,
    dynamic_shapes: Any = None,
) -> ExportedProgram:
    """Export a module in evaluation mode, which it is put back from; HtpError where that fails."""
    if isinstance(module, ExportedProgram):
        return module
    training = [part for part in module.modules() if part.training]
    try:
        with _quiet():
            return torch.export.export(
                module.eval(), args, dict(kwargs or {}), dynamic_shapes=dynamic_shapes
            )
    except HtpError:
        raise
    except Exception as error:
        lines = [line for line in str(error).splitlines() if line.strip()]
        problem = f"torch.export fails: {lines[0] if lines else type(error).__name__}"
        remedy = "see torch.export.export(module, args)"
        raise fail(type(module).__name__, problem, remedy) from error
    finally:
        for part in training:
            part.training = True


@contextmanager
def _quiet() -> Iterator[None]:
    """Drop the warnings of torch.export about its own trees, and PyTorch's own layers."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"`isinstance\(treespec", FutureWarning)
        warnings.filterwarnings("ignore", r"The tensor attributes? self\.[\w.]*_flat_weights")
        yield
