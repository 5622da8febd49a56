"""Importers of the ops that stay whole: their conversions, or why there is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from .....dialects.qti_aisw.ops.custom import TORCH
from ....packages.package import op_package
from ....packages.packages import Packages
from ...aten.node import AtenNode
from ...aten.quantized import DEQUANTIZES
from ...aten.refused import refusal
from ...aten.registry import Convert, TorchConversion, of_op
from ...graph.value import Value
from ...onnx.support.context import NodeContext
from ...onnx.support.registry import OnnxImporter
from .fallback import keep
from .translation import Translation


def with_importers(
    packages: Packages,
    translation: Translation,
    table: Mapping[str, TorchConversion],
    *,
    fallback: bool,
) -> Packages:
    """Return packages that import the ops that stayed whole, too, by the conversions in a table.

    With `fallback` an op that has none is kept, but for a random one.
    """
    importers = []
    for op in {info.op for info in translation.whole.values()}:
        row = of_op(table, op)
        convert = row.function if row else None
        if convert is None and fallback and op not in translation.random:
            convert = keep
        function = partial(_import, convert, translation, packages)
        domain, _, name = op.partition(".")
        dequantizes = of_op(DEQUANTIZES, op) is not None
        importers.append(OnnxImporter(domain, name, function, keeps_stored=dequantizes))
    return Packages((*packages.members, op_package(TORCH, importers=[importers])))


def _import(
    convert: Convert | None, translation: Translation, packages: Packages, context: NodeContext
) -> Sequence[Value | None]:
    """Build the ops of a node that stayed whole; NodeFault where it has no conversion."""
    info = translation.whole[context.node.name]
    if convert is None:
        raise refusal(info.op, is_random=info.op in translation.random)
    for index in range(len(context.node.input)):
        context.value(index)
    return AtenNode(info, context, packages.importers).converted(convert)
