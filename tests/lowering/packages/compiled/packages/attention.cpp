// Attention over blocks of keys, with scratch that a constructor hook sizes.
#include "HTP/core/constraints.h"
#include "HTP/core/op_package_feature_support.h"
#include "HTP/core/op_register_ext.h"
#include "HTP/core/simple_reg.h"
#include "QnnOpPackage.h"

#define THIS_PKG_NAME BlockAttention
BEGIN_PKG_OP_DEFINITION(PKG_Attend);

// @op Attend(q: float, k: like q, v: like q) -> q[b, h, w, c] * k[b, h, j, c] * v[b, h, j, d]
static const size_t KEYS = 4;

template <typename T>
GraphStatus attend(T &out, const T &q, const T &k, const T &v)
{
    auto [B, H, Q, D] = q.dims();
    const size_t n = k.dim(2);
    for (Idx b = 0; b < B; b++)
        for (Idx h = 0; h < H; h++)
            for (Idx i = 0; i < Q; i++) {
                std::vector<float> score(n);
                float most = -INFINITY, sum = 0;
                for (Idx j = 0; j < n; j++) {
                    score[j] = 0;
                    for (Idx d = 0; d < D; d++) score[j] += q(b, h, i, d) * k(b, h, j, d);
                    most = std::max(most, score[j]);
                }
                for (float &s : score) sum += s = expf(s - most);
                for (Idx d = 0; d < v.dim(3); d++) {
                    float total = 0;
                    for (Idx j = 0; j < n; j++) total += score[j] / sum * v(b, h, j, d);
                    out(b, h, i, d) = total;
                }
            }
    return GraphStatus::Success;
}

// Block by block, with the largest score and the sum so far, as device kernels do.
GraphStatus attend_blocks(PlainFloatTensor_TCM &out, const PlainFloatTensor_TCM &q, const PlainFloatTensor_TCM &k,
                          const PlainFloatTensor_TCM &v, PlainFloatTensor_TCM &scores, PlainFloatTensor_TCM &sums)
{
    auto [B, H, Q, D] = q.dims();
    const size_t n = k.dim(2), depth = v.dim(3);
    float *score = &scores.get_raw(0, 0, 0, 0);
    for (Idx b = 0; b < B; b++)
        for (Idx h = 0; h < H; h++)
            for (Idx i = 0; i < Q; i++) {
                float most = -INFINITY;
                float &sum = sums(0, 0, 0, 0);
                sum = 0;
                for (Idx d = 0; d < depth; d++) out(b, h, i, d) = 0;
                for (size_t first = 0; first < n; first += KEYS) {
                    const size_t last = std::min(n, first + KEYS);
                    float larger = most;
                    for (size_t j = first; j < last; j++) {
                        score[j - first] = 0;
                        for (Idx d = 0; d < D; d++) score[j - first] += q(b, h, i, d) * k(b, h, j, d);
                        larger = std::max(larger, score[j - first]);
                    }
                    const float shrink = expf(most - larger);
                    sum *= shrink;
                    for (Idx d = 0; d < depth; d++) out(b, h, i, d) *= shrink;
                    for (size_t j = first; j < last; j++) {
                        const float weight = expf(score[j - first] - larger);
                        sum += weight;
                        for (Idx d = 0; d < depth; d++) out(b, h, i, d) += weight * v(b, h, j, d);
                    }
                    most = larger;
                }
                for (Idx d = 0; d < depth; d++) out(b, h, i, d) /= sum;
            }
    return GraphStatus::Success;
}

class BlockHook : public hnnx::OpHookBase {
    virtual GraphStatus pre_allocate(hnnx::OpIoPtrs const &iop, Op &op) const override
    {
        const size_t scores[1] = {KEYS}, sums[1] = {1};
        GraphStatus status = hnnx::change_output_tensor_shape(op, 1, iop.graph(), 1, scores);
        if (status != GraphStatus::Success) errlog("no scores");
        return status == GraphStatus::Success ? hnnx::change_output_tensor_shape(op, 2, iop.graph(), 1, sums) : status;
    }
};
CTOR_OPHOOK(attend_blocks, BlockHook)

DEF_PACKAGE_OP(attend<Tensor>, "Attend")
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(attend_blocks, "Attend", SNAIL, Flags::RESOURCE_HVX)
DEF_TENSOR_PROPERTIES(Op("Attend", "q", "k", "v"), Flat("..."), Tcm("..."))

// Heads and rows of queries are attended alone.
DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Attend", "Q", "K", "V"), GT(DIM_HEIGHT("*"), 1),
    AUTOSPLIT(1, "I", 1, Op("Attend", TYPICAL_SLICE("Q", "I"), TYPICAL_SLICE("K", "I"), TYPICAL_SLICE("V", "I"))))
DEF_PACKAGE_OPTIMIZATION(EARLY + 1, Op("Attend", "Q", "K", "V"), GT(DIM_WIDTH("*"), 4),
    AUTOSPLIT(2, "I", 4, Op("Attend", TYPICAL_SLICE("Q", "I"), "K", "V")))
DEF_PACKAGE_OPTIMIZATION(EARLY + 2, Op("Attend", "Q", "K", "V"), GT(DIM_BATCHES("*"), 1),
    AUTOSPLIT(0, "I", 1, Op("Attend", TYPICAL_SLICE("Q", "I"), TYPICAL_SLICE("K", "I"), TYPICAL_SLICE("V", "I"))))

END_PKG_OP_DEFINITION(PKG_Attend);
