// A Neg of more than 3 rows becomes one for each 3 rows.
DEF_PACKAGE_OPTIMIZATION(EARLY,
    Op(FROM_DEFAULT_PACKAGE("Neg"), "X"),
    GT(DIM_HEIGHT("*"), 3),
    AUTOSPLIT(1, "I", 3, Op(FROM_DEFAULT_PACKAGE("Neg"), TYPICAL_SLICE("X", "I"))))
