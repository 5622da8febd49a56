// A line through the data: factor and offset are params, in the order in which they are given.
#include "QnnOpPackage.h"
#include "HTP/core/optimize.h"

#define THIS_PKG_NAME LinePackage

BEGIN_PKG_OP_DEFINITION(PKG_Line);

GraphStatus lineImpl(Tensor &out, const Tensor &in, const Tensor &factor, const Tensor &offset);
GraphStatus scaleImpl(Tensor &out, const Tensor &in, const Tensor &factor);

DEF_PACKAGE_OP(lineImpl, "Line")
DEF_PACKAGE_OP(scaleImpl, "Line.scale")

// a line without an offset only scales
DEF_PACKAGE_OPTIMIZATION(EARLY,
                         Op("Line", "X", "Factor", "Offset"),
                         EQ(CONSTVAL_FLOAT("Offset", 0), 0.0f),
                         Op("Line.scale", "X", "Factor"))

// one that scales by 1 does nothing
DEF_PACKAGE_OPTIMIZATION(EARLY + 1,
                         Op("Line.scale", "X", "Factor"),
                         AND(EQ(CONSTVAL_FLOAT("Factor", 0), 1.0f), SAME_ENCODING("*", "X")),
                         "X")

// two lines are one
DEF_PACKAGE_OPTIMIZATION(
    EARLY + 2,
    Op("Line.scale", Op("Line.scale", "X", "First"), "Second"),
    AND(IS_FLOAT32("*"), CONSTVAL_FLOAT_VALID("First", 0), CONSTVAL_FLOAT_VALID("Second", 0)),
    Op("Line.scale", "X",
       gen_ConstScalar_f32(MUL(CONSTVAL_FLOAT("First", 0), CONSTVAL_FLOAT("Second", 0)))))

// Mul and Add of numbers, as models write it
DEF_PACKAGE_OPTIMIZATION(
    EARLY,
    Op(FROM_DEFAULT_PACKAGE("Add"), Op(FROM_DEFAULT_PACKAGE("Mul"), "X", OPCONST("A")),
       OPCONST("B")),
    AND(IS_FLOAT32("*"), IS_SCALAR("A"), IS_SCALAR("B")),
    Op("Line", "X", gen_ConstScalar_f32(CONSTVAL_FLOAT("A", 0)),
       gen_ConstScalar_f32(CONSTVAL_FLOAT("B", 0))))

DEF_PACKAGE_OPTIMIZATION(MIDDLE,
                         Op("Line", "X", "Factor", "Offset"),
                         GT(DIM_HEIGHT("*"), 4),
                         AUTOSPLIT(1, "I", 4, Op("Line", TYPICAL_SLICE("X", "I"), "Factor", "Offset")))

END_PKG_OP_DEFINITION(PKG_Line);
