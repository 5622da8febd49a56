// The swish package as C++ text: what package.py says, with the bodies left to the device.
#include "QnnOpPackage.h"

#define THIS_PKG_NAME SwishPackage
#define NATIVE(NAME) FROM_DEFAULT_PACKAGE(NAME)

BEGIN_PKG_OP_DEFINITION(PKG_Swish);

// Kernels: what each takes and what it costs.
template <typename TType>
GraphStatus swish(TType &out, const TType &in, const Tensor &beta);

template <typename TType>
GraphStatus swish_by_table(TType &out, const TType &in, const Tensor &beta);

float table_cost(const Op *op);

DEF_PACKAGE_OP(swish<Tensor>, "Swish")
DEF_PACKAGE_OP(swish<Tensor>, "Swish.fast")
DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS(swish_by_table<QuantUint8Tensor>, "Swish", table_cost,
                                    Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(swish_by_table<QUint8CroutonTensor_TCM>, "Swish.fast", FAST,
                                  Flags::RESOURCE_HVX)

// Where the tensors are to be.
DEF_TENSOR_PROPERTIES(Op("Swish.fast", "in", "beta"),
                      Crouton("*", "in"),
                      Tcm("*", "in"),
                      Flat("beta"),
                      MainMemory("beta"))

// The param, for nodes of models that do not give it.
static Qnn_Scalar_t sg_beta_scalar{.dataType = QNN_DATATYPE_FLOAT_32, .floatValue = 1.0};
static Qnn_Param_t sg_beta{.paramType = QNN_PARAMTYPE_SCALAR, .scalarParam = sg_beta_scalar};
DEF_PACKAGE_PARAM_ORDER("Swish", "beta", false, &sg_beta)
DEF_PACKAGE_PARAM_ORDER("Swish.fast", "beta", false, &sg_beta)

// Between Dequantize and Quantize the op is one of u8.
// :::RULE_NAME::: quantised
DEF_PACKAGE_OPTIMIZATION(EARLY,
    Op(NATIVE("Quantize"), Op("Swish", Op(NATIVE("Dequantize"), "X"), "Beta")),
    AND(IS_QUINT8("X"), IS_QUINT8("*")),
    Op("Swish", "X", "Beta"))

// It is fast where it fills a crouton.
// :::RULE_NAME::: fast
DEF_PACKAGE_OPTIMIZATION(EARLY + 1,
    Op("Swish", "X", "Beta"),
    AND(IS_QUINT8("X"), IS_QUINT8("*"),
        AND(GE(DIM_HEIGHT("*"), 8), GE(DIM_WIDTH("*"), 8), GE(DIM_DEPTH("*"), 32))),
    Op("Swish.fast", "X", "Beta"))

// What does not fit TCM is halved, and halved again: batches, then rows, channels, columns.
#define HALVES(DIM, CHUNK) \
    DEF_PACKAGE_OPTIMIZATION(EARLY + 4, \
        Op("Swish.fast", "X", "Beta"), \
        AND(GT(MUL(2, ESTIMATE_TENSOR_SIZE("*")), TCM_MAXTENSOR_SIZE), \
            GT(DIM_OF("*", DIM), CHUNK)), \
        AUTOSPLIT(DIM, "I", ROUNDUP(DIV(ADD(DIM_OF("*", DIM), 1), 2), CHUNK), \
                  Op("Swish.fast", TYPICAL_SLICE("X", "I"), "Beta")))

HALVES(0, 1)
HALVES(1, 8)
HALVES(3, 32)
HALVES(2, 8)

END_PKG_OP_DEFINITION(PKG_Swish);
