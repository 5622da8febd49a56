"""Modules of PyTorch as graph IR: PyTorch exports them to ONNX in memory, which is imported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch import nn
from torch.export import ExportedProgram
from xdsl.dialects.builtin import ModuleOp

from ....dialects.diagnostics import HtpError, fail
from ...packages.loading import installed
from ...packages.packages import Packages
from ..aten.registry import TorchConversion, TorchConversions
from ..onnx import imported
from .programs.quiet import quiet
from .programs.results import name_results, results_of, state_results
from .programs.signature import dtype_faults, state_faults
from .programs.sizes import read_sizes
from .programs.translation import translated
from .programs.whole import with_importers


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
    those of the `packages` in use, by default the installed ones, and these before PyTorch's
    ONNX exporter. With `fallback` an op that nothing converts stays as `qti_aisw.Custom` of the
    package `torch`, which a session with `torch_library` runs and lowering refuses.

    Results are named by their keys in dicts, else by their nodes; a number is a scalar, None is
    left out. Raises HtpError with every fault: ops without a conversion, with the line of Python
    that they come from, buffers that the module writes, dims without a size.
    """
    program = exported(module, args, kwargs, dynamic_shapes)
    packages = packages or installed()
    return _graph_of(program, dims or {}, packages, conversions, fallback=fallback)


def _graph_of(
    program: ExportedProgram,
    dims: Mapping[str, int],
    packages: Packages,
    conversions: Iterable[TorchConversions],
    *,
    fallback: bool,
) -> ModuleOp:
    table = conversion_table(packages, conversions)
    sizes, faults = read_sizes(program, dims)
    if faults:
        # Without its sizes nothing else can be said.
        raise HtpError(*faults)
    results = results_of(program, sizes)
    faults = [*dtype_faults(program, results)]
    try:
        translation = translated(program, sizes, table)
        faults += state_faults(translation.program)
        state_results(translation.model, results)
        known = with_importers(packages, translation, table, fallback=fallback)
        graph = imported(translation.model, translation.weights, {}, {}, known)
    except HtpError as error:
        raise HtpError(*faults, *error.faults) from error
    if faults:
        raise HtpError(*faults)
    name_results(graph, results)
    return graph


def conversion_table(
    packages: Packages, conversions: Iterable[TorchConversions]
) -> Mapping[str, TorchConversion]:
    """Return the conversion of each op, a user's first, then a package's."""
    return {**packages.torch_conversions, **{row.op: row for rows in conversions for row in rows}}


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
        with quiet():
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
