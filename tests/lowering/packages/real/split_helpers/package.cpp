// Splits in every spelling: for threads, by shape functions, on another dim, by iteration.
#include "HTP/core/constraints.h"
#include "HTP/core/optimize.h"
#include "QnnOpPackage.h"

#define THIS_PKG_NAME SplitPackage
#define Q(NAME) FROM_DEFAULT_PACKAGE(NAME)

BEGIN_PKG_OP_DEFINITION(PKG_Split);

GraphStatus bumpImpl(Tensor &out, const Tensor &in, const Tensor &row);
GraphStatus turnImpl(Tensor &out, const Tensor &in);

DEF_PACKAGE_OP(bumpImpl, "Bump")
DEF_PACKAGE_OP(turnImpl, "Turn")

DEF_TENSOR_PROPERTIES(Op("Bump", "in", "row"), Flat("*", "in", "row"))

// one part for each thread
DEF_PACKAGE_OPTIMIZATION(LATE, Op("Bump", "X", "Row"), GT(DIM_HEIGHT("*"), 4),
    AUTOTHREAD_HVX(1, "I", Op("Bump", TYPICAL_SLICE("X", "I"), "Row")))

// the slices by the library's functions
DEF_PACKAGE_OPTIMIZATION(TILING, Op("Bump", "X", "Row"), GT(DIM_WIDTH("*"), 16),
    AUTOSPLIT(2, "I", 16,
        Op("Bump",
           AUTOSPLIT_SLICE("X", AUTOSPLIT_SHAPEFN_APPLY(simple_split_start, "I", "X"),
                           AUTOSPLIT_SHAPEFN_APPLY(simple_split_size, "I", "X")),
           "Row")))

DEF_PACKAGE_OPTIMIZATION(TILING + 1, Op("Bump", "X", "Row"), GT(DIM_DEPTH("*"), 32),
    AUTOSPLIT(3, "I", 32,
        Op("Bump", TYPICAL_SLICE("X", "I"),
           SELECT(EQ(DIM_DEPTH("Row"), 1), "Row", TYPICAL_SLICE("Row", "I")))))

// width of the result is height of the input
DEF_PACKAGE_OPTIMIZATION(TILING, Op("Turn", "X"), GT(DIM_WIDTH("*"), 8),
    AUTOSPLIT(2, "I", 8, Op("Turn", CHANGEDIM_SLICE("X", "I", 1))))

// by hand, with starts and sizes
DEF_PACKAGE_OPTIMIZATION(TILING + 2, Op("Bump", "X", "Row"), GT(DIM_BATCHES("*"), 1),
    AUTOSPLIT(0, "I", 1,
        Op("Bump",
           AUTOSPLIT_SLICE("X", gen_Shape(SPLIT_START("I"), 0, 0, 0),
                           gen_Shape(SPLIT_SIZE("I"), DIM_HEIGHT("X"), DIM_WIDTH("X"), DIM_DEPTH("X"))),
           "Row")))

// a Concat of bumps is a bump of the Concat
DEF_PACKAGE_OPTIMIZATION(EARLY, 
    Op(Q("Concat"), "Axis", Op("Bump", "X", "Row"), Op("Bump", "Y", "Row")),
    AND(EQ(CONSTVAL_INT("Axis", 0), 1), SAME_ENCODING("X", "Y"), SAME_ENCODING("*", "X"), IS_FLOAT32("X"),
        IS_SHAPE_1x1x1xd("Row")),
    Op("Bump", Op(Q("Concat"), "Axis", "X", "Y"), "Row"))

END_PKG_OP_DEFINITION(PKG_Split);
