"""Inputs of a model that are stored integers: all that reads them dequantises them in one way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from onnx import GraphProto, NodeProto

from ....dialects.dense import Array
from ....dialects.value.dtypes import DType, Quant
from .nodes import op_of
from .support.types import QUANTIZED
from .supported import Supported


def input_encoding(
    name: str, dtype: DType, graph: GraphProto, constants: Mapping[str, Array], supported: Supported
) -> tuple[DType, Quant] | None:
    """Return the encoding of an input that each reader dequantises, maybe after it was moved.

    None where it is not an integer of 8 or 16 bits, or something reads it in another way.
    """
    if dtype not in QUANTIZED or any(value.name == name for value in graph.output):
        return None
    stated = set(_stated(name, graph, constants, supported))
    (encoding, *others) = stated or {None}
    return None if encoding is None or others else (QUANTIZED[dtype], encoding)


def _stated(
    name: str, graph: GraphProto, constants: Mapping[str, Array], supported: Supported
) -> Iterator[Quant | None]:
    """Yield the encoding that each reader of a value goes by; None for one that has none."""
    for node in graph.node:
        if name not in node.input:
            continue
        importer = supported.importer(op_of(node))
        if op_of(node) == ("", "DequantizeLinear"):
            yield _quant(node, constants)
        elif importer is not None and importer.keeps_stored and [*node.input].count(name) == 1:
            for result in node.output:
                yield from _stated(result, graph, constants, supported)
        else:
            yield None


def _quant(node: NodeProto, constants: Mapping[str, Array]) -> Quant | None:
    """Return the one scale and zero point of a DequantizeLinear; None where there are others."""
    scale, *zeros = (constants.get(name) for name in node.input[1:] if name)
    zero = zeros[0] if zeros else np.zeros(1, np.int64)
    if scale is None or zero is None or scale.size != 1 or scale.dtype != np.float32:
        return None
    return Quant((float(scale.item()),), (int(zero.item()),))
