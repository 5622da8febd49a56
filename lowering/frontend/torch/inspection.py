"""Questions about ops: what is registered for one, and what a module needs and nobody has."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from torch import nn
from torch.export import ExportedProgram

from ...importers.aten.refused import REFUSED, Refusal
from ...importers.aten.registry import TorchConversion, TorchConversions, of_op
from ...packages.loading import installed
from ...packages.packages import Packages
from .load import conversion_table, exported
from .programs.executors import TorchExecutor, TorchExecutors
from .programs.nodes import line_of, op_of
from .programs.translation import kept_whole, translations, untranslated


@dataclass(frozen=True)
class OpSupport:
    """All that is registered for an op of PyTorch; None where there is nothing.

    `translation` names the function by which PyTorch's exporter writes it in ONNX; an op without
    one may be taken apart. `refusal` says why an op is refused.
    """

    op: str
    conversion: TorchConversion | None = None
    executor: TorchExecutor | None = None
    translation: str | None = None
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
    translation = next(iter(translations(op)), None)
    return OpSupport(op, of_op(table, op), of_op(run, op), translation, of_op(REFUSED, op))


def unconverted(
    module: nn.Module | ExportedProgram,
    args: tuple[Any, ...] = (),
    kwargs: Mapping[str, Any] | None = None,
    *,
    conversions: Iterable[TorchConversions] = (),
    packages: Packages | None = None,
) -> dict[str, list[str]]:
    """Return the ops of a module that nothing converts, each with the lines that need it.

    HtpError where `torch.export` fails.
    """
    table = conversion_table(packages or installed(), conversions)
    program = exported(module, args, kwargs)
    whole = kept_whole(table)
    missing: dict[str, list[str]] = {}
    for node in untranslated(program, whole):
        if of_op(table, op_of(node)) is None:
            missing.setdefault(op_of(node), []).append(line_of(node))
    return missing
