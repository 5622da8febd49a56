// Half precision: an f16 variant of each op, which casts lead to where precision is relaxed.
#include "HTP/core/constraints.h"
#include "HTP/core/optimize.h"
#include "QnnOpPackage.h"

#define THIS_PKG_NAME HalfPackage

BEGIN_PKG_OP_DEFINITION(PKG_Half);

template <typename TType> GraphStatus mishImpl(TType &out, const TType &in);
template <typename TType>
GraphStatus blendImpl(TType &out, const TType &a, const TType &b, const Tensor &share);

DEF_PACKAGE_OP(mishImpl<PlainFloatTensor>, "Mish")
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(mishImpl<PlainFloat16Tensor>, "Mish.f16", SNAIL,
                                  Flags::RESOURCE_HVX)
DEF_PACKAGE_OP(blendImpl<PlainFloatTensor>, "Blend")
DEF_PACKAGE_OP(blendImpl<PlainFloat16Tensor>, "Blend")

static Qnn_Scalar_t sg_defaultShare = {.dataType = QNN_DATATYPE_FLOAT_32, .floatValue = 0.5f};
static Qnn_Param_t sg_share = {.paramType = QNN_PARAMTYPE_SCALAR, .scalarParam = sg_defaultShare};
DEF_PACKAGE_PARAM_ORDER("Blend", "share", false, &sg_share)

DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(
    EARLY, relaxed_precision_flag,
    Op("Mish", "X"),
    AND(IS_FLOAT32("X"), IS_FLOAT32("*")),
    CAST_TO_FP32(WITH_OUTPUT_TYPE(DType::Float16, 0, 1.0f, Op("Mish.f16", CAST_TO_FP16("X")))))

DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(
    EARLY, relaxed_precision_flag,
    Op("Blend", "A", "B", "Share"),
    AND(IS_FLOAT32("A"), IS_FLOAT32("*")),
    MAKE_OP_FP16_AND_INSERT_CAST("*"))

// casts that lead nowhere
DEF_PACKAGE_OPTIMIZATION(
    EARLY + 1,
    Op("Mish.f16", Op(FROM_DEFAULT_PACKAGE("Cast"), LET("C", Op(FROM_DEFAULT_PACKAGE("Cast"), "X")))),
    AND(IS_FLOAT16("X"), IS_FLOAT32("C"), IS_FLOAT16("*")),
    Op("Mish.f16", "X"))

// a blend of one tensor with itself is the tensor
DEF_PACKAGE_OPTIMIZATION(EARLY + 2, Op("Blend", "A", "A", "Share"), SAME_ENCODING("*", "A"), "A")

END_PKG_OP_DEFINITION(PKG_Half);
