"""Native ops that op packages name and that have no class of their own.

Some are further names of another native op, with the same operands, result and meaning. Of the
others only the name is known; rules build and match them and tools print them, but nothing runs
them.
Their classes are made when a rule names them.

Example: `Relu.tcm` computes what `Relu` does, `Decimate` is known by name only, and `Rleu.tcm` is
misspelt and refused.
"""

import re
from functools import cache

from xdsl.ir import SSAValue, SSAValues
from xdsl.irdl import AnyAttr, VarOperandDef

from ..spec_of import spec_of
from . import CORE_OF, NATIVE_OPS
from .base import NativeOp
from .fields import Field
from .types import ShapeType

_SAME: dict[str, str] = {
    r"Requantize": "Quantize",
    r"(.+\.)?act(ivations?)?_(?P<way>to|from)_vtcm": "crouton_{way}_vtcm",
    r".+_(?P<way>to|from)_vtcm": "flat_{way}_vtcm",
    r"(?P<stem>.+)\.tcm": "{stem}",
    r"(?P<stem>.+?)[._]?(?i:in_?place)": "{stem}",
}
"""Names with the op of the same meaning; the first that fits counts.

Activations in TCM are croutons, what else is copied there is flat. `.tcm` says where the tensors of
an op are, and `in_place` that it writes where it reads: neither changes what is computed.
"""
_SLICES = r"(?i:[\w.]*slice[\w.]*in_?place\w*|in_?place[\w.]*slice\w*)"
_OTHERWISE = {
    "Convert": "Cast, Quantize or Dequantize",
    "ElementWiseBinary": "ElementWiseAdd, ElementWiseMultiply and the like",
    "ElementWiseNeuron": "Relu, Sigmoid and the like",
    "ElementWiseUnary": "ElementWiseAbs, ElementWiseNeg and the like",
    "Pack": "Concat of reshaped parts",
    "Relu1": "ReluMinMax between -1 and 1",
    "Relu6": "ReluMinMax between 0 and 6",
    "UnPack": "StridedSlice, and Reshape",
    **dict.fromkeys(("ExpandDims", "Squeeze"), "Reshape"),
    **dict.fromkeys(("ResizeBilinear", "ResizeNearestNeighbor"), "Resize"),
}
"""Ops of QNN without a class, with the ops here, of graphs and native ones, that do the same."""
QNN_NAMES = frozenset(
    (
        *("AxisAlignedBboxTransform", "BatchPermutation", "BboxTransform", "BoxWithNmsLimit"),
        *("ChannelShuffle", "CollectRpnProposals", "CombinedNms", "CropAndResize"),
        *("CumulativeSum", "DepthWiseConv1d", "DetectionOutput", "DistributeFpnProposals"),
        *("ExtractGlimpse", "ExtractPatches", "GatherElements", "GatherNd"),
        *("GenerateProposals", "GridSample", "GroupNorm", "HeatMapMaxKeyPoint"),
        *("ImageProjectionTransform", "InstanceNorm", "L2Norm", "L2Pool2d", "Lrn", "Moments"),
        *("MultiClassNms", "NonZero", "Nv12ToRgb", "Nv21ToRgb", "OneHot", "PoolAvg3d"),
        *("PoolMax3d", "RoiAlign", "RoiPooling", "ScatterElements", "Shape", "TransposeConv1d"),
        *("TransposeConv3d", *_OTHERWISE),
    )
)
"""Ops of QNN that have no class here, neither as graph ops nor as native ones."""
_NAMES = re.compile(rf"(Decimate\w*|TableLookup\w*|Reshape_to_\w+|{_SLICES})(\.tcm)?")
"""Names whose meaning no document tells."""


class NamedOp(NativeOp):
    """An op of the processor that packages name and no document describes.

    It takes any tensors and shapes, and its result is free.
    """

    values = Field[SSAValues[SSAValue]](VarOperandDef(AnyAttr()))

    def verify_operands(self) -> None:
        """Check the rank of the tensors."""
        for index, operand in enumerate(self.operands):
            if not isinstance(operand.type, ShapeType):
                self.verify_rank(f"operand {index}", spec_of(operand))


@cache
def meaning_of(mnemonic: str) -> str:
    """Return the native op that computes what one of this name does; empty where none is known."""
    if mnemonic in NATIVE_OPS:
        return CORE_OF.get(mnemonic, mnemonic)
    for pattern, same in _SAME.items():
        if match := re.fullmatch(pattern, mnemonic):
            return meaning_of(same.format(**match.groupdict()))
    return ""


def otherwise(op: str) -> str:
    """Say which op does here what one of QNN does, `Pkg.Op` or `Op`; empty where none is known."""
    here = _OTHERWISE.get(op.rpartition(".")[2])
    return f"here it is {here}" if here else ""


def unknown_meaning(op: str) -> str:
    """Say of an op that is known by name only what runs it, or which op does the same here."""
    fact = "is known by name only: it runs once a package brings a kernel for it"
    return "; ".join(filter(None, (fact, otherwise(op))))


@cache
def named_op(mnemonic: str, has_kernel: bool = False) -> type[NativeOp] | None:
    """Return the class of a native op that is known by name; None for one that is not.

    One that a package brings a kernel for is known, whatever it is called.
    """
    same = meaning_of(mnemonic)
    by_name = mnemonic in QNN_NAMES or _NAMES.fullmatch(mnemonic)
    if not (same or has_kernel or by_name):
        return None
    base = NATIVE_OPS[same] if same else NamedOp
    about = f"What htp.{same} does." if same else "An op that is known by name only."
    members = {"name": f"htp.{mnemonic}", "__doc__": about, "__module__": __name__}
    op: type[NativeOp] = type(mnemonic, (base,), members)
    return op
