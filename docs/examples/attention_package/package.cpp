// The attention package as C++ text: what package.py says, with the bodies left to the device.
#include "QnnOpPackage.h"

#define THIS_PKG_NAME AttentionPackage

BEGIN_PKG_OP_DEFINITION(PKG_Attention);

// The kernels: one for any tensors, and one whose scores are scratch in TCM.
GraphStatus reference(Tensor &out, const Tensor &q, const Tensor &k, const Tensor &v,
                      const Tensor &scale);

GraphStatus masked_reference(Tensor &out, const Tensor &q, const Tensor &k, const Tensor &v,
                             const Tensor &mask, const Tensor &scale);

template <typename TType>
GraphStatus attend(TType &out, const TType &q, const TType &k, const TType &v,
                   const PlainFloatTensor &scale, TType &scores, TType &rows);

template <typename TType>
GraphStatus masked_attend(TType &out, const TType &q, const TType &k, const TType &v,
                          const TType &mask, const PlainFloatTensor &scale, TType &scores,
                          TType &rows);

#ifndef PREPARE_DISABLED
// A score for each key, and a number of its own, for each query.
class ScoresHook : public hnnx::OpHookBase {
    virtual GraphStatus pre_allocate(hnnx::OpIoPtrs const &iop, Op &op) const override
    {
        const Tensor &out = *op.get_output(0), &k = *op.get_input(1);
        size_t scores[4] = {out.dim(0), out.dim(1), out.dim(2), k.dim(2)};
        size_t rows[4] = {out.dim(0), out.dim(1), out.dim(2), 1};
        GraphStatus status = hnnx::change_output_tensor_shape(op, 1, iop.graph(), 4, scores);
        if (status != GraphStatus::Success) return status;
        return hnnx::change_output_tensor_shape(op, 2, iop.graph(), 4, rows);
    }
};
CTOR_OPHOOK((attend<PlainFloatTensor_TCM>), ScoresHook)
CTOR_OPHOOK((masked_attend<PlainFloatTensor_TCM>), ScoresHook)
#endif

