// Mistakes in op names, each in the match of a rule or in its replacement; the last three are fine.
#define THIS_PKG_NAME Names
#define NATIVE(OP) FROM_DEFAULT_PACKAGE(OP)
DEF_PACKAGE_OP(scale, "Scale")
DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Scael", "X"), OK, Op(NATIVE("Neg"), "X"))
DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Relu", Op("Scale", "X")), OK, Op("Scale", "X"))
DEF_PACKAGE_OPTIMIZATION(EARLY, Op(NATIVE("Tanh"), "X"), OK, Op("Sclae", "X"))
DEF_PACKAGE_OPTIMIZATION(LATE, Op("Loop", "X"), GT(DIM_DEPTH("*"), 8),
                         AUTOSPLIT(3, "I", 8, Op("Loop", TYPICAL_SLICE("X", "I"))))
DEF_PACKAGE_OPTIMIZATION(EARLY, Op(NATIVE("Abs"), "X"), OK, Op("Inner", "X"))
DEF_PACKAGE_OPTIMIZATION(EARLY + 1, Op("Inner", "X"), OK, Op("Inner.next", "X"))
DEF_PACKAGE_OPTIMIZATION(EARLY + 2, Op("Inner.next", "X"), OK, Op("Scale", "X"))
