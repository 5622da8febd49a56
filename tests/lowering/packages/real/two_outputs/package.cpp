// Gates: an op of two outputs, the sigmoid half and the linear half, and what is made of them.
#include "HTP/core/constraints.h"
#include "HTP/core/op_register_ext.h"
#include "HTP/core/optimize.h"
#include "QnnOpPackage.h"

#define THIS_PKG_NAME GatePackage
#define NATIVE(NAME) FROM_DEFAULT_PACKAGE(NAME)

BEGIN_PKG_OP_DEFINITION(PKG_Gate);

template <typename TensorType>
GraphStatus gateImpl(TensorType &gate, TensorType &linear, const TensorType &in);
GraphStatus joinImpl(Tensor &out, const Tensor &gate, const Tensor &linear);

DEF_PACKAGE_OP((gateImpl<Tensor>), "Gate")
DEF_PACKAGE_OP_AND_COST_AND_FLAGS((gateImpl<FloatCroutonTensor_TCM>), "Gate", SNAIL,
                                  Flags::RESOURCE_HVX)
DEF_PACKAGE_OP(joinImpl, "GateJoin")

DEF_TENSOR_PROPERTIES(Op("Gate", "in"), Outputs("gate", "linear"),
                      Crouton("*", "linear", "in"), Tcm("*", "linear", "in"))

// x * sigmoid(x), as models write it
DEF_PACKAGE_OPTIMIZATION(
    EARLY,
    Op(NATIVE("Mul"), "X", Op(NATIVE("Sigmoid"), "X")),
    IS_FLOAT32("*"),
    Op("GateJoin", OpMultiOut(2, 0, "Gate", "X"), OpMultiOut(2, 1, "Gate", "X")))

DEF_PACKAGE_OPTIMIZATION(
    EARLY,
    Op(NATIVE("Mul"), Op(NATIVE("Sigmoid"), "X"), "X"),
    IS_FLOAT32("*"),
    Op("GateJoin", OpMultiOut(2, 0, "Gate", "X"), OpMultiOut(2, 1, "Gate", "X")))

// the sum of both halves, which needs no third op
DEF_PACKAGE_OPTIMIZATION(
    EARLY + 1,
    Op(NATIVE("Add"), Op(NATIVE("Sigmoid"), "X"), "X"),
    AND(IS_FLOAT32("X"), SAME_SHAPE("*", "X")),
    Op(NATIVE("Add"), OpMultiOut(2, 0, "Gate", "X"), OpMultiOut(2, 1, "Gate", "X")))

// what nobody joins is a sigmoid
DEF_PACKAGE_OPTIMIZATION(
    MIDDLE,
    Op("GateJoin", LET("S", Op(NATIVE("Sigmoid"), "X")), "Y"),
    AND(SAME_SHAPE("S", "Y"), IS_FLOAT32("*")),
    Op(NATIVE("Mul"), "S", "Y"))

END_PKG_OP_DEFINITION(PKG_Gate);
