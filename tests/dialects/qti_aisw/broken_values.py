"""Edits that break the constraints of ops that compute: of products, windows, attention, norms.

Each row is a constraint, words of the refusal, and old and new texts of the op's example in turn.
"""

from .broken_families import HALF, QUARTER, RESULT_SHAPE, RESULT_TYPE, Row

BIAS = (
    ("operand 'bias' has 7 elements", "tensor<7xf32>"),
    ("operand 'bias' is Float16", "tensor<8xf16>"),
)
"""What is wrong with a bias of 8 floats, as message and type."""

CONVOLUTIONS: dict[str, list[Row]] = {
    "Conv2d": [
        ("C1", "operand 'inp' has rank 3", "1x9x9x4x", "9x9x4x"),
        ("C1", "operand 'filter' has rank 3", "3x3x4x8x", "3x4x8x"),
        ("C1", "operand 'inp' has element type", "f32", "i32"),
        ("C1", "operand 'filter' is Float16", "3x3x4x8xf32", "3x3x4x8xf16"),
        ("C1", "operand 'filter' is Float32", "9x9x4xf32", f"9x9x4x{HALF}"),
        ("C2", "operand 'filter' has 2 input channels", "3x3x4x8", "3x3x2x8"),
        ("C2", "its window is empty", "3x3x4x8", "0x3x4x8"),
        ("C3", "must divide the 4 input channels", "{stride", "{group = 3 : i64, stride"),
        ("C3", "must divide the 6 output", "{stride", "{group = 4 : i64, stride", "3x4x8", "3x1x6"),
        *(("C4", words, "tensor<8xf32>", type_) for words, type_ in BIAS),
        ("C4", "operand 'bias' has rank 2", "tensor<8xf32>", "tensor<1x8xf32>"),
        ("C5", "param 'stride' has 1 values", "2, 2>", "2>"),
        ("C5", "param 'stride' holds 0", "2, 2>", "2, 0>"),
        ("C5", "param 'dilation' has 1 values", "stride = array<i64: 2,", "dilation = array<i64:"),
        ("C5", "param 'dilation' holds 0", "stride = array<i64: 2,", "dilation = array<i64: 0,"),
        ("C5", "param 'pad_amount' has 2 values", "stride", "pad_amount"),
        ("C5", "holds -1", "stride = array<i64:", "pad_amount = array<i64: 0, -1,"),
        ("C6", "a window of 3 is larger", "1x9x9x4", "1x2x9x4"),
        (
            "C6",
            "a window of 11 is larger",
            "stride = array<i64: 2, 2>",
            "dilation = array<i64: 1, 5>",
        ),
    ],
    "DepthWiseConv2d": [
        ("C1", "operand 'inp' has rank 3", "(tensor<1x8x8x4x", "(tensor<8x8x4x"),
        ("C1", "operand 'filter' has rank 3", "3x3x1x8x", "3x1x8x"),
        ("C1", "operand 'inp' has element type", "f32", "i32"),
        ("C1", "operand 'filter' is Float16", "3x3x1x8xf32", "3x3x1x8xf16"),
        ("C2", "has depth 2 in dim 2", "3x3x1x8x", "3x3x2x8x"),
        ("C2", "has 6 output channels", "3x3x1x8x", "3x3x1x6x"),
        ("C2", "its window is empty", "3x3x1x8x", "3x0x1x8x"),
        *(
            ("C3", words, "%w)", "%w, bias = %b)", "8xf32>) ->", f"8xf32>, {type_}) ->")
            for words, type_ in BIAS
        ),
        ("C4", "param 'pad_amount' has 3 values", "1, 1, 1, 1", "1, 1, 1"),
        ("C4", "param 'pad_amount' holds -1", "1, 1, 1, 1", "1, 1, -1, 1"),
        ("C4", "param 'stride' has 4 values", "pad_amount", "stride"),
        (
            "C4",
            "param 'stride' holds 0",
            "pad_amount = array<i64: 1, 1, 1,",
            "stride = array<i64: 0,",
        ),
        ("C4", "param 'dilation' has 4 values", "pad_amount", "dilation"),
        ("C4", "holds 0", "pad_amount = array<i64: 1, 1, 1,", "dilation = array<i64: 0,"),
        (
            "C5",
            "a window of 13 is larger",
            "pad_amount = array<i64: 1, 1,",
            "dilation = array<i64:",
            "1, 1>",
            "6, 1>",
        ),
        ("C5", "a window of 9 is larger", "3x3x1x8", "9x3x1x8", "1, 1, 1, 1", "0, 0, 0, 0"),
    ],
    "TransposeConv2d": [
        ("C1", "operand 'inp' has rank 3", "(tensor<1x4x4x4x", "(tensor<4x4x4x"),
        ("C1", "operand 'filter' has rank 3", "2x2x4x8x", "2x4x8x"),
        ("C1", "operand 'inp' has element type", "f32", "i32"),
        ("C1", "operand 'filter' is Float16", "2x2x4x8xf32", "2x2x4x8xf16"),
        ("C2", "operand 'filter' has 3 input channels", "2x2x4x8", "2x2x3x8"),
        ("C2", "its window is empty", "2x2x4x8", "0x2x4x8"),
        ("C3", "must divide the 4 input channels", "{stride", "{group = 3 : i64, stride"),
        *(
            ("C4", words, "%w)", "%w, bias = %b)", "8xf32>) ->", f"8xf32>, {type_}) ->")
            for words, type_ in BIAS
        ),
        ("C5", "param 'stride' has 1 values", "2, 2>", "2>"),
        ("C5", "param 'stride' holds 0", "2, 2>", "2, 0>"),
        ("C5", "param 'pad_amount' has 2 values", "stride", "pad_amount"),
        ("C5", "holds -1", "stride = array<i64:", "pad_amount = array<i64: 0, -1,"),
        (
            "C5",
            "'output_padding' has 1 values",
            "{stride",
            "{output_padding = array<i64: 0>, stride",
        ),
        ("C5", "holds -1", "{stride", "{output_padding = array<i64: 0, -1>, stride"),
        ("C6", "below the stride 2", "{stride", "{output_padding = array<i64: 2, 0>, stride"),
        ("C7", "leaves nothing", "{stride", "{pad_amount = array<i64: 4, 4, 0, 0>, stride"),
    ],
}

