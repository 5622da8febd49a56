// Windows of taps: strides as numbers, padding by the helpers of the library.
#include "HTP/core/constraints.h"
#include "HTP/core/optimize.h"
#include "QnnOpPackage.h"

#define THIS_PKG_NAME BlurPackage
#define PAD(N) CONSTVAL_INT("P", N)
#define PADDED                                                                                 \
    gen_Shape(DIM_BATCHES("X"), ADD(DIM_HEIGHT("X"), PAD(0), PAD(1)),                          \
              ADD(DIM_WIDTH("X"), PAD(2), PAD(3)), DIM_DEPTH("X"))
#define PADDED_BY(BEFORE)                                                                      \
    WITH_SIZE(PADDED, WITH_TYPE("X",                                                           \
        Op(FROM_DEFAULT_PACKAGE("SlicePad_shape"), "X", BEFORE, gen_Shape(0, 0, 0, 0), PADDED, \
           gen_ConstScalar_f32(0.0f))))

BEGIN_PKG_OP_DEFINITION(PKG_Blur);

template <typename T> GraphStatus blurImpl(T &out, const T &in, const T &taps);
GraphStatus paddedImpl(Tensor &out, const Tensor &in, const Tensor &taps, const Int32Tensor &pads);

// @op Blur(in: float, taps: like in) -> in[b, h+i, w+j, d] * taps[i, j, 0, 0]
DEF_PACKAGE_OP(blurImpl<PlainFloatTensor>, "Blur")
/* @op Blur.padded(in: float, taps: like in, pads: param[4]={1, 1, 1, 1})
 *     -> in[b, h+i-pads.0:1, w+j-pads.2:3, d] * taps[i, j, 0, 0]
 */
DEF_PACKAGE_OP(paddedImpl, "Blur.padded")

// padding apart from the windows
DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Blur.padded", "X", "T", "P"),
    AND(IS_FLOAT32_ALL("*", "X"), EQ(DIM_DEPTH("P"), 4), GT(PAD(0), 0)),
    Op("Blur", PADDED_BY(SHAPEFN_APPLY(pad_before_for_qnn, "P")), "T"))

DEF_PACKAGE_OPTIMIZATION(EARLY + 1, Op("Blur.padded", "X", "T", "P"),
    AND(IS_FLOAT32_ALL("*", "X"), EQ(DIM_DEPTH("P"), 4), EQ(PAD(0), 0), GT(PAD(2), 0)),
    Op("Blur", PADDED_BY(SHAPEFN_APPLY(pad_before_for_qnn, "X", "P")), "T"))

DEF_PACKAGE_OPTIMIZATION(EARLY + 2, Op("Blur.padded", "X", "T", "P"),
    AND(EQ(PAD(0), 0), EQ(PAD(1), 0), EQ(PAD(2), 0), EQ(PAD(3), 0)),
    Op("Blur", "X", "T"))

// one tap is a product
DEF_PACKAGE_OPTIMIZATION(MIDDLE, Op("Blur", "X", "T"), AND(IS_SCALAR("T"), IS_FLOAT32("*")),
    Op(FROM_DEFAULT_PACKAGE("Mul"), "X", "T"))

DEF_PACKAGE_OPTIMIZATION(TILING, Op("Blur", "X", "T"), GT(DIM_HEIGHT("*"), 8),
    AUTOSPLIT(1, "I", 8, Op("Blur", TYPICAL_CONV_SLICE("X", "I", 1, DIM_BATCHES("T")), "T")))

DEF_PACKAGE_OPTIMIZATION(TILING + 1, Op("Blur", "X", "T"), GT(DIM_WIDTH("*"), 8),
    AUTOSPLIT(2, "I", 8, Op("Blur", TYPICAL_CONV_SLICE("X", "I", 1, DIM_HEIGHT("T"), 1), "T")))

END_PKG_OP_DEFINITION(PKG_Blur);
