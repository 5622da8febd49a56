"""What the reader has to know of native ops: which keep rows apart, and which dim rows are."""

from htp_mlir.dialects.htp.base import NativeOp
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value.spec import TensorSpec
from xdsl.ir import Operation, SSAValue

TOKENS = ("MatMul", "FullyConnected", "Attention")
"""Ops whose rows are dim 2."""
POINTWISE = (
    *("Softmax", "LogSoftmax", "LayerNorm", "RmsNorm", "Batchnorm", "Prelu", "BiasAdd"),
    *("Cast", "BitCast", "Quantize", "Dequantize", "Clamp", "ReluMinMax", "Select"),
)
"""Ops that keep rows apart, beside the element-wise ones."""


def along_tokens(ops: list[Operation]) -> set[SSAValue]:
    """Values whose rows are dim 2: those of matrix products, and those that are alike."""
    along: set[SSAValue] = set()
    while True:
        before = len(along)
        for op in ops:
            values = [v for v in (*op.operands, *op.results) if _is_tensor(v)]
            if op.name.removeprefix("htp.").partition(".")[0] in TOKENS:
                along |= {*values[:2], *op.results}
            elif (
                isinstance(op, NativeOp)
                and any(v in along for v in values)
                and (is_elementwise(op) or op.name.removeprefix("htp.") in POINTWISE)
            ):
                shape = spec_of(op.results[0]).shape
                along |= {v for v in values if spec_of(v).shape == shape}
        if len(along) == before:
            return along


def _is_tensor(value: SSAValue) -> bool:
    return str(value.type).startswith("tensor")


def is_elementwise(op: NativeOp) -> bool:
    return any(
        base.__name__ in ("UnaryOp", "BinaryOp", "ElementWiseOp") for base in type(op).__mro__
    )


def broadcasts(shape: tuple[int, ...], result: tuple[int, ...]) -> bool:
    return len(shape) == len(result) and all(
        a in (1, b) for a, b in zip(shape, result, strict=True)
    )


def is_small(spec: TensorSpec) -> bool:
    return spec.elements < 4096


def bytes_of(spec: TensorSpec) -> int:
    return spec.elements * spec.dtype.itemsize
