"""The `htp` dialect, which the tensor processor runs: native ops by family, constants, state.

Every op's class is importable from here: `from htp_mlir.dialects.htp import ReluOp`. The other
public names are those that native ops of packages are written with.
"""

from xdsl.ir import Dialect

from ..place_attr import PlaceAttr
from ..registrar import Table
from ..spec_of import require as require
from ..spec_of import spec_of as spec_of
from ..spec_of import text as text
from ..value.dtypes import DType as DType
from ..value.dtypes import Kind as Kind
from ..value.spec import FLAT_DDR as FLAT_DDR
from ..value.spec import LayoutKind as LayoutKind
from ..value.spec import Memory as Memory
from ..value.spec import TensorSpec as TensorSpec
from .access import access as access
from .base import NativeOp as NativeOp
from .fields import out_def as out_def
from .fields import param_def as param_def
from .fields import shape_def as shape_def
from .fields import tensor_def as tensor_def
from .fields import tensors_def as tensors_def
from .ops import (
    activation,
    attention,
    binary,
    buffer,
    coded,
    conv_layer,
    convolution,
    copies,
    detection,
    image,
    linear,
    movement,
    norm,
    pool,
    quantize,
    reduce,
    rnn,
    slices,
    unary,
)
from .ops.activation import BiasAddOp as BiasAddOp
from .ops.activation import ClampOp as ClampOp
from .ops.activation import EluOp as EluOp
from .ops.activation import GeluOp as GeluOp
from .ops.activation import GeluTanhOp as GeluTanhOp
from .ops.activation import HardSwishOp as HardSwishOp
from .ops.activation import LeakyReluOp as LeakyReluOp
from .ops.activation import PreluOp as PreluOp
from .ops.activation import ReluMinMaxOp as ReluMinMaxOp
from .ops.activation import ReluOp as ReluOp
from .ops.activation import SigmoidOp as SigmoidOp
from .ops.activation import SwishOp as SwishOp
from .ops.activation import TanhOp as TanhOp
from .ops.attention import AttentionOp as AttentionOp
from .ops.binary import AddOp as AddOp
from .ops.binary import AndOp as AndOp
from .ops.binary import DivOp as DivOp
from .ops.binary import ElementWiseAddOp as ElementWiseAddOp
from .ops.binary import ElementWiseAndOp as ElementWiseAndOp
from .ops.binary import ElementWiseDivideOp as ElementWiseDivideOp
from .ops.binary import ElementWiseEqualOp as ElementWiseEqualOp
from .ops.binary import ElementWiseGreaterEqualOp as ElementWiseGreaterEqualOp
from .ops.binary import ElementWiseGreaterOp as ElementWiseGreaterOp
from .ops.binary import ElementWiseLessEqualOp as ElementWiseLessEqualOp
from .ops.binary import ElementWiseLessOp as ElementWiseLessOp
from .ops.binary import ElementWiseMaximumOp as ElementWiseMaximumOp
from .ops.binary import ElementWiseMinimumOp as ElementWiseMinimumOp
from .ops.binary import ElementWiseModOp as ElementWiseModOp
from .ops.binary import ElementWiseMultiplyOp as ElementWiseMultiplyOp
from .ops.binary import ElementWiseNotEqualOp as ElementWiseNotEqualOp
from .ops.binary import ElementWiseOrOp as ElementWiseOrOp
from .ops.binary import ElementWisePowerOp as ElementWisePowerOp
from .ops.binary import ElementWiseSelectOp as ElementWiseSelectOp
from .ops.binary import ElementWiseSquaredDifferenceOp as ElementWiseSquaredDifferenceOp
from .ops.binary import ElementWiseSubtractOp as ElementWiseSubtractOp
from .ops.binary import ElementWiseXorOp as ElementWiseXorOp
from .ops.binary import EqualOp as EqualOp
from .ops.binary import GreaterEqualOp as GreaterEqualOp
from .ops.binary import GreaterOp as GreaterOp
from .ops.binary import LessEqualOp as LessEqualOp
from .ops.binary import LessOp as LessOp
from .ops.binary import MaximumOp as MaximumOp
from .ops.binary import MinimumOp as MinimumOp
from .ops.binary import ModOp as ModOp
from .ops.binary import MulOp as MulOp
from .ops.binary import NotEqualOp as NotEqualOp
from .ops.binary import OrOp as OrOp
from .ops.binary import PowOp as PowOp
from .ops.binary import SelectOp as SelectOp
from .ops.binary import SquaredDifferenceOp as SquaredDifferenceOp
from .ops.binary import SubOp as SubOp
from .ops.binary import XorOp as XorOp
from .ops.buffer import BufferStepOp as BufferStepOp
from .ops.buffer import SequenceIdsOp as SequenceIdsOp
from .ops.coded import CodedFullyConnectedOp as CodedFullyConnectedOp
from .ops.coded import DecodeWeightsOp as DecodeWeightsOp
from .ops.const import ConstOp as ConstOp
from .ops.const import ShapeOp as ShapeOp
from .ops.const import constant_array as constant_array
from .ops.conv_layer import Conv2dValidOp as Conv2dValidOp
from .ops.conv_layer import ConvLayerValidClampOp as ConvLayerValidClampOp
from .ops.conv_layer import ConvLayerValidOp as ConvLayerValidOp
from .ops.conv_layer import DepthwiseConvLayerValidClampOp as DepthwiseConvLayerValidClampOp
from .ops.conv_layer import DepthwiseConvLayerValidOp as DepthwiseConvLayerValidOp
from .ops.conv_layer import Im2colStride2Op as Im2colStride2Op
from .ops.conv_layer import TransposeConvLayerValidOp as TransposeConvLayerValidOp
from .ops.conv_layer import WeightsForIm2colOp as WeightsForIm2colOp
from .ops.convolution import Conv2dOp as Conv2dOp
from .ops.convolution import DepthWiseConv2dOp as DepthWiseConv2dOp
from .ops.convolution import TransposeConv2dOp as TransposeConv2dOp
from .ops.copies import CopyWaitOp as CopyWaitOp
from .ops.copies import CroutonFromVtcmOp as CroutonFromVtcmOp
from .ops.copies import CroutonToVtcmOp as CroutonToVtcmOp
from .ops.copies import CroutonToVtcmStartOp as CroutonToVtcmStartOp
from .ops.copies import FillOp as FillOp
from .ops.copies import FillStartOp as FillStartOp
from .ops.copies import FlatFromVtcmOp as FlatFromVtcmOp
from .ops.copies import FlatToVtcmOp as FlatToVtcmOp
from .ops.copies import FlatToVtcmStartOp as FlatToVtcmStartOp
from .ops.copies import ForceFormatCroutonOp as ForceFormatCroutonOp
from .ops.copies import ForceFormatFlatOp as ForceFormatFlatOp
from .ops.copies import RelocateOp as RelocateOp
from .ops.copies import SpillOp as SpillOp
from .ops.detection import NonMaxSuppressionOp as NonMaxSuppressionOp
from .ops.elementwise import BinaryOp as BinaryOp
from .ops.elementwise import UnaryOp as UnaryOp
from .ops.image import DepthToSpaceOp as DepthToSpaceOp
from .ops.image import DepthToSpaceShapeOp as DepthToSpaceShapeOp
from .ops.image import NearestShapeOp as NearestShapeOp
from .ops.image import ResizeOp as ResizeOp
from .ops.image import ResizePlacesOp as ResizePlacesOp
from .ops.image import SpaceToDepthOp as SpaceToDepthOp
from .ops.image import SpaceToDepthShapeOp as SpaceToDepthShapeOp
from .ops.linear import FullyConnectedClampOp as FullyConnectedClampOp
from .ops.linear import FullyConnectedGeluOp as FullyConnectedGeluOp
from .ops.linear import FullyConnectedOp as FullyConnectedOp
from .ops.linear import MatMulOp as MatMulOp
from .ops.movement import ConcatOp as ConcatOp
from .ops.movement import GatherOp as GatherOp
from .ops.movement import PadOp as PadOp
from .ops.movement import ReshapeOp as ReshapeOp
from .ops.movement import ScatterNdOp as ScatterNdOp
from .ops.movement import TileOp as TileOp
from .ops.movement import TransposeOp as TransposeOp
from .ops.norm import BatchnormOp as BatchnormOp
from .ops.norm import LayerNormOp as LayerNormOp
from .ops.norm import LogSoftmaxOp as LogSoftmaxOp
from .ops.norm import RmsNormOp as RmsNormOp
from .ops.norm import SoftmaxOp as SoftmaxOp
from .ops.pool import AvgPoolValidOp as AvgPoolValidOp
from .ops.pool import MaxPoolValidOp as MaxPoolValidOp
from .ops.pool import PoolAvg2dOp as PoolAvg2dOp
from .ops.pool import PoolMax2dOp as PoolMax2dOp
from .ops.quantize import BitCastOp as BitCastOp
from .ops.quantize import CastOp as CastOp
from .ops.quantize import DequantizeOp as DequantizeOp
from .ops.quantize import QuantizeOp as QuantizeOp
from .ops.reduce import ArgmaxOp as ArgmaxOp
from .ops.reduce import ArgminOp as ArgminOp
from .ops.reduce import ReduceMaxOp as ReduceMaxOp
from .ops.reduce import ReduceMeanOp as ReduceMeanOp
from .ops.reduce import ReduceMinOp as ReduceMinOp
from .ops.reduce import ReduceProdOp as ReduceProdOp
from .ops.reduce import ReduceSumOp as ReduceSumOp
from .ops.reduce import TopKOp as TopKOp
from .ops.rnn import GruOp as GruOp
from .ops.rnn import LstmOp as LstmOp
from .ops.rnn import PinnedGruOp as PinnedGruOp
from .ops.rnn import PinnedLstmOp as PinnedLstmOp
from .ops.slices import SlicePadShapeOp as SlicePadShapeOp
from .ops.slices import SliceShapeOp as SliceShapeOp
from .ops.slices import StridedSliceOp as StridedSliceOp
from .ops.state import StateOp as StateOp
from .ops.state import StateReadOp as StateReadOp
from .ops.state import StateWriteOp as StateWriteOp
from .ops.unary import AbsOp as AbsOp
from .ops.unary import AsinOp as AsinOp
from .ops.unary import AtanOp as AtanOp
from .ops.unary import CeilOp as CeilOp
from .ops.unary import CosOp as CosOp
from .ops.unary import ElementWiseAbsOp as ElementWiseAbsOp
from .ops.unary import ElementWiseAsinOp as ElementWiseAsinOp
from .ops.unary import ElementWiseAtanOp as ElementWiseAtanOp
from .ops.unary import ElementWiseCeilOp as ElementWiseCeilOp
from .ops.unary import ElementWiseCosOp as ElementWiseCosOp
from .ops.unary import ElementWiseErfOp as ElementWiseErfOp
from .ops.unary import ElementWiseExpOp as ElementWiseExpOp
from .ops.unary import ElementWiseFloorOp as ElementWiseFloorOp
from .ops.unary import ElementWiseLogOp as ElementWiseLogOp
from .ops.unary import ElementWiseNegOp as ElementWiseNegOp
from .ops.unary import ElementWiseNotOp as ElementWiseNotOp
from .ops.unary import ElementWiseReciprocalOp as ElementWiseReciprocalOp
from .ops.unary import ElementWiseRoundOp as ElementWiseRoundOp
from .ops.unary import ElementWiseRsqrtOp as ElementWiseRsqrtOp
from .ops.unary import ElementWiseSignOp as ElementWiseSignOp
from .ops.unary import ElementWiseSinOp as ElementWiseSinOp
from .ops.unary import ElementWiseSoftplusOp as ElementWiseSoftplusOp
from .ops.unary import ElementWiseSquareRootOp as ElementWiseSquareRootOp
from .ops.unary import ErfOp as ErfOp
from .ops.unary import ExpOp as ExpOp
from .ops.unary import FloorOp as FloorOp
from .ops.unary import LogOp as LogOp
from .ops.unary import NegOp as NegOp
from .ops.unary import NotOp as NotOp
from .ops.unary import ReciprocalOp as ReciprocalOp
from .ops.unary import RoundOp as RoundOp
from .ops.unary import RsqrtOp as RsqrtOp
from .ops.unary import SignOp as SignOp
from .ops.unary import SinOp as SinOp
from .ops.unary import SoftplusOp as SoftplusOp
from .ops.unary import SqrtOp as SqrtOp
from .types import ShapeType as ShapeType