PRODUCTS: dict[str, list[Row]] = {
    "FullyConnected": [
        ("C1", "operand 'inp' is a scalar", "tensor<1x64xf32>", "tensor<f32>"),
        ("C1", "operand 'weights' has rank 3", "10x64x", "1x10x64x"),
        ("C1", "operand 'inp' has element type", "f32", "i32"),
        ("C1", "operand 'weights' is Float16", "10x64xf32", "10x64xf16"),
        ("C2", "operand 'weights' takes 64 features", "1x64x", "1x63x"),
        ("C3", "operand 'bias' has 9 elements", "tensor<10xf32>", "tensor<9xf32>"),
        ("C3", "operand 'bias' is Float16", "tensor<10xf32>", "tensor<10xf16>"),
    ],
    "MatMul": [
        ("C1", "operand 'in0' has element type", "f32", "i1"),
        ("C1", "operand 'in0' has element type", "f32", "i16"),
        ("C1", "operand 'in1' is Float16", "32x16xf32", "32x16xf16"),
        ("C2", "operand 'in0' has rank 1", "(tensor<1x4x8x16x", "(tensor<16x"),
        ("C2", "operand 'in1' has rank 1", "1x4x32x16x", "16x"),
        ("C3", "in0 has 16 columns, in1 has 15 rows", "1x4x32x16", "1x4x32x15"),
        ("C4", "do not broadcast", "1x4x32x16", "1x3x32x16"),
    ],
    "DecodeWeights": [
        ("C1", "operand 'codes' has rank 1", "8x16xui8", "128xui8"),
        ("C1", "operand 'codes' has element type", "8x16xui8", "8x16xi32"),
        ("C1", "operand 'table' has rank 2", "tensor<16xf32>", "tensor<1x16xf32>"),
        ("C1", "operand 'table' has element type", "tensor<16xf32>", "tensor<16xf64>"),
        ("C1", "operand 'scales' has rank 1", "8x2xf32", "8xf32"),
        ("C1", "operand 'scales' has element type", "8x2xf32", "8x2xf16"),
        ("C1", "operand 'zeros' has rank 0", "1x1xui8", "ui8"),
        ("C1", "operand 'zeros' has element type", "1x1xui8", "1x1xi8"),
        ("C2", "operand 'table' has 15 elements", "tensor<16xf32>", "tensor<15xf32>"),
        ("C3", "operand 'scales' is 8x3", "8x2xf32", "8x3xf32"),
        ("C3", "operand 'zeros' is 0x1", "1x1xui8", "0x1xui8"),
    ],
    "CodedFullyConnected": [
        ("C1", "operand 'codes' has rank 1", "8x16xui8", "128xui8"),
        ("C2", "operand 'table' has 15 elements", "tensor<16xf32>", "tensor<15xf32>"),
        ("C3", "operand 'scales' is 8x3", "8x2xf32", "8x3xf32"),
        ("C4", "operand 'scales' has 4 rows", "8x2xf32", "4x2xf32"),
        ("C5", "the weights take 32 features", "4x32xf32", "4x31xf32"),
        ("C5", "operand 'inp' is a scalar", "(tensor<4x32xf32>", "(tensor<f32>"),
        ("C6", "operand 'table' is Float16", "tensor<16xf32>", "tensor<16xf16>"),
        *(
            ("C6", words, "%zeros)", "%zeros, bias = %b)", "1x1xui8>", f"1x1xui8>, {type_}")
            for words, type_ in BIAS
        ),
    ],
    "RoutedExperts": [
        ("C1", "operand 'inp' has element type", "f32", "i32"),
        ("C1", "operand 'scores' is Float16", "6x4xf32", "6x4xf16"),
        ("C1", "operand 'scores' has rank 3", "6x4xf32", "1x6x4xf32"),
        ("C1", "operand 'gate' has rank 2", "4x8x16xf32>)", "8x16xf32>)"),
        ("C2", "operand 'scores' has shape 5x4", "6x4xf32", "5x4xf32"),
        ("C2", "operand 'scores' has shape 6x3", "6x4xf32", "6x3xf32"),
        ("C3", "operand 'up' has shape", "4x8x16xf32>, tensor<4x16", "4x7x16xf32>, tensor<4x16"),
        ("C3", "operand 'down' has shape", "4x16x8xf32", "4x15x8xf32"),
        ("C3", "operand 'gate' has shape", "4x8x16xf32>)", "4x8x15xf32>)"),
        ("C4", "param 'k' is 0", "k = 2", "k = 0"),
        ("C4", "param 'k' is 5", "k = 2", "k = 5"),
        ("C5", "param 'activation' is 4", "{k", "{activation = 4 : i64, k"),
        ("C5", "param 'routing' is 3", "{k", "{routing = 3 : i64, k"),
    ],
}

