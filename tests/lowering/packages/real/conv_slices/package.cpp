// A convolution of the package's own, cut by rows, columns and filters.
#include "HTP/core/constraints.h"
#include "HTP/core/optimize.h"
#include "QnnOpPackage.h"

#define THIS_PKG_NAME ConvPackage

BEGIN_PKG_OP_DEFINITION(PKG_Conv);

template <typename T>
GraphStatus conv(T &out, const T &act, const T &weights, const TensorShape<4> &stride);
template <typename T>
GraphStatus convBias(T &out, const T &act, const T &weights, const Tensor &bias,
                     const TensorShape<4> &stride);

DEF_PACKAGE_OP(conv<PlainFloatTensor>, "Conv")
DEF_PACKAGE_OP(convBias<PlainFloatTensor>, "Conv")

#define ROWS(X) TYPICAL_CONV_SLICE(X, "I", "Stride", DIM_FILTHEIGHT("W"))
#define COLUMNS(X) TYPICAL_CONV_SLICE(X, "I", DIM_WIDTH("Stride"), DIM_FILTWIDTH("W"))

DEF_PACKAGE_OPTIMIZATION(
    TILING,
    Op("Conv", "X", "W", "Stride"),
    GT(DIM_HEIGHT("*"), 8),
    AUTOSPLIT(1, "I", 8, Op("Conv", ROWS("X"), "W", "Stride")))

DEF_PACKAGE_OPTIMIZATION(
    TILING,
    Op("Conv", "X", "W", "B", "Stride"),
    GT(DIM_HEIGHT("*"), 8),
    AUTOSPLIT(1, "I", 8, Op("Conv", ROWS("X"), "W", "B", "Stride")))

DEF_PACKAGE_OPTIMIZATION(
    TILING + 1,
    Op("Conv", "X", "W", "B", "Stride"),
    GT(DIM_WIDTH("*"), 8),
    AUTOSPLIT(2, "I", 8, Op("Conv", COLUMNS("X"), "W", "B", "Stride")))

DEF_PACKAGE_OPTIMIZATION(
    TILING + 2,
    Op("Conv", "X", "W", "B", "Stride"),
    GT(DIM_DEPTH("*"), 32),
    AUTOSPLIT(3, "I", 32,
        Op("Conv", "X", CHANGEDIM_SLICE("W", "I", 3), TYPICAL_SLICE("B", "I"), "Stride")))

// the bias of a model is an Add
DEF_PACKAGE_OPTIMIZATION(
    EARLY,
    Op(FROM_DEFAULT_PACKAGE("Add"), Op("Conv", "X", "W", "Stride"), "B"),
    AND(IS_FLOAT32("*"), IS_SHAPE_1x1x1xd("B"), EQ(DIM_DEPTH("B"), DIM_DEPTH("*")),
        EQ(DIM_NFILTS("W"), DIM_DEPTH("*"))),
    Op("Conv", "X", "W", "B", "Stride"))

// one filter of one tap is a product
DEF_PACKAGE_OPTIMIZATION(
    EARLY + 1,
    Op("Conv", "X", "W", "Stride"),
    AND(IS_SCALAR("W"), EQ(DIM_HEIGHT("Stride"), 1), EQ(DIM_WIDTH("Stride"), 1)),
    Op(FROM_DEFAULT_PACKAGE("Mul"), "X", "W"))

END_PKG_OP_DEFINITION(PKG_Conv);
