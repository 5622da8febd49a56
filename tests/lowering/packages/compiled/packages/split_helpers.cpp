// Rules that call C++ functions: a condition behind a macro, and the shapes of a split.
#include "HTP/core/constraints.h"
#include "HTP/core/optimize.h"
#include "HTP/core/simple_reg.h"
#define THIS_PKG_NAME HalvePackage
#define SPECIAL_CONDITION(TAG) EXTERNAL_CONSTRAINT(is_tall, TAG, 8)
#ifndef FIRST
#define FIRST 0
#endif

// @op Halve(x: float, amount: param[1]=0.5) -> x
template <typename T> GraphStatus halve(T &out, const T &in, const Tensor &amount)
{
    out.set_dims(in);
    auto [batches, height, width, depth] = in.dims();
    for (Idx b = 0; b < batches; b++)
        for (Idx h = 0; h < height; h++)
            for (Idx w = 0; w < width; w++)
                for (Idx d = 0; d < depth; d++) out(b, h, w, d) = in(b, h, w, d) * amount(0, 0, 0, 0);
    return GraphStatus::Success;
}
DEF_PACKAGE_OP(halve<Tensor>, "Halve")

static bool is_tall(OpRef const &node, int rows) { return node.dim(1) > size_t(rows); }
static std::array<size_t, 4> strip_start(split_context const &cut, OpRef const &)
{
    std::array<size_t, 4> start{};
    start[cut.dim] = cut.start + FIRST;
    return start;
}
static std::array<size_t, 4> strip_size(split_context const &cut, OpRef const &node)
{
    std::array<size_t, 4> size = node.dims();
    size[cut.dim] = cut.size;
    return size;
}
namespace helpers {
// A constant's elements are read.
static bool is_one(const Tensor &amount) { return amount(0, 0, 0, 0) == 1.0f; }
}  // namespace helpers

DEF_PACKAGE_OPTIMIZATION(EARLY + 1,
    Op("Halve", "X", "A"),
    SPECIAL_CONDITION("X"),
    AUTOSPLIT(1, "I", 8,
        Op("Halve", WITH_SIZE(AUTOSPLIT_SHAPEFN_APPLY(strip_size, "I", "X"), WITH_TYPE("X",
            Op(FROM_DEFAULT_PACKAGE("Slice_shape"), "X",
                AUTOSPLIT_SHAPEFN_APPLY(strip_start, "I", "X"),
                AUTOSPLIT_SHAPEFN_APPLY(strip_size, "I", "X")))), "A")))

DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Halve", "X", "A"),
    AND(EXTERNAL_CONSTRAINT(helpers::is_one, "A"), EQ(CONSTVAL_FLOAT("A", 0), 1.0f)), "X")