ATTENTIONS: dict[str, list[Row]] = {
    "Attention": [
        ("C1", "operand 'q' has element type", "16xf32>", "16xi32>"),
        ("C1", "operand 'q' has rank 3", "(tensor<1x8x32x16x", "(tensor<8x32x16x"),
        (
            "C1",
            "operand 'k' is Float32, 'q' is Float16",
            "(tensor<1x8x32x16xf32",
            "(tensor<1x8x32x16xf16",
        ),
        ("C1", "operand 'mask' is Float16", "tensor<32x32xf32>", "tensor<32x32xf16>"),
        ("C2", "operand 'k' has shape", "(tensor<1x8x32x16", "(tensor<1x8x32x8"),
        ("C2", "operand 'k' has shape", "(tensor<1x8", "(tensor<2x8"),
        ("C2", "operand 'k' has 2 heads", "(tensor<1x8", "(tensor<1x7"),
        ("C3", "operand 'v' has shape", "2x32x16xf32>, tensor<32x", "2x31x16xf32>, tensor<32x"),
        ("C3", "operand 'v' has shape", "2x32x16xf32>, tensor<32x", "1x32x16xf32>, tensor<32x"),
        ("C4", "do not broadcast", "tensor<32x32", "tensor<31x32"),
        ("C4", "(C4) operand 'mask'", "tensor<32x32", "tensor<2x8x32x32"),
        ("C5", "param 'softcap' is -1", "scale = 0.25", "softcap = -1.0"),
        ("C5", "param 'scale' is inf", "scale = 0.25", "scale = 0x7F800000"),
        ("C5", "param 'last' is 2000000000", "last = 0", "last = 2000000000"),
        ("C5", "param 'first' is -2000000000", "last = 0", "first = -2000000000"),
    ],
    "PagedAttention": [
        ("C1", "operand 'q' has element type", "16xf32>", "16xi32>"),
        ("C1", "operand 'q' has rank 3", "(tensor<2x8x1x16x", "(tensor<8x1x16x"),
        ("C1", "operand 'keys' is Float32, 'q' is", "(tensor<2x8x1x16xf32", "(tensor<2x8x1x16xf16"),
        ("C2", "operand 'keys' has 2 heads", "(tensor<2x8", "(tensor<2x7"),
        ("C2", "operand 'keys' has shape", "(tensor<2x8x1x16", "(tensor<2x8x1x8"),
        (
            "C3",
            "operand 'values' has shape",
            "32x4x2x16xf32>, tensor<2x3",
            "31x4x2x16xf32>, tensor<2x3",
        ),
        ("C4", "do not broadcast", "%t)", "%t, mask = %m)", "2x3xi32>", "2x3xi32>, tensor<11xf32>"),
        (
            "C4",
            "(C4) operand 'mask'",
            "%t)",
            "%t, mask = %m)",
            "2x3xi32>",
            "2x3xi32>, tensor<2x12xf32>",
        ),
        ("C5", "param 'softcap' is -1", "scale = 0.25", "softcap = -1.0"),
        ("C5", "param 'scale' is inf", "scale = 0.25", "scale = 0x7F800000"),
        ("C5", "param 'last' is 2000000000", "scale = 0.25 : f32", "last = 2000000000 : i64"),
        ("C6", "operand 'table' has element type", "2x3xi32", "2x3xf32"),
        ("C6", "operand 'table' has rank 1", "2x3xi32", "6xi32"),
        ("C6", "operand 'table' has shape", "2x3xi32", "3x3xi32"),
    ],
    "RotaryEmbedding": [
        ("C1", "operand 'inp' has element type", "f32", "i32"),
        ("C1", "must be there, and even", "4x16x8x", "4x16x7x"),
        ("C1", "must be there, and even", "(tensor<1x4x16x8x", "(tensor<"),
        ("C2", "operand 'sin' is Float16", "tensor<16x8xf32>)", "tensor<16x8xf16>)"),
        ("C2", "do not broadcast", "tensor<16x8xf32>)", "tensor<15x8xf32>)"),
        ("C2", "operand 'cos' is larger", "tensor<16x8xf32>, ", "tensor<2x4x16x8xf32>, "),
    ],
}

