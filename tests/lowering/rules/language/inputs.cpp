// A Concat of one part on axis 1 becomes that part; the sum of a Neg and something is a difference.
DEF_PACKAGE_OPTIMIZATION(EARLY,
    OpVarIn(FROM_DEFAULT_PACKAGE("Concat"), "Axis", "First"),
    AND(EQ(INPUTS_OF("*"), 2), EQ(CONSTVAL_INT("Axis", 0), 1)),
    "First")
DEF_PACKAGE_OPTIMIZATION(EARLY,
    Op(FROM_DEFAULT_PACKAGE("Add"), LET("N", Op(FROM_DEFAULT_PACKAGE("Neg"), "X")), "Y"),
    SAME_OP("X", INPUT_OF("N", 0)),
    Op(FROM_DEFAULT_PACKAGE("Sub"), "Y", "X"))
