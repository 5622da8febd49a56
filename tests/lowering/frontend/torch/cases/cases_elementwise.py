"""Cases of element-wise ops: overloads, promotion, scalars, no dims."""

import math

import torch

from .case import case
from .data import (
    T,
    b,
    i,
    r,
    u,
)

SPECIAL = T([math.nan, math.inf, -math.inf, 0.0, -3.0])

UNARY = [
    *(
        case(op, r(3, 5))
        for op in (
            *("abs", "atan", "asinh", "ceil", "cos", "cosh", "erf", "exp", "floor", "neg"),
            *("relu", "round", "sigmoid", "sign", "sin", "sinh", "tan", "tanh", "trunc"),
            *("reciprocal", "expm1", "gelu", "alias", "clone", "elu", "leaky_relu", "hardtanh"),
        )
    ),
    *(case(op, u(7)) for op in ("acos", "asin", "atanh", "log", "log10", "log1p", "log2")),
    *(case(op, u(2, 1, 3)) for op in ("sqrt", "rsqrt")),
    *(case(op, i(4, low=-4)) for op in ("abs", "neg", "sign", "ceil", "trunc", "exp", "sin")),
    *(case(op, T(2)) for op in ("abs", "sqrt", "bitwise_not", "logical_not", "isnan")),
    *(case(op, SPECIAL) for op in ("isnan", "isinf", "logical_not")),
    case("acosh", 1 + u(4)),
    case("expm1", T([1e-7, -3e-4, 5.0, -20.0])),
    case("log1p", T([1e-7, -3e-4, 5.0, 0.0])),
    case("bitwise_not", b(4)),
    case("bitwise_not", i(4, low=-4, dtype=torch.int32)),
    case("round", T([0.5, 1.5, 2.5, -0.5])),
    case("round.decimals", T([0.1264, -3.456]), decimals=2),
    case("gelu", r(4), approximate="tanh"),
    case("leaky_relu", r(4), 0.2),
    case("elu", r(5), 0.7, 1.5, 2),
    case("hardtanh", r(5), -0.5, 0.3),
    case("clamp", r(5), -0.5),
    case("clamp", i(5), max=4),
    case("clamp.Tensor", r(3, 4), r(4), T(0.9)),
    case("clamp", i(5), 0.5, 3.5),
    case("_to_copy", r(4) * 3, dtype=torch.int32),
    case("_to_copy", i(4, high=3), dtype=torch.bool),
    case("_to_copy", r(4), dtype=torch.float16),
    case("native_dropout", r(3, 2), 0.5, False),
]

_COMPARISONS = ("eq", "ge", "gt", "le", "lt", "ne")
BINARY = [
    *(case(f"{op}.Tensor", i(3, 4, high=4), i(4, high=4)) for op in _COMPARISONS),
    *(case(f"{op}.Scalar", i(3, high=4), 1.5) for op in _COMPARISONS),
    *(case(f"{op}.Tensor", r(3, 1), i(2)) for op in ("eq", "lt", "add", "sub", "mul", "div")),
    *(case(op, r(2, 3), r(3)) for op in ("maximum", "minimum", "atan2")),
    case("maximum", i(4), i(4, dtype=torch.int32)),
    case("atan2", T([0.0, 0.0, 1.0, -1.0, 1.0]), T([1.0, 0.0, 0.0, 0.0, -1.0])),
    case("add.Tensor", r(3), r(3), alpha=2),
    case("add.Tensor", i(3), T(2, dtype=torch.int32), alpha=-1),
    case("add.Tensor", b(3), b(3)),
    case("add.Scalar", i(3), 2.5, 2),
    case("sub.Scalar", r(3), 2),
    case("sub.Tensor", i(3), r(2, 1), alpha=3),
    case("mul.Scalar", i(3), 0.5),
    case("mul.Tensor", T(3), r(2, 2)),
    case("div.Tensor", i(3), i(3, low=1)),
    case("div.Scalar", i(3), 4),
    *(
        case(f"div.{kind}", x, y, rounding_mode=mode)
        for mode in (None, "floor", "trunc")
        for kind, x, y in (
            ("Tensor_mode", r(5) * 9, r(5)),
            ("Tensor_mode", i(6, low=-9), i(6, low=1, high=4)),
            ("Scalar_mode", i(6, low=-9), 4),
        )
    ),
    *(case(f"{op}.Tensor", r(6) * 9, r(6)) for op in ("fmod", "remainder")),
    *(case(f"{op}.Scalar", i(6, low=-9), 4) for op in ("fmod", "remainder")),
    case("pow.Tensor_Scalar", r(4), 2),
    case("pow.Tensor_Scalar", i(4, high=4), 3),
    case("pow.Tensor_Tensor", u(2, 3), r(3)),
    case("pow.Scalar", 2, r(4)),
    *(case(f"bitwise_{op}.Tensor", b(4), b(4)) for op in ("and", "or", "xor")),
    *(case(f"bitwise_{op}.Scalar", b(4), True) for op in ("and", "or", "xor")),
    *(case(f"bitwise_{op}.Tensor", i(4, low=-9), i(4, low=-9)) for op in ("and", "or", "xor")),
    *(case(f"bitwise_{op}.Scalar", i(4, dtype=torch.int32), 6) for op in ("and", "or", "xor")),
    *(case(f"logical_{op}", i(4, high=2), r(3, 1)) for op in ("and", "or", "xor")),
    case("where.self", b(3, 1), r(3, 4), i(4)),
    case("where.self", b(4), T(1.0), T(2)),
]