OTHERS: dict[str, list[Row]] = {
    "ReluMinMax": [("C2", "is above 'max_value'", "min_value = 0.0", "min_value = 7.0")],
    "Prelu": [
        ("C1", "operand 'inp' has element type", "f32", "i32"),
        ("C1", "operand 'slope' is Float16", "tensor<4xf32>", "tensor<4xf16>"),
        ("C1", "operand 'slope' is Float32", "8x8x4xf32", f"8x8x4x{HALF}"),
        ("C2", "do not broadcast", "tensor<4x", "tensor<3x"),
        ("C2", "operand 'slope' is larger", "tensor<4x", "tensor<2x8x8x4x"),
        ("C3", RESULT_SHAPE, "-> tensor<1x", "-> tensor<2x"),
        ("C3", RESULT_TYPE, "-> tensor<1x8x8x4xf32", "-> tensor<1x8x8x4xf16"),
    ],
    "ElementWiseSelect": [
        ("C1", "operand 'cond' has element type", "xi1>", "xi32>"),
        ("C2", "operand 'b' and the first one differ", "tensor<4xf32>", "tensor<4xf16>"),
        ("C2", "operand 'b' and the first", "8x4xf32", f"8x4x{HALF}", "<4xf32", f"<4x{QUARTER}"),
        ("C2", RESULT_TYPE, "-> tensor<1x8x8x4xf32", "-> tensor<1x8x8x4xf16"),
        ("C3", "do not broadcast", "tensor<4x", "tensor<3x"),
        ("C3", RESULT_SHAPE, "-> tensor<1x", "-> tensor<2x"),
    ],
    "LayerNorm": [
        ("C4", "operand 'beta' has shape 31", "32xf32>)", "31xf32>)"),
        ("C5", "operand 'beta' is Float16", "tensor<32xf32>)", "tensor<32xf16>)"),
    ],
    "Batchnorm": [
        ("C1", "operand 'inp' has element type", "f32", "i32"),
        ("C1", "operand 'inp' is a scalar", "(tensor<1x8x8x4x", "(tensor<"),
        ("C2", "operand 'weights' has shape 3", "tensor<4xf32>, ", "tensor<3xf32>, "),
        ("C2", "operand 'bias' has shape 3", "tensor<4xf32>)", "tensor<3xf32>)"),
        ("C3", "operand 'weights' is Float16", "tensor<4xf32>, ", "tensor<4xf16>, "),
        ("C3", "operand 'bias' is Float16", "tensor<4xf32>)", "tensor<4xf16>)"),
        ("C3", "must be quantised or i32", "8x4xf32", f"8x4x{HALF}"),
    ],
    "SoftmaxCrossEntropy": [
        ("C1", "operand 'inp' has element type", "10xf32", "10xi32"),
        ("C2", "param 'axis' is 2", "{reduction", "{axis = 2 : i64, reduction"),
        ("C2", "param 'axis' is -3", "{reduction", "{axis = -3 : i64, reduction"),
        ("C3", "operand 'targets' has element type", "4xi32", "4xf32"),
        ("C3", "operand 'targets' has shape 5", "4xi32", "5xi32"),
        ("C4", "param 'reduction' is 3", "reduction = 1", "reduction = 3"),
        ("C5", RESULT_TYPE, "-> tensor<f32>", "-> tensor<f16>"),
        ("C5", RESULT_SHAPE, "-> tensor<f32>", "-> tensor<4xf32>"),
    ],
    "NonMaxSuppression": [
        ("C1", "operand 'boxes' has element type", "8x4xf32", "8x4xi32"),
        ("C1", "operand 'scores' is Float16", "2x8xf32", "2x8xf16"),
        ("C2", "operand 'boxes' has 5 numbers", "8x4xf32", "8x5xf32"),
        ("C3", "operand 'scores' has shape 1x2x7", "2x8xf32", "2x7xf32"),
        ("C3", "operand 'scores' has shape 2x2x8", "1x2x8xf32", "2x2x8xf32"),
        ("C4", "param 'max_boxes_selected' is -1", "selected = 3", "selected = -1"),
        ("C4", "param 'iou_threshold' is NaN", "threshold = 0.5", "threshold = 0x7FC00000"),
        (
            "C4",
            "param 'score_threshold' is NaN",
            "iou_threshold = 0.5",
            "score_threshold = 0x7FC00000",
        ),
    ],
    "Adam": [
        ("C1", "operand 'weights' has element type", "4x8xf32", "4x8xi32"),
        (
            "C2",
            "operand 'gradient' is Float16",
            ": (tensor<4x8xf32>, tensor<4x8xf32",
            ": (tensor<4x8xf32>, tensor<4x8xf16",
        ),
        (
            "C2",
            "operand 'gradient' has shape 4x7",
            ": (tensor<4x8xf32>, tensor<4x8x",
            ": (tensor<4x8xf32>, tensor<4x7x",
        ),
        ("C3", "operand 'lr' has rank 1 and 2", "tensor<f32>, ", "tensor<2xf32>, "),
        ("C3", "operand 'step' has rank 2", "tensor<f32>)", "tensor<1x1xf32>)"),
        ("C3", "operand 'step' has element type", "tensor<f32>)", "tensor<i32>)"),
        ("C4", "param 'beta1' is 1", "{weight", "{beta1 = 1.0 : f32, weight"),
        ("C4", "param 'beta2' is -0.5", "{weight", "{beta2 = -0.5 : f32, weight"),
        ("C5", "param 'epsilon' is -1", "{weight", "{epsilon = -1.0 : f32, weight"),
        ("C5", "param 'weight_decay' is -1", "decay = 0.01", "decay = -1.0"),
        ("C6", "has 2 results", ", %v1 =", " =", "-> (tensor<4x8xf32>, ", "-> ("),
        ("C6", RESULT_TYPE, "-> (tensor<4x8xf32", "-> (tensor<4x8xf16"),
    ],
}

VALUES: dict[str, list[Row]] = {**CONVOLUTIONS, **PRODUCTS, **ATTENTIONS, **OTHERS}
