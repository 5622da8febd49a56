// Scores of attention heads with an optional mask, and Reshapes as models have them around.
#include "HTP/core/constraints.h"
#include "HTP/core/optimize.h"
#include "QnnOpPackage.h"

#define THIS_PKG_NAME HeadPackage
#define Q(NAME) FROM_DEFAULT_PACKAGE(NAME)
#define SCALED gen_ConstScalar_f32(MUL(CONSTVAL_FLOAT("S", 0), CONSTVAL_FLOAT("C", 0)))

BEGIN_PKG_OP_DEFINITION(PKG_Head);

GraphStatus scores(Tensor &out, const Tensor &q, const Tensor &k, const Tensor &scale);
GraphStatus maskedScores(Tensor &out, const Tensor &q, const Tensor &k, const Tensor &mask,
                         const Tensor &scale);

/* @op Scores(q: float, k: like q, [mask: like q], scale: param[1]=1.0)
 *     -> q[b, h, w, c] * k[b, h, d, c] + mask[b?, h?, w?, d?] */
DEF_PACKAGE_OP(scores, "Scores")
DEF_PACKAGE_OP(maskedScores, "Scores")
DEF_PACKAGE_PARAM_ORDER("Scores", "scale", true, nullptr)

DEF_PACKAGE_OPTIMIZATION(EARLY, Op(Q("Add"), Op("Scores", "Q", "K", "S"), "M"),
    AND(IS_FLOAT32("*"), SAME_SHAPE("*", "M"), EQ(DIM_BATCHES("*"), DIM_BATCHES("Q")),
        EQ(DIM_HEIGHT("*"), DIM_HEIGHT("Q")), EQ(DIM_WIDTH("*"), DIM_WIDTH("Q")),
        EQ(DIM_DEPTH("*"), DIM_WIDTH("K"))),
    Op("Scores", "Q", "K", "M", "S"))

DEF_PACKAGE_OPTIMIZATION(EARLY, Op(Q("Mul"), Op("Scores", "Q", "K", "S"), OPCONST("C")),
    AND(IS_FLOAT32("*"), IS_SCALAR("C")),
    Op("Scores", "Q", "K", SCALED))

DEF_PACKAGE_OPTIMIZATION(EARLY + 1, Op("Scores", Op(Q("Mul"), "Q", OPCONST("C")), "K", "S"),
    AND(IS_FLOAT32("*"), IS_SCALAR("C")),
    Op("Scores", "Q", "K", SCALED))

// those of the function's boundary stay as they are
DEF_PACKAGE_OPTIMIZATION(CLEANUP_GRAPH + 2, Op(Q("Reshape"), Op(Q("Reshape"), "X")), OK,
    Op(Q("Reshape"), "X"))

DEF_PACKAGE_OPTIMIZATION(HARD_OPS, Op("Scores", "Q", "K", "S"), GT(DIM_HEIGHT("*"), 1),
    AUTOSPLIT(1, "I", 1, Op("Scores", TYPICAL_SLICE("Q", "I"), TYPICAL_SLICE("K", "I"), "S")))

DEF_PACKAGE_OPTIMIZATION(TILING, Op("Scores", "Q", "K", "M", "S"),
    AND(GT(DIM_WIDTH("*"), 32), EQ(DIM_WIDTH("M"), DIM_WIDTH("*"))),
    AUTOSPLIT(2, "I", 32,
        Op("Scores", TYPICAL_SLICE("Q", "I"), "K", TYPICAL_SLICE("M", "I"), "S")))

DEF_PACKAGE_OPTIMIZATION(TILING + 1, Op("Scores", "Q", "K", "S"), GT(DIM_DEPTH("*"), 32),
    AUTOSPLIT(3, "I", 32, Op("Scores", "Q", CHANGEDIM_SLICE("K", "I", 2), "S")))

END_PKG_OP_DEFINITION(PKG_Head);
