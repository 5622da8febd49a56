// Placed by hand: one rule wants croutons, the next moves them to TCM, the last takes back what
// cancels out.
#include "HTP/core/constraints.h"
#include "HTP/core/optimize.h"
#include "QnnOpPackage.h"

#define THIS_PKG_NAME HandPackage
#define Q(NAME) FROM_DEFAULT_PACKAGE(NAME)

BEGIN_PKG_OP_DEFINITION(PKG_Hand);

template <typename T_TType> GraphStatus squareImpl(T_TType &out, const T_TType &in);
template <typename T_TType>
GraphStatus squareAddImpl(T_TType &out, const T_TType &in, const T_TType &other);

DEF_PACKAGE_OP_AND_COST_AND_FLAGS((squareImpl<FloatCroutonTensor_TCM>), "Square.tcm", SNAIL,
                                  Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS((squareImpl<QUint8CroutonTensor_TCM>), "Square.tcm", SNAIL,
                                  Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS((squareAddImpl<FloatCroutonTensor_TCM>), "SquareAdd.tcm", SNAIL,
                                  Flags::RESOURCE_HVX)
DEF_PACKAGE_OP(squareImpl<Tensor>, "Square")

DEF_PACKAGE_OPTIMIZATION(EARLY, Op(Q("Mul"), "X", "X"), IS_FLOAT32("*"), Op("Square", "X"))

// where the op wants its tensors
DEF_PACKAGE_OPTIMIZATION(LATE, Op("Square", "X"),
    OR(IS_FLOAT32("X"), AND(IS_QUINT8("X"), IS_QUINT8("*"))),
    Op(Q("crouton_from_vtcm"),
       Op("Square.tcm",
          WITH_SAME_OUTPUT("X", Op(Q("crouton_to_vtcm"),
             WITH_SAME_OUTPUT("X", Op(Q("ForceFormat_Crouton"), "X")))))))

// what comes from TCM only to go there stays
DEF_PACKAGE_OPTIMIZATION(LATE + 10,
    Op("Square.tcm", Op(Q("crouton_to_vtcm"), Op(Q("ForceFormat_Crouton"),
       Op(Q("crouton_from_vtcm"), "X")))),
    OK,
    Op("Square.tcm", "X"))

// a sum of what is in TCM is made there
DEF_PACKAGE_OPTIMIZATION(LATE + 20,
    Op(Q("Add"), Op(Q("crouton_from_vtcm"), Op("Square.tcm", "X")), "Y"),
    AND(IS_FLOAT32("*"), SAME_SHAPE("X", "Y"), SAME_SHAPE("*", "Y")),
    Op(Q("crouton_from_vtcm"),
       Op("SquareAdd.tcm", "X",
          WITH_SAME_OUTPUT("Y", Op(Q("crouton_to_vtcm"),
             WITH_SAME_OUTPUT("Y", Op(Q("ForceFormat_Crouton"), "Y")))))))

// two conversions are the last one
DEF_PACKAGE_OPTIMIZATION(LATE + 30,
    Op(Q("ForceFormat_Flat"), Op(Q("ForceFormat_Crouton"), "X")), OK,
    Op(Q("ForceFormat_Flat"), "X"))

END_PKG_OP_DEFINITION(PKG_Hand);
