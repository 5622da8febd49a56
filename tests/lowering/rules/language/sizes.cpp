// A Neg that is lower than it is deep becomes an Abs.
DEF_PACKAGE_OPTIMIZATION(EARLY,
    Op(FROM_DEFAULT_PACKAGE("Neg"), "X"),
    AND(EQ(RANK_OF("X"), 4), LT(DIM_HEIGHT("X"), DIM_OF("X", 3))),
    Op(FROM_DEFAULT_PACKAGE("Abs"), "X"))
