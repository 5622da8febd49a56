"""Cases of element-wise ops and activations."""

import numpy as np

from ..models import floats, ints
from .case import (
    BOOLS,
    IMAGE,
    SQUARE,
    case,
    f32,
    scalar,
)

UNARY = [
    case(op, SQUARE)
    for op in (
        *("Abs", "Neg", "Exp", "Sin", "Cos", "Floor", "Ceil", "Round", "Sign", "Reciprocal"),
        *("Erf", "Softplus", "Relu", "Sigmoid", "Tanh", "HardSwish", "Identity", "Softsign"),
        *("Atan", "Tan", "Sinh", "Cosh", "Asinh"),
    )
] + [case(op, np.abs(SQUARE)) for op in ("Log", "Sqrt")]

INVERSES = [
    *(case(op, np.tanh(SQUARE)) for op in ("Asin", "Acos", "Atanh")),
    case("Acosh", np.cosh(SQUARE)),
    *(case(op, f32(-1, 1)) for op in ("Asin", "Acos")),
    *(case(op, f32(-80, -1e-6, 0, 1e-20, 3e-3, 89)) for op in ("Sinh", "Asinh", "Atan", "Cosh")),
    case("Atanh", f32(-0.9999, -1e-6, 0, 1e-20, 3e-3)),
    case("Acosh", f32(1, 1.00001, 2, 1e30)),
]

SPECIAL = f32(np.nan, np.inf, -np.inf, 0, -3)

TESTS = [
    case("IsNaN", SPECIAL),
    case("IsInf", SPECIAL),
    case("IsInf", SPECIAL, detect_negative=0),
    case("IsInf", SPECIAL, detect_positive=0),
    case("IsInf", SPECIAL, detect_positive=0, detect_negative=0),
]

BITS = [
    *(
        case("BitShift", np.arange(250, dtype=dtype), np.arange(250, dtype=dtype) % 8, direction=to)
        for dtype in (np.uint8, np.uint32)
        for to in ("LEFT", "RIGHT")
    ),
    *(case("BitwiseNot", ints(4, 6, dtype=dtype, low=0)) for dtype in ("int32", "uint8")),
    *(
        case(f"Bitwise{op}", ints(1, 2, 4, 32, dtype=dtype), ints(32, dtype=dtype), fixed=2)
        for op, dtype in (("And", "int8"), ("Or", "uint16"), ("Xor", "int64"), ("Xor", "uint32"))
    ),
]

BINARY = [
    case(op, a, b, fixed=2)
    for op in ("Add", "Sub", "Mul", "Div", "Less", "LessOrEqual", "Greater", "GreaterOrEqual")
    for a, b in ((SQUARE, floats(6)), (floats(2, 1, 6), floats(4, 1)), (ints(4, 6), ints(6)))
]

ELEMENT_WISE = [
    case("Not", BOOLS),
    *(case(op, BOOLS, BOOLS[:, ::-1].copy(), fixed=2) for op in ("And", "Or", "Xor")),
    case("Equal", ints(4, 6), ints(6)),
    case("Where", BOOLS, SQUARE, floats(6), fixed=3),
    case("Pow", np.abs(SQUARE), f32(2.5)),
    case("Pow", SQUARE, np.array(3, np.int64)),
    case("Mod", ints(4, 6), ints(6)),
    case("Mod", ints(4, 6), ints(6), fmod=1),
    case("Mod", SQUARE, floats(6), fmod=1),
    case("Max", SQUARE, floats(6), floats(1), fixed=3),
    case("Min", SQUARE, floats(6), fixed=2),
    case("Sum", SQUARE, floats(6), floats(1), fixed=3),
    case("Mean", SQUARE, floats(6), floats(1), fixed=3),
]

ACTIVATIONS = [
    case("LeakyRelu", SQUARE),
    case("LeakyRelu", SQUARE, alpha=0.3),
    case("Elu", SQUARE, alpha=0.7),
    case("Selu", SQUARE),
    case("PRelu", IMAGE, floats(3, 1, 1)),
    case("PRelu", SQUARE, floats(6)),
    case("Gelu", SQUARE),
    case("Gelu", SQUARE, approximate="tanh"),
    case("HardSigmoid", SQUARE),
    case("HardSigmoid", SQUARE, alpha=0.5, beta=0.1),
    case("Mish", SQUARE),
    case("Clip", SQUARE, scalar(-0.5), scalar(0.5)),
    case("Clip", SQUARE, scalar(0.0)),
    case("Clip", SQUARE, None, scalar(0.5)),
    case("Clip", SQUARE),
    case("Clip", SQUARE, scalar(-0.5), scalar(0.5), fixed=3),
    case("Clip", ints(4, 6), np.array(-2, np.int32), np.array(3, np.int32)),
    case("Clip", SQUARE, opset=7, min=-0.25, max=0.75),
]
