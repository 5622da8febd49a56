// Native ops as packages name them: some mean what another op does, of others only the name is
// known, and one is misspelt.
#define THIS_PKG_NAME Names
#define NATIVE(NAME) FROM_DEFAULT_PACKAGE(NAME)

template <typename T> GraphStatus twice(T &out, const T &in);
DEF_PACKAGE_OP(twice<Tensor>, "Twice")
DEF_PACKAGE_OP(twice<Tensor>, "Twice.fast")
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(twice<FloatCroutonTensor_TCM>, "Twice.fast", FAST)

DEF_PACKAGE_OPTIMIZATION(CLEANUP_GRAPH + 4,
    Op(NATIVE("Quantize"), "X"),
    AND(IS_QUINT8("X"), IS_QUINT8("*")),
    Op(NATIVE("Requantize"), "X"))

DEF_PACKAGE_OPTIMIZATION(EARLY + 3,
    Op(NATIVE("Relu"), "X"),
    IS_FLOAT32("X"),
    Op(NATIVE("Relu.tcm"), "X"))

DEF_PACKAGE_OPTIMIZATION(EARLY + 3,
    Op(NATIVE("Slice_shape"), "X", "Start", "Size"),
    IS_FLOAT32("X"),
    Op(NATIVE("Slice_shape_inplace"), "X", "Start", "Size"))

// One rule places copies, the next two match them: a pair that meets goes, and so does a Twice.
DEF_PACKAGE_OPTIMIZATION(EARLY + 5,
    Op("Twice", "X"),
    IS_FLOAT32("X"),
    Op(NATIVE("activations_from_vtcm"),
        Op("Twice.fast", WITH_SAME_OUTPUT("X", Op(NATIVE("activations_to_vtcm"), "X")))))

DEF_PACKAGE_OPTIMIZATION(LATE + 900,
    Op(NATIVE("activations_to_vtcm"), Op(NATIVE("activations_from_vtcm"), "X")),
    OK,
    "X")

DEF_PACKAGE_OPTIMIZATION(LATE + 901,
    Op(NATIVE("activations_from_vtcm"), Op("Twice.fast", Op(NATIVE("activations_to_vtcm"), "X"))),
    OK,
    Op(NATIVE("Add"), "X", "X"))

DEF_PACKAGE_OPTIMIZATION(LATE,
    Op(NATIVE("Neg"), "X"),
    IS_FLOAT32("X"),
    Op(NATIVE("Decimate"), "X", gen_ConstScalar_i32(2), gen_Shape(1, 1, 1, 1)))
