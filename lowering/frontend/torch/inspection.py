"""Questions about ops: what is registered for one, and what a module needs and nobody has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.export import ExportedProgram

from ...packages.loading import installed
from ...packages.packages import Packages
from ..aten.refused import REFUSED, Refusal
from ..aten.registry import TorchConversion, TorchConversions, of_op
from .load import conversion_table, decomposed, exported
from .programs.executors import TorchExecutor, TorchExecutors
from .programs.nodes import is_random, op_of
from .programs.source import line_of


@dataclass(frozen=True)
class OpSupport:
    """All that is registered for an op of PyTorch; None where there is nothing.

    `refusal` says why the project has no conversion of an op of core ATen.
    """

    op: str
    conversion: TorchConversion | None = None
    executor: TorchExecutor | None = None
    refusal: Refusal | None = None


def registered(
    op: str,
    *,
    conversions: Iterable[TorchConversions] = (),
    executors: Iterable[TorchExecutors] = (),
    packages: Packages | None = None,
) -> OpSupport:
    """Return what is registered for an op: `aten.add.Tensor`, or `aten.add`."""
    table = conversion_table(packages or installed(), conversions)
    run = {row.op: row for rows in executors for row in rows}
    return OpSupport(op, of_op(table, op), of_op(run, op), of_op(REFUSED, op))


def unconverted(
    module: nn.Module | ExportedProgram,
    args: tuple[Any, ...] = (),
    kwargs: Mapping[str, Any] | None = None,
    *,
    conversions: Iterable[TorchConversions] = (),
    packages: Packages | None = None,
) -> dict[str, list[str]]:
    """Return the ops of a module that have no conversion, each with the lines that need it.

    Ops that take no tensors are computed at import. HtpError where `torch.export` fails.
    """
    table = conversion_table(packages or installed(), conversions)
    program = decomposed(exported(module, args, kwargs), table)
    missing: dict[str, list[str]] = {}
    for node in program.graph.nodes:
        if not isinstance(node.target, torch._ops.OpOverload) or not node.target._schema.returns:
            continue
        is_computed = not node.all_input_nodes and not is_random(node)
        if not is_computed and of_op(table, op_of(node)) is None:
            missing.setdefault(op_of(node), []).append(line_of(node))
    return missing
