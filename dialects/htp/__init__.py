"""The `htp` dialect, which the tensor processor runs: native ops by family, constants, state.

Every op's class is importable from here: `from htp_mlir.dialects.htp import ReluOp`. The other
public names are those that native ops of packages are written with.
"""

from __future__ import annotations

from xdsl.ir import Dialect

from ..checks import require as require
from ..checks import text as text
from ..place_attr import PlaceAttr
from ..spec_of import spec_of as spec_of
from ..value.dtypes import DType as DType
from ..value.place import FLAT_DDR as FLAT_DDR
from ..value.place import LayoutKind as LayoutKind
from ..value.place import Memory as Memory
from ..value.spec import TensorSpec as TensorSpec
from .base import NativeOp as NativeOp
from .fields import out_def as out_def
from .fields import param_def as param_def
from .fields import shape_def as shape_def
from .fields import tensor_def as tensor_def
from .fields import tensors_def as tensors_def
from .guards import is_number as is_number
from .guards import is_scalar as is_scalar
from .guards import same_type as same_type
from .ops import (
    activation,
    buffer,
    conv_layer,
    convolution,
    copies,
    elementwise,
    elementwise_raw,
    linear,
    movement,
    norm,
    pool,
    quantize,
    reduce,
    rnn,
    slices,
    transfers,
)
from .ops.activation import BiasAddOp as BiasAddOp
from .ops.activation import ClampOp as ClampOp
from .ops.activation import EluOp as EluOp
from .ops.activation import GeluOp as GeluOp
from .ops.activation import HardSwishOp as HardSwishOp
from .ops.activation import LeakyReluOp as LeakyReluOp
from .ops.activation import PreluOp as PreluOp
from .ops.activation import ReluMinMaxOp as ReluMinMaxOp
from .ops.activation import ReluOp as ReluOp
from .ops.activation import SigmoidOp as SigmoidOp
from .ops.activation import TanhOp as TanhOp
from .ops.buffer import BufferStepOp as BufferStepOp
from .ops.buffer import SequenceIdsOp as SequenceIdsOp
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
from .ops.copies import CroutonFromVtcmOp as CroutonFromVtcmOp
from .ops.copies import CroutonToVtcmOp as CroutonToVtcmOp
from .ops.copies import FillOp as FillOp
from .ops.copies import FlatFromVtcmOp as FlatFromVtcmOp
from .ops.copies import FlatToVtcmOp as FlatToVtcmOp
from .ops.copies import ForceFormatCroutonOp as ForceFormatCroutonOp
from .ops.copies import ForceFormatFlatOp as ForceFormatFlatOp
from .ops.copies import SpillOp as SpillOp
from .ops.elementwise import AbsOp as AbsOp
from .ops.elementwise import AddOp as AddOp
from .ops.elementwise import AndOp as AndOp
from .ops.elementwise import BinaryOp as BinaryOp
from .ops.elementwise import CeilOp as CeilOp
from .ops.elementwise import CosOp as CosOp
from .ops.elementwise import DivOp as DivOp
from .ops.elementwise import EqualOp as EqualOp
from .ops.elementwise import ErfOp as ErfOp
from .ops.elementwise import ExpOp as ExpOp
from .ops.elementwise import FloorOp as FloorOp
from .ops.elementwise import GreaterEqualOp as GreaterEqualOp
from .ops.elementwise import GreaterOp as GreaterOp
from .ops.elementwise import LessEqualOp as LessEqualOp
from .ops.elementwise import LessOp as LessOp
from .ops.elementwise import LogOp as LogOp
from .ops.elementwise import MaximumOp as MaximumOp
from .ops.elementwise import MinimumOp as MinimumOp
from .ops.elementwise import ModOp as ModOp
from .ops.elementwise import MulOp as MulOp
from .ops.elementwise import NegOp as NegOp
from .ops.elementwise import NotEqualOp as NotEqualOp
from .ops.elementwise import NotOp as NotOp
from .ops.elementwise import OrOp as OrOp
from .ops.elementwise import PowOp as PowOp
from .ops.elementwise import ReciprocalOp as ReciprocalOp
from .ops.elementwise import RoundOp as RoundOp
from .ops.elementwise import RsqrtOp as RsqrtOp
from .ops.elementwise import SelectOp as SelectOp
from .ops.elementwise import SignOp as SignOp
from .ops.elementwise import SinOp as SinOp
from .ops.elementwise import SoftplusOp as SoftplusOp
from .ops.elementwise import SqrtOp as SqrtOp
from .ops.elementwise import SquaredDifferenceOp as SquaredDifferenceOp
from .ops.elementwise import SubOp as SubOp
from .ops.elementwise import UnaryOp as UnaryOp
from .ops.elementwise import XorOp as XorOp
from .ops.elementwise_raw import CORE_OF as CORE_OF
from .ops.elementwise_raw import ElementWiseAbsOp as ElementWiseAbsOp
from .ops.elementwise_raw import ElementWiseAddOp as ElementWiseAddOp
from .ops.elementwise_raw import ElementWiseAndOp as ElementWiseAndOp
from .ops.elementwise_raw import ElementWiseCeilOp as ElementWiseCeilOp
from .ops.elementwise_raw import ElementWiseCosOp as ElementWiseCosOp
from .ops.elementwise_raw import ElementWiseDivideOp as ElementWiseDivideOp
from .ops.elementwise_raw import ElementWiseEqualOp as ElementWiseEqualOp
from .ops.elementwise_raw import ElementWiseErfOp as ElementWiseErfOp
from .ops.elementwise_raw import ElementWiseExpOp as ElementWiseExpOp
from .ops.elementwise_raw import ElementWiseFloorOp as ElementWiseFloorOp
from .ops.elementwise_raw import ElementWiseGreaterEqualOp as ElementWiseGreaterEqualOp
from .ops.elementwise_raw import ElementWiseGreaterOp as ElementWiseGreaterOp
from .ops.elementwise_raw import ElementWiseLessEqualOp as ElementWiseLessEqualOp
from .ops.elementwise_raw import ElementWiseLessOp as ElementWiseLessOp
from .ops.elementwise_raw import ElementWiseLogOp as ElementWiseLogOp
from .ops.elementwise_raw import ElementWiseMaximumOp as ElementWiseMaximumOp
from .ops.elementwise_raw import ElementWiseMinimumOp as ElementWiseMinimumOp
from .ops.elementwise_raw import ElementWiseModOp as ElementWiseModOp
from .ops.elementwise_raw import ElementWiseMultiplyOp as ElementWiseMultiplyOp
from .ops.elementwise_raw import ElementWiseNegOp as ElementWiseNegOp
from .ops.elementwise_raw import ElementWiseNotEqualOp as ElementWiseNotEqualOp
from .ops.elementwise_raw import ElementWiseNotOp as ElementWiseNotOp
from .ops.elementwise_raw import ElementWiseOrOp as ElementWiseOrOp
from .ops.elementwise_raw import ElementWisePowerOp as ElementWisePowerOp
from .ops.elementwise_raw import ElementWiseReciprocalOp as ElementWiseReciprocalOp
from .ops.elementwise_raw import ElementWiseRoundOp as ElementWiseRoundOp
from .ops.elementwise_raw import ElementWiseRsqrtOp as ElementWiseRsqrtOp
from .ops.elementwise_raw import ElementWiseSelectOp as ElementWiseSelectOp
from .ops.elementwise_raw import ElementWiseSignOp as ElementWiseSignOp
from .ops.elementwise_raw import ElementWiseSinOp as ElementWiseSinOp
from .ops.elementwise_raw import ElementWiseSoftplusOp as ElementWiseSoftplusOp
from .ops.elementwise_raw import ElementWiseSquaredDifferenceOp as ElementWiseSquaredDifferenceOp
from .ops.elementwise_raw import ElementWiseSquareRootOp as ElementWiseSquareRootOp
from .ops.elementwise_raw import ElementWiseSubtractOp as ElementWiseSubtractOp
from .ops.elementwise_raw import ElementWiseXorOp as ElementWiseXorOp
from .ops.linear import FullyConnectedClampOp as FullyConnectedClampOp
from .ops.linear import FullyConnectedGeluOp as FullyConnectedGeluOp
from .ops.linear import FullyConnectedOp as FullyConnectedOp
from .ops.linear import MatMulOp as MatMulOp
from .ops.movement import ConcatOp as ConcatOp
from .ops.movement import GatherOp as GatherOp
from .ops.movement import PadOp as PadOp
from .ops.movement import ReshapeOp as ReshapeOp
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
from .ops.rnn import GruOp as GruOp
from .ops.rnn import LstmOp as LstmOp
from .ops.slices import SlicePadShapeOp as SlicePadShapeOp
from .ops.slices import SliceShapeOp as SliceShapeOp
from .ops.slices import StridedSliceOp as StridedSliceOp
from .ops.state import StateOp as StateOp
from .ops.state import StateReadOp as StateReadOp
from .ops.state import StateWriteOp as StateWriteOp
from .ops.transfers import CopyWaitOp as CopyWaitOp
from .ops.transfers import CroutonToVtcmStartOp as CroutonToVtcmStartOp
from .ops.transfers import FillStartOp as FillStartOp
from .ops.transfers import FlatToVtcmStartOp as FlatToVtcmStartOp
from .types import ShapeType as ShapeType
from .windows import valid_hw as valid_hw
from .windows import window_dims as window_dims

_FAMILIES: tuple[tuple[type[NativeOp], ...], ...] = (
    elementwise_raw.OPS,
    elementwise.OPS,
    activation.OPS,
    convolution.OPS,
    conv_layer.OPS,
    pool.OPS,
    linear.OPS,
    norm.OPS,
    reduce.OPS,
    movement.OPS,
    slices.OPS,
    quantize.OPS,
    rnn.OPS,
    buffer.OPS,
    copies.OPS,
    transfers.OPS,
)

NATIVE_OPS: dict[str, type[NativeOp]] = {op.mnemonic(): op for ops in _FAMILIES for op in ops}
"""Every native op by its mnemonic: `ConvLayer_valid`, `ConvLayer.opt.im2col_stride2`."""

HTP = Dialect(
    "htp",
    [*NATIVE_OPS.values(), ConstOp, ShapeOp, StateOp, StateReadOp, StateWriteOp],
    [PlaceAttr, ShapeType],
)
