"""Op packages as people write them, in texts of our own."""

POOL = r"""
/* Pooling by rows and by depth: one source file of an op package. */
#include "HTP/core/constraints.h"
#include "QnnOpPackage.h"
#define THIS_PKG_NAME PoolPackage
#include "shorthands.h"

BEGIN_PKG_OP_DEFINITION(PKG_Pool);

static constexpr const char *sg_opName = "RowPool";

namespace {
template <typename TType>
GraphStatus row_pool(TType &out, const TType &in, const Tensor &window)
{
    for (Idx b = 0; b < out.dim(0); b++) { out(b, 0, 0, 0) = in(b, 0, 0, 0); }
    return GraphStatus::Success;
}

template <typename TOut, typename TIn>
GraphStatus narrow_pool(TOut &out, TIn const &in, const Graph &graph, TOut &scratch);
}  // namespace

// A reference that is there only to complain.
GraphStatus never(Tensor &, const Tensor &);

float narrow_cost(const Op *op)
{
    return op->num_inputs() > 1 ? 2.0f : 1.0f;
}

DEF_PACKAGE_OP(row_pool<Tensor>, "RowPool")
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(row_pool<QUint8CroutonTensor>, sg_opName, SNAIL,
                                  Flags::RESOURCE_HVX)
  DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS((narrow_pool<PlainFloatTensor, Tensor>), "NarrowPool",
        narrow_cost, Flags::IS_CONST, Flags::INHIBIT_CONST_PROP)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(never, "NarrowPool", FREE)

#ifndef PREPARE_DISABLED
class RowsHook : public hnnx::OpHookBase {
    virtual GraphStatus pre_allocate(hnnx::OpIoPtrs const &iop, Op &op) const override
    {
        size_t dims[3] = {8, 4, 32};
        return hnnx::change_output_tensor_shape(op, 1, iop.graph(), 3, dims);
    }
};
CTOR_OPHOOK((narrow_pool<PlainFloatTensor, Tensor>), RowsHook)
#endif

DEF_TENSOR_PROPERTIES(Op("RowPool", "in", "window"),
                      Outputs("out", "mask"),
                      Flat("mask", "window"),
                      Crouton("*", "in"),
                      MainMemory("..."))

static Qnn_Scalar_t sg_limit_scalar{.dataType = QNN_DATATYPE_FLOAT_32, .floatValue = 6.0};
static Qnn_Param_t sg_limit = {.paramType   = QNN_PARAMTYPE_SCALAR,
                               .scalarParam = sg_limit_scalar};
static uint32_t sg_steps_data[] = {2, 1U};
static Qnn_Tensor_t sg_steps_tensor{.version = QNN_TENSOR_VERSION_1,
    .v1 = {.clientBuf = {.data = (void *)sg_steps_data, .dataSize = 8}}};
static Qnn_Param_t sg_steps{.paramType = QNN_PARAMTYPE_TENSOR, .tensorParam = sg_steps_tensor};
DEF_PACKAGE_PARAM_ORDER("RowPool",
                        "limit", false, &sg_limit,
                        "window", true, nullptr,
                        "steps", false, &sg_steps,
                        "rounding", false, nullptr)

/* Ten channels more than one tile: cut the depth. */
DEF_PACKAGE_OPTIMIZATION(
    EARLY + 4,
    Op("RowPool", "In", "Window"),
    AND(IS_QUINT8("In"), GT(DIM_DEPTH("*"), TILE), WIDER_THAN("In", size_t(8))),
    AUTOSPLIT(3, "I", TILE, Op("RowPool", TYPICAL_SLICE("In", "I"), "Window"))
)
int between = 0;
#if TILE > 64
DEF_PACKAGE_OPTIMIZATION(LATE, Op("Never", "A"), OK, "A")
#else
    DEF_PACKAGE_OPTIMIZATION(LATE - 1, Op("RowPool", LET("D", Op(NATIVE "Dequantize", "A")), "W"),
        EQ(DTYPE_OF("D"), DType::Float32), WITH_SIZE("*", Op("NarrowPool", "A")))
#endif
DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(2001, relaxed_precision_flag, Op("NarrowPool", "A"),
    NOT(EQ(DTYPE_OF("*"), DType::Float16)), CAST_TO_FP32(Op("NarrowPool", CAST_TO_FP16("A"))))
FUSE("Relu") FUSE("Tanh")
DEF_OPT(QNN, Op("Relu", Op("Relu", "A")), OK, Op("Relu", "A"))

LIST_PACKAGE_AXIS_PARAMS("axis", "Axis")
END_PKG_OP_DEFINITION(PKG_Pool);
"""

SHORTHANDS = r"""
#pragma once
#ifndef SHORTHANDS_H
#define SHORTHANDS_H
#define TILE 32 /* channels */
#define NATIVE "q::"
#define WIDER_THAN(OP, N) \
    GT(DIM_WIDTH(OP), N)
#define FUSE(NAME) \
    DEF_PACKAGE_OPTIMIZATION(MIDDLE, Op(NAME, Op("RowPool", "A", "W")), OK, \
                             Op("RowPool." NAME, "A", "W"))
#endif
"""

BIAS = r"""
DEF_PACKAGE_OPTIMIZATION(
    EARLY,
    Op("Plus", "X", "B"),
    AND(EQ(RANK_OF("X"), 4), EQ(DIM_DEPTH("X"), DIM_DEPTH("B")), IS_SHAPE_1x1x1xd("B")),
    Op("PlusBias", "X", "B")
)
DEF_PACKAGE_OPTIMIZATION(
    EARLY+1,
    Op("PlusBias", Op("Other::Conv", "A", "W", "S"), "B"),
    OK,
    Op(FROM_DEFAULT_PACKAGE("ConvLayer_valid"), "A", "W", "S", "B")
)
DEF_PACKAGE_OPTIMIZATION(LATE + 900, Op("Wrapped", "X", "Y"), OK,
    Op("Wrapped.real", "X", WITH_SIZE("Y", WITH_TYPE("Y", Op("Wrapped.turn", "Y")))))
DEF_PACKAGE_OPTIMIZATION(LATE, Op("Wrapped", "X", "Y"), LT(int(DIM_DEPTH("X")), -4),
    Op("Wrapped", WITH_SIZE(gen_Shape(1, 1, ROUNDUP(MUL(DIM_FILTHEIGHT("Y"), 2), 32), 0x10),
        Op("Wrapped.rows", "X", gen_ShapeOf("Y"))), gen_ConstScalar_f32(1.5e-3f)))
"""

ALIASES = r"""
// :::EXTERNAL_SHAPEFN::: { half_of, "twice" }
using Croutons = hnnx::QUint8CroutonTensor_TCM;
typedef Croutons Ours;
template <typename T> int f(T &out, const T &in, const Ours &params, Croutons &scratch);
float costly(const Op *op);
class Hook;
DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS(f<Ours>, "Op", costly)
CTOR_OPHOOK(f<Croutons>, Hook)
DECLARE_PKG_OPS_OPTS_LIST(PKG_Op)
BEGIN_PKG_OP_DEFINITION(PKG_Op)
DEF_OPT(0100, Op("A", "X"), OK, WITH_SIZE(SHAPEFN_APPLY(half_of, "X"), Op("B", "X")))
DEF_OPT(LATE, Op("A", "X"), LT(DIM_DEPTH("X"), 010), Op("Pkg::B", "X"))
"""