_FAMILIES: tuple[tuple[type[NativeOp], ...], ...] = (
    unary.OPS,
    binary.OPS,
    activation.OPS,
    convolution.OPS,
    conv_layer.OPS,
    pool.OPS,
    image.OPS,
    linear.OPS,
    coded.OPS,
    attention.OPS,
    norm.OPS,
    reduce.OPS,
    movement.OPS,
    detection.OPS,
    slices.OPS,
    quantize.OPS,
    rnn.OPS,
    buffer.OPS,
    copies.OPS,
)

NATIVE_OPS: Table[type[NativeOp]] = Table(
    {op.mnemonic(): op for ops in _FAMILIES for op in ops},
    *(
        "htp.",
        "is no native op",
        "add its class, and its place in OPS, to a module in dialects/htp/ops",
    ),
)
"""Every native op by its mnemonic: `ConvLayer_valid`, `ConvLayer.opt.im2col_stride2`."""

CORE_OF: dict[str, str] = {
    mnemonic: op.CORE.mnemonic() for mnemonic, op in NATIVE_OPS.items() if op.CORE is not None
}
"""The core form of every raw element-wise form, by mnemonic: ElementWiseSubtract -> Sub."""

HTP = Dialect(
    "htp",
    [*NATIVE_OPS.values(), ConstOp, ShapeOp, StateOp, StateReadOp, StateWriteOp],
    [PlaceAttr, ShapeType],
)
