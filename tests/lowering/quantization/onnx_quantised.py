"""Models that ONNX Runtime's quantiser writes, what it computes of them, and their float twins."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import onnx
import onnxruntime
from htp_mlir.dialects.qti_aisw.ops.const import ConstOp
from htp_mlir.dialects.qti_aisw.ops.movement import ReshapeOp
from htp_mlir.dialects.qti_aisw.ops.quantize import DequantizeOp, QuantizeOp
from htp_mlir.dialects.spec_of import Array, spec_of
from htp_mlir.lowering.quantization import Encoding, Encodings, quantize
from htp_mlir.lowering.quantization.fitting import tensor_names
from htp_mlir.lowering.quantization.groups import CLIPS
from htp_mlir.runtime.kernel.library import graph_operands
from htp_mlir.runtime.program.boundary import main_function, outputs_of
from onnx import ModelProto
from onnxruntime.quantization import QuantFormat, QuantType, quantize_static
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from ...support.judge import judge_options

Feeds = Sequence[Mapping[str, Array]]

_TYPES = {
    "u8": QuantType.QUInt8,
    "i8": QuantType.QInt8,
    "u16": QuantType.QUInt16,
}


class Way(NamedTuple):
    """The way in which a model is quantised: its form, activations, weights, scales a channel.

    The Quantize and Dequantize ops may be `contributed`, which are those of com.microsoft.
    """

    form: str
    activations: str
    weights: str
    per_channel: bool
    contributed: bool = False


WAYS = {
    "QDQ-u8-u8": Way("QDQ", "u8", "u8", False),
    "QDQ-u8-i8": Way("QDQ", "u8", "i8", True),
    "QDQ-u16-i8": Way("QDQ", "u16", "i8", True),
    "QDQ-i8-i8": Way("QDQ", "i8", "i8", True),
    "QDQ-contributed": Way("QDQ", "u8", "u8", False, contributed=True),
    "QOperator-u8-u8": Way("QOperator", "u8", "u8", False),
    "QOperator-u8-i8": Way("QOperator", "u8", "i8", True),
}


class _Reader:
    def __init__(self, feeds: Feeds) -> None:
        self._feeds = iter(feeds)

    def get_next(self) -> Mapping[str, Array] | None:
        return next(self._feeds, None)


def quantised_file(model: ModelProto, feeds: Feeds, way: Way, folder: Path) -> Path:
    source, result = folder / "float.onnx", folder / "quantised.onnx"
    onnx.save(model, source)
    quantize_static(
        source,
        result,
        _Reader(feeds),
        quant_format=QuantFormat[way.form],
        activation_type=_TYPES[way.activations],
        weight_type=_TYPES[way.weights],
        per_channel=way.per_channel,
        # Where a processor has no dot products of bytes, two products of u8 by i8 saturate; two of
        # weights of 7 bits cannot.
        reduce_range=(way.form, way.weights) == ("QOperator", "i8"),
        extra_options={"UseQDQContribOps": way.contributed},
    )
    return result


def judged(path: Path, feeds: Feeds) -> Array:
    """The first output as ONNX Runtime computes it node by node, over all feeds."""
    options = judge_options()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(str(path), options)
    return np.concatenate([session.run(None, dict(feed))[0].reshape(-1) for feed in feeds])


def twin(model: ModuleOp, quantised: ModuleOp) -> ModuleOp:
    """The float graph, quantised by what an equal graph of integers has for encodings."""
    names, encodings = tensor_names(model), Encodings({}, {})
    activations, params = dict(encodings.activations), dict(encodings.params)
    for value, other in _pairs(model, quantised):
        spec = spec_of(other)
        if spec.quant is not None:
            group = params if isinstance(value.owner, ConstOp) else activations
            group[names[value]] = Encoding(spec.dtype, spec.quant)
    return quantize(model, Encodings(activations, params))


def _pairs(model: ModuleOp, quantised: ModuleOp) -> Iterator[tuple[SSAValue, SSAValue]]:
    """Yield each tensor with the other graph's, without conversions, idle clips and Reshapes."""
    ends = (outputs_of(main_function(each)).values() for each in (model, quantised))
    open_, seen = list(zip(*ends, strict=True)), set()
    while open_:
        value, other = pair = open_.pop()
        if pair in seen:
            continue
        seen.add(pair)
        maker, source = value.owner, other.owner
        yield pair
        if isinstance(maker, Block | ConstOp):
            if isinstance(source, QuantizeOp | DequantizeOp):
                open_.append((value, source.inp))
        elif isinstance(source, QuantizeOp | DequantizeOp):
            open_.append((value, source.inp))
        elif maker.name in CLIPS and maker.name != _name(source):
            open_.append((maker.operands[0], other))
        elif isinstance(source, ReshapeOp) and not isinstance(maker, ReshapeOp):
            open_.append((value, source.operands[0]))
        elif isinstance(maker, ReshapeOp) and not isinstance(source, ReshapeOp):
            open_.append((maker.operands[0], other))
        else:
            assert _name(source) == maker.name
            open_ += _operands(maker, source)


def _name(owner: Operation | Block) -> str:
    return owner.name if isinstance(owner, Operation) else ""


def _operands(maker: Operation, source: Operation | Block) -> Iterator[tuple[SSAValue, SSAValue]]:
    assert isinstance(source, Operation)
    both = zip(graph_operands(maker), graph_operands(source), strict=True)
    for (_, value), (_, other) in both:
        if value is not None and other is not None:
            yield value, other
