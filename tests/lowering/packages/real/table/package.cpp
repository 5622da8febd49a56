// Quantised functions from a table of 256 numbers, which another op makes of the encodings.
#include "HTP/core/constraints.h"
#include "HTP/core/optimize.h"
#include "QnnOpPackage.h"

#define THIS_PKG_NAME TablePackage
#define IS_U8(T) IS_QUINT8(T)
#define TABLE_OF(X) \
    WITH_SIZE(gen_Shape(1, 1, 1, 256), Op("MakeTable", X))

BEGIN_PKG_OP_DEFINITION(PKG_Table);

GraphStatus curveImpl(Tensor &out, const Tensor &in);
GraphStatus makeTable(QuantUint8Tensor &table, const QuantUint8Tensor &in);
template <typename TType>
GraphStatus lookUp(TType &out, const TType &in, const QuantUint8Tensor &table);

DEF_PACKAGE_OP(curveImpl, "Curve")
DEF_PACKAGE_OP(makeTable, "MakeTable")
DEF_PACKAGE_OP(lookUp<QuantUint8Tensor>, "LookUp")
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(lookUp<QUint8CroutonTensor_TCM>, "LookUp", SNAIL,
                                  Flags::RESOURCE_HVX)

DEF_TENSOR_PROPERTIES(Op("LookUp", "in", "table"), Crouton("*", "in"), Flat("table"),
                      Tcm("*", "in"), MainMemory("table"))

// the function between a Dequantize and a Quantize
DEF_PACKAGE_OPTIMIZATION(
    EARLY,
    Op(FROM_DEFAULT_PACKAGE("Quantize"),
       Op("Curve", Op(FROM_DEFAULT_PACKAGE("Dequantize"), "X"))),
    AND(IS_U8("X"), IS_U8("*")),
    Op("Curve", "X"))

DEF_PACKAGE_OPTIMIZATION(
    MIDDLE,
    Op("Curve", "X"),
    AND(IS_U8("X"), IS_U8("*")),
    Op("LookUp", "X", TABLE_OF("X")))

DEF_PACKAGE_OPTIMIZATION(
    LATE,
    Op("LookUp", "X", "Table"),
    AND(GT(DIM_DEPTH("*"), 32), EQ(DIM_DEPTH("Table"), 256)),
    AUTOSPLIT(3, "I", 32, Op("LookUp", TYPICAL_SLICE("X", "I"), "Table")))

END_PKG_OP_DEFINITION(PKG_Table);
