// What the ops of this package have in common.
#pragma once

#define NATIVE(NAME) FROM_DEFAULT_PACKAGE(NAME)
#define CHANNELS 32

/* a function template, two instances, where the tensors are, and the tiles */
#define ACTIVATION(FUNCTION, NAME)                                                             \
    template <typename TType> GraphStatus FUNCTION(TType &out, const TType &in);               \
    DEF_PACKAGE_OP(FUNCTION<Tensor>, NAME)                                                     \
    DEF_PACKAGE_OP_AND_COST_AND_FLAGS(FUNCTION<FloatCroutonTensor_TCM>, NAME, SNAIL,           \
                                      Flags::RESOURCE_HVX)                                     \
    DEF_TENSOR_PROPERTIES(Op(NAME, "in"), Crouton("*", "in"), Tcm("*", "in"))                  \
    OVER_CHANNELS(NAME)                                                                        \
    OVER_ROWS(NAME)

#define OVER_CHANNELS(NAME)                                                                    \
    DEF_PACKAGE_OPTIMIZATION(MIDDLE, Op(NAME, "X"), GT(DIM_DEPTH("*"), CHANNELS),              \
        AUTOSPLIT(3, "I", CHANNELS, Op(NAME, TYPICAL_SLICE("X", "I"))))
#define OVER_ROWS(NAME)                                                                        \
    DEF_PACKAGE_OPTIMIZATION(MIDDLE + 1, Op(NAME, "X"), GT(DIM_HEIGHT("*"), 8),                \
        AUTOSPLIT(1, "I", 8, Op(NAME, TYPICAL_SLICE("X", "I"))))

#define ABS_PLUS_ONE(X)                                                                        \
    Op(NATIVE("Div"), X, Op(NATIVE("Add"), Op(NATIVE("Abs"), X), OPCONST("One")))
#define CLAMPED(X)                                                                             \
    Op(NATIVE("Maximum"), Op(NATIVE("Minimum"), X, OPCONST("One")), OPCONST("MinusOne"))

/* FUSE_OVER("Op", FORM_OF(X)): the form becomes the op where its numbers are the op's */
#define FUSE_OVER(NAME, FORM)                                                                  \
    DEF_PACKAGE_OPTIMIZATION(EARLY, FORM, FITS_##FORM, Op(NAME, "X"))
#define IS_ONE AND(IS_FLOAT32("*"), SAME_SHAPE("*", "X"), IS_SCALAR("One"),                    \
                   EQ(CONSTVAL_FLOAT("One", 0), 1.0f))
#define FITS_ABS_PLUS_ONE(X) IS_ONE
#define FITS_CLAMPED(X)                                                                        \
    AND(IS_ONE, IS_SCALAR("MinusOne"), EQ(CONSTVAL_FLOAT("MinusOne", 0), -1.0f))
