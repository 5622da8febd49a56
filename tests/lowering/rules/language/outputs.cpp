// The sum of a Neg is the Neg of the sum; the sum of an Abs becomes that of a Relu.
DEF_PACKAGE_OPTIMIZATION(EARLY,
    Op(FROM_DEFAULT_PACKAGE("ReduceSum"), LET("E", Op(FROM_DEFAULT_PACKAGE("Neg"), "X")), OPCONST("Axes")),
    OK,
    Op(FROM_DEFAULT_PACKAGE("Neg"), Op(FROM_DEFAULT_PACKAGE("ReduceSum"), "X", "Axes")))
DEF_PACKAGE_OPTIMIZATION(EARLY,
    Op(FROM_DEFAULT_PACKAGE("ReduceSum"), LET("E", Op(FROM_DEFAULT_PACKAGE("Abs"), "X")), OPCONST("Axes")),
    OK,
    Op(FROM_DEFAULT_PACKAGE("ReduceSum"), WITH_SAME_OUTPUT("X", Op(FROM_DEFAULT_PACKAGE("Relu"), "X")), "Axes"))
