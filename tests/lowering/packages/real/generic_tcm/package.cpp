// A generic kernel whose op has its result in TCM, and a param with a default.
#include "HTP/core/constraints.h"
#include "HTP/core/optimize.h"
#include "QnnOpPackage.h"

#define THIS_PKG_NAME LeakPackage

BEGIN_PKG_OP_DEFINITION(PKG_Leak);

GraphStatus leakImpl(Tensor &out, const Tensor &in, const Tensor &slope);
float leakCost(const Op *op);

DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS(leakImpl, "Leak", leakCost, Flags::RESOURCE_HVX)
DEF_TENSOR_PROPERTIES(Op("Leak", "in", "slope"), Flat("*", "in"), Tcm("*"), MainMemory("slope"))

static Qnn_Scalar_t sg_slopeValue = {.dataType = QNN_DATATYPE_FLOAT_32, .floatValue = 0.1f};
static Qnn_Param_t sg_slope = {.paramType = QNN_PARAMTYPE_SCALAR, .scalarParam = sg_slopeValue};
DEF_PACKAGE_PARAM_ORDER("Leak", "slope", false, &sg_slope)

// max(x, slope * x)
DEF_PACKAGE_OPTIMIZATION(EARLY,
    Op(FROM_DEFAULT_PACKAGE("Maximum"), "X",
       Op(FROM_DEFAULT_PACKAGE("Mul"), "X", OPCONST("S"))),
    AND(IS_FLOAT32("*"), IS_SCALAR("S"), LT(CONSTVAL_FLOAT("S", 0), 1.0f),
        GE(CONSTVAL_FLOAT("S", 0), 0.0f), SAME_SHAPE("*", "X")),
    Op("Leak", "X", gen_ConstScalar_f32(CONSTVAL_FLOAT("S", 0))))

// nothing leaks
DEF_PACKAGE_OPTIMIZATION(EARLY + 1, Op("Leak", "X", "S"),
    AND(EQ(CONSTVAL_FLOAT("S", 0), 0.0f), IS_FLOAT32("*")),
    Op(FROM_DEFAULT_PACKAGE("Relu"), "X"))

// twice is once with the product, if somebody else wants none of it
DEF_PACKAGE_OPTIMIZATION(EARLY + 2, Op("Leak", LET("Once", Op("Leak", "X", "S")), "T"),
    AND(IS_FLOAT32("*"), GE(CONSTVAL_FLOAT("S", 0), 0.0f), NOT(PRODUCER_FOR("Once", "*Output"))),
    Op("Leak", "X",
       gen_ConstScalar_f32(MUL(CONSTVAL_FLOAT("S", 0), CONSTVAL_FLOAT("T", 0)))))

// in front of a Relu it does nothing
DEF_PACKAGE_OPTIMIZATION(EARLY + 3, Op(FROM_DEFAULT_PACKAGE("Relu"), Op("Leak", "X", "S")),
    AND(IS_FLOAT32("*"), GE(CONSTVAL_FLOAT("S", 0), 0.0f)),
    Op(FROM_DEFAULT_PACKAGE("Relu"), "X"))

// what another Leak reads is cut like it
DEF_PACKAGE_OPTIMIZATION(LATE, Op("Leak", "X", "S"),
    AND(GT(DIM_DEPTH("*"), 32), PRODUCER_FOR("*", "Leak")),
    AUTOSPLIT(3, "I", 32, Op("Leak", TYPICAL_SLICE("X", "I"), "S")))

END_PKG_OP_DEFINITION(PKG_Leak);
