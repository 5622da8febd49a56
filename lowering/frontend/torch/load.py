"""Modules of PyTorch straight to graph IR, by `torch.export`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch import nn
from torch.export import ExportedProgram, default_decompositions
from xdsl.dialects.builtin import ModuleOp

from ....dialects.diagnostics import HtpError, fail
from ...packages.loading import installed
from ...packages.packages import Packages
from .aten.ops import SETS
from .aten.program import ProgramImport
from .aten.registry import Convert, TorchConversions


def load_torch(
    module: nn.Module | ExportedProgram,
    args: tuple[Any, ...] = (),
    kwargs: Mapping[str, Any] | None = None,
    *,
    conversions: Iterable[TorchConversions] = (),
    packages: Packages | None = None,
) -> ModuleOp:
    """Return the graph-level module of a PyTorch module, called with these arguments.

    Their shapes are those of the graph. `conversions` are the user's own, which come before the
    project's. An exported program needs no arguments. Raises HtpError with every fault: ops
    without a conversion, with the line of Python that they come from, buffers that the module
    writes, dims without a size.
    """
    table = conversion_table(conversions)
    program = module if isinstance(module, ExportedProgram) else _exported(module, args, kwargs)
    # What has a conversion stays whole; the rest comes apart into core ATen.
    decompositions = default_decompositions()
    for op in list(decompositions):
        if find(table, f"{op.namespace}.{op.__name__}"):
            del decompositions[op]
    program = program.run_decompositions(decompositions)
    importers = (packages or installed()).importers
    return ProgramImport(program, lambda op: find(table, op), importers).run()


def conversion_table(more: Iterable[TorchConversions] = ()) -> Mapping[str, Convert]:
    """Return the conversion of each op, the later ones first."""
    return {row.op: row.function for rows in (*SETS, *more) for row in rows}


def find(table: Mapping[str, Convert], op: str) -> Convert | None:
    """Find the conversion of an overload, `aten.add.Tensor`, or of all overloads, `aten.add`."""
    return table.get(op) or table.get(op.rpartition(".")[0])


def _exported(
    module: nn.Module, args: tuple[Any, ...], kwargs: Mapping[str, Any] | None
) -> ExportedProgram:
    """Export a module in evaluation mode, which it is put back from."""
    was_training = module.training
    try:
        return torch.export.export(module.eval(), args, dict(kwargs or {}))
    except HtpError:
        raise
    except Exception as error:
        lines = [line for line in str(error).splitlines() if line.strip()]
        problem = f"torch.export fails: {lines[0] if lines else type(error).__name__}"
        raise fail(
            type(module).__name__, problem, "see torch.export.export(module, args)"
        ) from error
    finally:
        module.train(was_training)
