// A recurrence whose state stays in TCM, and a gather that walks its tensor by the block table.
#include "HTP/core/simple_reg.h"
#define THIS_PKG_NAME StepPackage

// @op Decay(x: f32, state: like x, rate: param[1]=0.5) -> x[b, h, w, d], state[b, h, w, d]; x
template <typename T>
GraphStatus decay(T &out, T &next, const T &in, const T &state, const Tensor &rate)
{
    next.set_dims(in);
    out.set_dims(in);
    const float keep = rate(0, 0, 0, 0);
    auto [B, H, W, D] = in.dims();
    for (Idx b = 0; b < B; b++)
        for (Idx h = 0; h < H; h++)
            for (Idx w = 0; w < W; w++)
                for (Idx d = 0; d < D; d++) {
                    next(b, h, w, d) = keep * state(b, h, w, d) + in(b, h, w, d);
                    out(b, h, w, d) = tanhf(next(b, h, w, d));
                }
    return GraphStatus::Success;
}
DEF_PACKAGE_OP(decay<Tensor>, "Decay")
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(decay<PlainFloatTensor_TCM>, "Decay", SNAIL, Flags::RESOURCE_HVX)
DEF_TENSOR_PROPERTIES(Op("Decay", "x", "state", "rate"), Outputs("*", "next"), Flat("..."), Tcm("*", "next", "x", "state"), MainMemory("rate"))
DEF_PACKAGE_PARAM_ORDER("Decay", "rate", true, nullptr)

// @op Reverse(x: quantized) -> x
template <typename T> GraphStatus reverse(T &out, const T &in)
{
    out.set_dims(in);
    auto [B, H, W, D] = in.dims();
    for (Idx b = 0; b < B; b++)
        for (Idx h = 0; h < H; h++)
            for (Idx w = 0; w < W; w++)
                for (Idx d = 0; d < D; d++) out(b, h, w, d) = in(B - 1 - b, h, w, d);
    return GraphStatus::Success;
}
GraphStatus reverse_blocks(QInt8CroutonTensor &out, const QInt8CroutonTensor &in)
{
    out.set_dims(in);
    if (in.interface_scale() != out.interface_scale() || in.interface_offset() != out.interface_offset())
        return reverse(out, in);
    const size_t batch = in.tile_strides()[0], batches = in.dim(0);
    for (size_t b = 0; b < batches; b++)
        for (size_t i = 0; i < batch; i++)
            memcpy(out.blocktab_ptr()[b * batch + i], in.blocktab_ptr()[(batches - 1 - b) * batch + i], 2048);
    return GraphStatus::Success;
}
DEF_PACKAGE_OP(reverse<Tensor>, "Reverse")
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(reverse_blocks, "Reverse", FAST, Flags::RESOURCE_HVX)
