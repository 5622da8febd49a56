// A Neg as high as the option tile_height becomes an Abs, any other one a Relu where the flag is on.
DEF_PACKAGE_OPTIMIZATION(EARLY,
    Op(FROM_DEFAULT_PACKAGE("Neg"), "X"),
    EQ(DIM_HEIGHT("X"), OPTION_UINT("tile_height")),
    Op(FROM_DEFAULT_PACKAGE("Abs"), "X"))
DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(EARLY, relaxed_precision_flag,
    Op(FROM_DEFAULT_PACKAGE("Neg"), "X"),
    OK,
    Op(FROM_DEFAULT_PACKAGE("Relu"), "X"))
