"""The encodings that a graph states itself, by its Quantize and Dequantize ops.

A tensor that is but quantised has the encoding of that Quantize, and what an op only moves that of
the result. Example: of Conv2d -> Reshape -> Quantize both results before the Quantize have its
encoding. What a Dequantize gives needs none: it is a form of what it reads.
"""

from collections.abc import Iterator, Mapping

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ...dialects.qti_aisw import ConstOp, GraphOp
from ...dialects.qti_aisw.ops.quantize import DequantizeOp, QuantizeOp
from ...dialects.spec_of import dtype_of
from ...runtime.program.boundary import main_function
from .encodings import Encoding, Encodings, reach
from .groups import is_real
from .names import tensor_names
from .quantize import quantize_in_place


def take_encodings(module: ModuleOp) -> dict[Operation, str]:
    """Quantise a graph in place by the encodings that it states; tell why ops stay in floats.

    A graph without any stays unchanged.
    """
    if not any(isinstance(op, QuantizeOp | DequantizeOp) for op in module.walk()):
        return {}
    names = tensor_names(module)
    stated = {names[value]: encoding for value, encoding in _stated(module).items()}
    return quantize_in_place(module, Encodings(stated), rounds=False)


def _stated(module: ModuleOp) -> Mapping[SSAValue, Encoding]:
    """Map each f32 tensor that all readers quantise to its encoding."""
    stated: dict[SSAValue, Encoding] = {}
    for op in reversed(list(main_function(module).body.block.ops)):
        if isinstance(op, ConstOp):
            continue
        for value in filter(is_real, op.results):
            wanted = [*_wanted(value, stated)]
            encodings = [encoding for encoding in wanted if encoding is not None]
            if encodings and len(encodings) == len(wanted):
                # The finest of those that reach about as far as the one that reaches most.
                most = max(map(reach, encodings))
                far = [encoding for encoding in encodings if reach(encoding) > 0.9 * most]
                stated[value] = min(far, key=lambda each: each.quant.scale if each.quant else 0.0)
    return stated


def _wanted(value: SSAValue, stated: Mapping[SSAValue, Encoding]) -> Iterator[Encoding | None]:
    """Yield the encoding that each reader of a tensor wants; None where one wants none."""
    for use in value.uses:
        op = use.operation
        if isinstance(op, QuantizeOp):
            encoding = Encoding(*dtype_of(op.to))
            whole = encoding.quant is not None and encoding.quant.axis is None
            yield encoding if whole else None
        elif isinstance(op, GraphOp) and op.keeps_encoding:
            yield next(filter(None, map(stated.get, op.results)), None)
        else:
            yield None
