// Two rules of one macro call, then two on a line of which the first is not understood.
#define THIS_PKG_NAME Shared
#define BOTH(OP) \
    DEF_PACKAGE_OPTIMIZATION(EARLY, Op(FROM_DEFAULT_PACKAGE(OP), "X"), OK, "X") \
    DEF_PACKAGE_OPTIMIZATION(EARLY, Op(FROM_DEFAULT_PACKAGE(OP), "X"), IS_FLOAT32("X"), "X")
BOTH("Neg")
DEF_OPT(LATE, Op("Abs", "X"), IS_ODD("X"), "X") DEF_OPT(LATE, Op("Abs", "X"), OK, "X")
