// The max-pool package as C++ text: what package.py says, with the bodies left to the device.
#include "QnnOpPackage.h"

#define THIS_PKG_NAME MaxPoolPackage

BEGIN_PKG_OP_DEFINITION(PKG_MaxPool);

// Steps 1 and 2: what each implementation takes and costs.
template <typename TType>
GraphStatus max_pool(TType &out, const TType &act, const Tensor &window, const Tensor &stride);

GraphStatus separable(FloatCroutonTensor_TCM &out, const FloatCroutonTensor_TCM &act,
                      const Tensor &window, const Tensor &stride);

float separable_cost(const Op *op);

DEF_PACKAGE_OP(max_pool<Tensor>, "MaxPool_valid")
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(max_pool<FloatCroutonTensor_TCM>, "MaxPool_valid", SNAIL,
                                  Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(max_pool<QUint8CroutonTensor_TCM>, "MaxPool_valid", SNAIL,
                                  Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS(separable, "MaxPool_valid", separable_cost,
                                    Flags::RESOURCE_HVX)

// Step 3: where the tensors are to be.
DEF_TENSOR_PROPERTIES(Op("MaxPool_valid", "Act", "W", "S"), Crouton("*", "Act"), Tcm("*", "Act"))

// The native op becomes ours, and ours is tiled over depth.
DEF_PACKAGE_OPTIMIZATION(EARLY,
    Op(FROM_DEFAULT_PACKAGE("MaxPool_valid"), "Act", "W", "S"),
    OK,
    Op("MaxPool_valid", "Act", "W", "S"))

DEF_PACKAGE_OPTIMIZATION(EARLY + 4,
    Op("MaxPool_valid", "Act", "W", "S"),
    GT(DIM_DEPTH("*"), 32),
    AUTOSPLIT(3, "I", 32, Op("MaxPool_valid", TYPICAL_SLICE("Act", "I"), "W", "S")))

END_PKG_OP_DEFINITION(PKG_MaxPool);