DEF_PACKAGE_OP(reference, "ScaledDotProduct")
DEF_PACKAGE_OP(masked_reference, "ScaledDotProduct.masked")
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(attend<PlainFloatTensor_TCM>, "ScaledDotProduct", SNAIL,
                                  Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(masked_attend<PlainFloatTensor_TCM>, "ScaledDotProduct.masked",
                                  SNAIL, Flags::RESOURCE_HVX)

// Where the tensors are to be, and the param with its default.
DEF_TENSOR_PROPERTIES(Op("ScaledDotProduct", "q", "k", "v", "scale"), Flat("..."),
                      Tcm("*", "q", "k", "v"), MainMemory("scale"))
DEF_TENSOR_PROPERTIES(Op("ScaledDotProduct.masked", "q", "k", "v", "mask", "scale"), Flat("..."),
                      Tcm("*", "q", "k", "v", "mask"), MainMemory("scale"))

static Qnn_Scalar_t sg_scale_scalar{.dataType = QNN_DATATYPE_FLOAT_32, .floatValue = 1.0};
static Qnn_Param_t sg_scale{.paramType = QNN_PARAMTYPE_SCALAR, .scalarParam = sg_scale_scalar};
DEF_PACKAGE_PARAM_ORDER("ScaledDotProduct", "scale", false, &sg_scale)
DEF_PACKAGE_PARAM_ORDER("ScaledDotProduct.masked", "scale", false, &sg_scale)

// What a model writes as MatMul, scale, mask, Softmax, MatMul becomes one op.
#define NATIVE(NAME) FROM_DEFAULT_PACKAGE(NAME)
#define PRODUCTS LET("S", Op(NATIVE("MatMul"), "Q", "K", "T0", "T1"))
#define MULTIPLIED Op(NATIVE("Mul"), PRODUCTS, OPCONST("C"))
#define DIVIDED Op(NATIVE("Div"), PRODUCTS, OPCONST("C"))
#define FACTOR CONSTVAL_FLOAT("C", 0)
#define TURNED gen_Shape(DIM_BATCHES("K"), DIM_HEIGHT("K"), DIM_DEPTH("K"), DIM_WIDTH("K"))
#define K_AS_ROWS                                                                             \
    SELECT(EQ(CONSTVAL_INT("T1", 0), 1), "K",                                                 \
           WITH_SIZE(TURNED, WITH_TYPE("K", Op(NATIVE("Transpose"), "K",                      \
                                               gen_ConstArr_vals_i32(0, 1, 3, 2)))))
#define SAME(TAG, D) EQ(DIM_OF(TAG, D), DIM_OF("*", D))
#define FITS                                                                                  \
    AND(IS_FLOAT32("*"), EQ(CONSTVAL_INT("axis", 0), 3), EQ(CONSTVAL_FLOAT("beta", 0), 1.0),  \
        EQ(CONSTVAL_INT("T0", 0), 0), EQ(CONSTVAL_INT("U0", 0), 0),                           \
        EQ(CONSTVAL_INT("U1", 0), 0), SAME_SHAPE("S", "P"),                                  \
        SAME("Q", 0), SAME("K", 0), SAME("V", 0), SAME("Q", 1), SAME("K", 1), SAME("V", 1))
#define ATTENTION(SCORES) \
    Op(NATIVE("MatMul"), LET("P", Op(NATIVE("Softmax"), SCORES, "axis", "beta")), "V", "U0", "U1")
#define TAKE_OVER(SCORES, FIT, SCALE)                                                         \
    DEF_PACKAGE_OPTIMIZATION(EARLY, ATTENTION(SCORES), FIT,                                   \
        Op("ScaledDotProduct", "Q", K_AS_ROWS, "V", gen_ConstScalar_f32(SCALE)))              \
    DEF_PACKAGE_OPTIMIZATION(EARLY, ATTENTION(Op(NATIVE("Add"), SCORES, "M")),                \
        AND(FIT, EQ(DIM_DEPTH("M"), DIM_DEPTH("S"))),                                         \
        Op("ScaledDotProduct.masked", "Q", K_AS_ROWS, "V", "M", gen_ConstScalar_f32(SCALE)))

TAKE_OVER(PRODUCTS, FITS, 1.0)
TAKE_OVER(MULTIPLIED, AND(FITS, IS_SCALAR("C")), FACTOR)
TAKE_OVER(DIVIDED, AND(FITS, IS_SCALAR("C"), NE(FACTOR, 0.0)), DIV(1.0, FACTOR))

// What does not fit is cut into batches, then into heads, then into rows of queries.
#define ROOM OPTION_UINT("tcm_size_for_tiling")
#define KEYS MUL(4, DIM_WIDTH("K"), ADD(DIM_DEPTH("K"), DIM_DEPTH("V")))
#define ROW(N) MUL(4, ADD(DIM_DEPTH("Q"), DIM_DEPTH("*"), MUL(N, DIM_WIDTH("K")), 1))
#define HEAD(N) ADD(MUL(DIM_WIDTH("*"), ROW(N)), KEYS)
#define BATCH(N) MUL(DIM_HEIGHT("*"), HEAD(N))
#define TOO_LARGE(N) GT(MUL(DIM_BATCHES("*"), BATCH(N)), ROOM)
#define ONE_BATCH EQ(DIM_BATCHES("*"), 1)
#define ONE_HEAD EQ(DIM_HEIGHT("*"), 1)
#define SLICE(TAG) TYPICAL_SLICE(TAG, "I")
#define MASK_SLICE(D) SELECT(EQ(DIM_OF("M", D), 1), "M", SLICE("M"))
#define TILE(OP, D, GUARD, CHUNK, PART)                                                       \
    DEF_PACKAGE_OPTIMIZATION(TILING, OP, AND(GUARD, GT(DIM_OF("*", D), 1)),                   \
                             AUTOSPLIT(D, "I", MAX(1, CHUNK), PART))
#define TILES(N, OP, BATCHES, HEADS, ROWS)                                                    \
    TILE(OP, 0, TOO_LARGE(N), DIV(ROOM, BATCH(N)), BATCHES)                                   \
    TILE(OP, 1, AND(TOO_LARGE(N), ONE_BATCH), DIV(ROOM, HEAD(N)), HEADS)                      \
    TILE(OP, 2, AND(TOO_LARGE(N), ONE_BATCH, ONE_HEAD),                                       \
         DIV(SUB(INT(ROOM), INT(KEYS)), INT(ROW(N))), ROWS)

#define PLAIN(Q, K, V) Op("ScaledDotProduct", Q, K, V, "scale")
#define MASKED(Q, K, V, M) Op("ScaledDotProduct.masked", Q, K, V, M, "scale")

TILES(1, PLAIN("Q", "K", "V"),
      PLAIN(SLICE("Q"), SLICE("K"), SLICE("V")),
      PLAIN(SLICE("Q"), SLICE("K"), SLICE("V")),
      PLAIN(SLICE("Q"), "K", "V"))

TILES(2, MASKED("Q", "K", "V", "M"),
      MASKED(SLICE("Q"), SLICE("K"), SLICE("V"), MASK_SLICE(0)),
      MASKED(SLICE("Q"), SLICE("K"), SLICE("V"), MASK_SLICE(1)),
      MASKED(SLICE("Q"), "K", "V", MASK_SLICE(2)))

END_PKG_OP_DEFINITION(PKG_Attention);
