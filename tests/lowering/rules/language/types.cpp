// A Neg of quantised bytes becomes an Abs, one of floats a Relu.
DEF_PACKAGE_OPTIMIZATION(EARLY,
    Op(FROM_DEFAULT_PACKAGE("Neg"), "X"),
    AND(IS_QUINT8("X"), EQ(ZERO_OFFSET_OF("X"), 128), SAME_QUANT("*", "X")),
    Op(FROM_DEFAULT_PACKAGE("Abs"), "X"))
DEF_PACKAGE_OPTIMIZATION(EARLY,
    Op(FROM_DEFAULT_PACKAGE("Neg"), "X"),
    EQ(DTYPE_OF("X"), DType::Float32),
    Op(FROM_DEFAULT_PACKAGE("Relu"), "X"))
