"""Edits that break the constraints of the block ops and of recurrent layers.

Each row is a constraint, words of the refusal, and old and new texts of the op's example in turn.
"""

from __future__ import annotations

from .broken_families import Row

STATES: dict[str, list[Row]] = {
    "Buffer": [
        ("C1", "(C1)", "x16xf32", "x16xi32"),
        ("C2", "(C2)", "buffer_dim = 1", "buffer_dim = 3"),
        ("C3", "(C3)", "buffer_size = 8", "buffer_size = 7"),
        ("C4", "(C4)", "stride = 2", "stride = 10"),
        ("C5", "(C5)", "stride = 2", "buffer_padding = 9 : i64, stride = 2"),
        ("C6", "(C6)", "tensor<i1>", "tensor<2xi1>"),
        (
            "C5",
            "param 'buffer_padding' is -2",
            "stride = 2",
            "buffer_padding = -2 : i64, stride = 2",
        ),
        ("C2", "param 'buffer_dim' is -1", "buffer_dim = 1", "buffer_dim = -1"),
        ("C3", "param 'buffer_size' is 0", "buffer_size = 8", "buffer_size = 0"),
    ],
    "MaskedSoftmax": [
        ("C1", "(C1)", "2x4x8x8x", "4x8x8x"),
        ("C2", "(C2)", "2x3xi32", "2x3xi64"),
        ("C3", "(C3)", "COMPRESSED", "UNCOMPRESSED"),
        ("C4", "(C4)", "2x4x8x8x", "2x4x7x8x"),
        ("C2", "operand 'mask' has batch 3", "2x3xi32", "3x3xi32"),
    ],
    "StatefulLstm": [
        ("C1", "(C1)", "5x2x4xf32", "5x2x4xi32"),
        ("C2", "(C2)", "hidden_size = 8", "hidden_size = 0"),
        ("C3", "(C3)", "1x32x4x", "1x31x4x"),
        ("C4", "(C4)", "1x32x8x", "1x32x7x"),
        ("C5", "(C5)", "reset = %s", "B = %s", "tensor<i1>", "tensor<1x63xf32>"),
        ("C6", "(C6)", "reset = %s", "sequence_lens = %s", "tensor<i1>", "tensor<3xi32>"),
        ("C7", "(C7)", "reset = %s", "initial_c = %s", "tensor<i1>", "tensor<1x2x7xf32>"),
        ("C8", "(C8)", "hidden_size", "clip = 0.0 : f32, hidden_size"),
        ("C9", "(C9)", "hidden_size", "input_forget = 2 : i64, hidden_size"),
        ("C10", "(C10)", "reset = %s", "P = %s", "tensor<i1>", "tensor<1x23xf32>"),
        ("C11", "(C11)", "tensor<i1>", "tensor<i32>"),
        ("C3", "operand 'W' is Float16", "1x32x4xf32", "1x32x4xf16"),
    ],
    "StatefulGru": [
        ("C1", "(C1)", "5x2x4xf32", "2x4xf32"),
        ("C2", "(C2)", "hidden_size = 8", "hidden_size = 0"),
        ("C3", "(C3)", "2x24x4x", "2x32x4x"),
        ("C4", "(C4)", "2x24x8x", "1x24x8x"),
        ("C5", "(C5)", "initial_h = %i", "B = %i"),
        ("C6", "(C6)", "initial_h = %i", "sequence_lens = %i"),
        ("C7", "(C7)", "(tensor<5x2x4xf32>", "(tensor<5x3x4xf32>"),
        ("C8", "(C8)", "direction =", "clip = -1.0 : f32, direction ="),
        ("C9", "(C9)", "direction =", "linear_before_reset = 2 : i64, direction ="),
        ("C11", "(C11)", "tensor<1xi1>", "tensor<2xi1>"),
        ("C3", "operand 'W' is Float16", "2x24x4xf32", "2x24x4xf16"),
    ],
    "Lstm": [
        ("C1", "(C1)", "5x2x4xf32", "5x2x4xi32"),
        ("C2", "(C2)", "hidden_size = 8", "hidden_size = 0"),
        ("C3", "(C3)", "1x32x4x", "1x31x4x"),
        ("C4", "(C4)", "1x32x8x", "1x32x7x"),
        ("C5", "(C5)", "initial_h = %s", "B = %s"),
        ("C6", "(C6)", "initial_h = %s", "sequence_lens = %s"),
        ("C7", "(C7)", "initial_h = %s", "initial_c = %s", "1x2x8xf32>) ->", "1x2x7xf32>) ->"),
        ("C8", "(C8)", "hidden_size", "clip = 0.0 : f32, hidden_size"),
        ("C9", "(C9)", "hidden_size", "input_forget = 2 : i64, hidden_size"),
        ("C10", "(C10)", "initial_h = %s", "P = %s"),
        ("C3", "operand 'W' is Float16", "1x32x4xf32", "1x32x4xf16"),
        ("C7", "operand 'initial_h' is Float16", "1x2x8xf32>) ->", "1x2x8xf16>) ->"),
    ],
    "Gru": [
        ("C1", "(C1)", "(tensor<5x2x4xf32", "(tensor<2x4xf32"),
        ("C2", "(C2)", "hidden_size = 8", "hidden_size = 0"),
        ("C3", "(C3)", "1x24x4x", "1x32x4x"),
        ("C4", "(C4)", "1x24x8x", "2x24x8x"),
        ("C5", "(C5)", "1x48x", "1x47x"),
        ("C6", "(C6)", "B = %b", "sequence_lens = %b"),
        ("C7", "(C7)", "B = %b", "initial_h = %b"),
        ("C8", "(C8)", "clip = 2.0", "clip = -2.0"),
        ("C9", "(C9)", "clip", "linear_before_reset = -1 : i64, clip"),
        ("C5", "operand 'B' is Float16", "1x48xf32", "1x48xf16"),
    ],
}
