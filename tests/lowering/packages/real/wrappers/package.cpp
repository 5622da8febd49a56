// Activations by wrapper macros: the op, its registration and its rules in one line each.
#include "QnnOpPackage.h"
#include "declare.h"

#define THIS_PKG_NAME ActPackage

BEGIN_PKG_OP_DEFINITION(PKG_Act);

ACTIVATION(softsign, "Softsign")
ACTIVATION(hardTanh, "HardTanh")

#ifndef ACT_WITHOUT_FUSION
FUSE_OVER("Softsign", ABS_PLUS_ONE("X"))
FUSE_OVER("HardTanh", CLAMPED("X"))
#endif

END_PKG_OP_DEFINITION(PKG_Act);
