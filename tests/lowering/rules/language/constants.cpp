// A product with the constant 2 becomes a sum; one with a larger constant is that of a sum and its half.
DEF_PACKAGE_OPTIMIZATION(EARLY,
    Op(FROM_DEFAULT_PACKAGE("Mul"), "X", OPCONST("C")),
    AND(IS_SCALAR("C"), EQ(CONSTVAL_FLOAT("C", 0), 2.0f)),
    Op(FROM_DEFAULT_PACKAGE("Add"), "X", "X"))
DEF_PACKAGE_OPTIMIZATION(EARLY + 1,
    Op(FROM_DEFAULT_PACKAGE("Mul"), "X", OPCONST("C")),
    GT(CONSTVAL_FLOAT("C", 0), 2.0f),
    Op(FROM_DEFAULT_PACKAGE("Mul"),
       Op(FROM_DEFAULT_PACKAGE("Add"), "X", "X"),
       gen_ConstScalar_f32(DIV(CONSTVAL_FLOAT("C", 0), 2.0f))))
