// A rotary embedding. The halves of the depth come from an op of two outputs that only rules name.
#include "HTP/core/constraints.h"
#include "HTP/core/optimize.h"
#include "QnnOpPackage.h"

#define THIS_PKG_NAME RotaryPackage
#define Q(NAME) FROM_DEFAULT_PACKAGE(NAME)
#define HALF_OF(X)                                                                             \
    gen_Shape(DIM_BATCHES(X), DIM_HEIGHT(X), DIM_WIDTH(X), DIV(DIM_DEPTH(X), 2))
#define HALF(N, X) WITH_SIZE(HALF_OF(X), WITH_TYPE(X, OpMultiOut(2, N, "Halves", X)))
#define EVEN(X) AND(IS_FLOAT32("*"), EQ(MOD(DIM_DEPTH(X), 2), 0))

BEGIN_PKG_OP_DEFINITION(PKG_Rotary);

GraphStatus rotaryImpl(PlainFloatTensor &out, const PlainFloatTensor &in,
                       const PlainFloatTensor &cos, const PlainFloatTensor &sin);
GraphStatus rotaryRows(Tensor &out, const Tensor &in, const Tensor &cos, const Tensor &sin,
                       const op_slice_spec &rows);
GraphStatus turnImpl(Tensor &out, const Tensor &in);

// @op Rotary(in, cos: like in, sin: like in) -> in[b, h, w, d], cos[b?, h?, w?, d], sin[b?, h?, w?, d]
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(rotaryImpl, "Rotary", FAST, Flags::RESOURCE_HVX)
DEF_PACKAGE_OP(rotaryRows, "Rotary")
// @op Turn(in) -> in
DEF_PACKAGE_OP(turnImpl, "Turn")

// as models write it
DEF_PACKAGE_OPTIMIZATION(EARLY,
    Op(Q("Add"), Op(Q("Mul"), "X", "C"), Op(Q("Mul"), Op("Turn", "X"), "S")),
    AND(IS_FLOAT32("*"), SAME_SHAPE("*", "X"), SAME_SHAPE("C", "S"), SAME_SHAPE("C", "X")),
    Op("Rotary", "X", "C", "S"))

DEF_PACKAGE_OPTIMIZATION(EARLY + 1, Op("Turn", Op("Turn", "X")), EVEN("X"), Op(Q("Neg"), "X"))

DEF_PACKAGE_OPTIMIZATION(EARLY + 1, Op("Turn", Op(Q("Neg"), "X")), EVEN("X"),
    Op(Q("Neg"), Op("Turn", "X")))

// what is left turns by its halves
DEF_PACKAGE_OPTIMIZATION(MIDDLE, Op("Turn", "X"), EVEN("X"),
    Op(Q("Concat"), gen_ConstScalar_i32(3),
       WITH_SIZE(HALF_OF("X"), Op(Q("Neg"), HALF(1, "X"))), HALF(0, "X")))

DEF_PACKAGE_OPTIMIZATION(TILING, Op("Rotary", "X", "C", "S"),
    AND(GT(DIM_HEIGHT("*"), 8), SAME_SHAPE("C", "X"), SAME_SHAPE("S", "X")),
    AUTOSPLIT(1, "I", 8,
        Op("Rotary", TYPICAL_SLICE("X", "I"), TYPICAL_SLICE("C", "I"), TYPICAL_SLICE("S", "I"))))

DEF_PACKAGE_OPTIMIZATION(TILING, Op("Rotary", "X", "C", "S"),
    AND(GT(DIM_HEIGHT("*"), 8), EQ(DIM_HEIGHT("C"), 1), EQ(DIM_HEIGHT("S"), 1)),
    AUTOSPLIT(1, "I", 8, Op("Rotary", TYPICAL_SLICE("X", "I"), "C", "S")))

END_PKG_OP_DEFINITION(PKG_Rotary);
