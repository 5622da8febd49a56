// Activations and pools with HVX: floats and quantised bytes, flat and in croutons, and a table.
#include "HTP/core/simple_reg.h"
#include "QnnOpPackage.h"
#include "hexagon_protos.h"
#include "hexagon_types.h"
#include "hvx_hexagon_protos.h"

#define THIS_PKG_NAME HvxPackage
BEGIN_PKG_OP_DEFINITION(PKG_Hvx);

// @op Clip(x: real) -> x
template <typename T>
GraphStatus clip(T &out, const T &in)
{
    out.set_dims(in);
    auto [B, H, W, D] = in.dims();
    for (Idx b = 0; b < B; b++)
        for (Idx h = 0; h < H; h++)
            for (Idx w = 0; w < W; w++)
                for (Idx d = 0; d < D; d++) {
                    const float x = in(b, h, w, d);
                    out(b, h, w, d) = x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x;
                }
    return GraphStatus::Success;
}

GraphStatus clip_float(PlainFloatTensor &out, const PlainFloatTensor &in)
{
    out.set_dims(in);
    const HVX_Vector zero = Q6_V_vzero(), one = Q6_V_vsplat_R(0x3f800000);
    const HVX_UVector *from = (const HVX_UVector *)in.raw_data_const();
    HVX_UVector *to = (HVX_UVector *)out.raw_data();
    size_t left = in.total_storage_elements();
    for (; left >= 32; left -= 32)
        *to++ = Q6_Vsf_vmin_VsfVsf(Q6_Vsf_vmax_VsfVsf(*from++, zero), one);
    if (left > 0) q6op_vstu_variable_ARV(to, left * 4, Q6_Vsf_vmin_VsfVsf(Q6_Vsf_vmax_VsfVsf(*from, zero), one));
    return GraphStatus::Success;
}

GraphStatus clip_half(F16CroutonTensor_TCM &out, const F16CroutonTensor_TCM &in)
{
    out.set_dims(in);
    const HVX_Vector zero = Q6_V_vzero(), one = Q6_Vh_vsplat_R(0x3c00);
    for (size_t chunk = 0; chunk < in.blocktab_len(); chunk++) {
        const HVX_Vector *from = (const HVX_Vector *)in.blocktab_ptr()[chunk];
        HVX_Vector *to = (HVX_Vector *)out.blocktab_ptr()[chunk];
        asm volatile("l2fetch(%0, %1)" : : "r"(from), "r"(2048));
        for (int i = 0; i < 16; i++) *to++ = Q6_Vhf_vmin_VhfVhf(Q6_Vhf_vmax_VhfVhf(*from++, zero), one);
    }
    return GraphStatus::Success;
}

// As the codes of both tensors allow it: a table of 256 bytes, looked up 32 at a time.
GraphStatus clip_bytes(QUint8CroutonTensor_TCM &out, const QUint8CroutonTensor_TCM &in)
{
    out.set_dims(in);
    alignas(128) uint8_t table[256];
    for (int code = 0; code < 256; code++) {
        float x = (code - in.interface_offset()) * in.interface_scale();
        x = x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x;
        table[code] = saturate_round<uint8_t>(x / out.interface_scale() + out.interface_offset());
    }
    // Part r of a table vector is in halfwords: parts 0 and 1 in low bytes, 2 and 3 in high ones.
    alignas(128) uint8_t shuffled[256];
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < 128; i++) shuffled[128 * half + i % 64 * 2 + i / 64] = table[128 * half + i];
    const HVX_Vector low = *(HVX_Vector *)shuffled, high = *(HVX_Vector *)(shuffled + 128);
    for (size_t chunk = 0; chunk < in.blocktab_len(); chunk++) {
        const HVX_Vector *from = (const HVX_Vector *)in.blocktab_ptr()[chunk];
        HVX_Vector *to = (HVX_Vector *)out.blocktab_ptr()[chunk];
        for (int i = 0; i < 16; i++) {
            const HVX_Vector x = *from++;
            HVX_Vector y = Q6_Vb_vlut32_VbVbI(x, low, 0);
            y = Q6_Vb_vlut32or_VbVbVbI(y, x, low, 1);
            y = Q6_Vb_vlut32or_VbVbVbI(y, x, low, 2);
            y = Q6_Vb_vlut32or_VbVbVbI(y, x, low, 3);
            y = Q6_Vb_vlut32or_VbVbVbI(y, x, high, 4);
            y = Q6_Vb_vlut32or_VbVbVbI(y, x, high, 5);
            y = Q6_Vb_vlut32or_VbVbVbI(y, x, high, 6);
            *to++ = Q6_Vb_vlut32or_VbVbVbI(y, x, high, 7);
        }
    }
    return GraphStatus::Success;
}

static float clip_cost(const Op *op) { return op->get_output(0)->dim(3) >= 32 ? 1.0f : 2e6f; }

DEF_PACKAGE_OP(clip<Tensor>, "Clip")
DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS(clip_float, "Clip", clip_cost, Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(clip_half, "Clip", FAST, Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(clip_bytes, "Clip", FAST, Flags::RESOURCE_HVX)

// A maximum over windows of the size of a second tensor, of bytes and of halfwords.
// @op Pool(x: quantized, window: like x, stride: plane) -> x[b, h*stride.1+i, w*stride.2+j, d] * window[i, j, 0, 0]
template <typename T>
GraphStatus pool(T &out, const T &in, const Tensor &window, const TensorShape<4> &stride)
{
    auto [B, H, W, D] = out.dims();
    for (Idx b = 0; b < B; b++)
        for (Idx h = 0; h < H; h++)
            for (Idx w = 0; w < W; w++)
                for (Idx d = 0; d < D; d++) {
                    float most = -INFINITY;
                    for (Idx i = 0; i < window.dim(0); i++)
                        for (Idx j = 0; j < window.dim(1); j++)
                            most = std::max(most, float(in(b, h * stride.dim(1) + i, w * stride.dim(2) + j, d)));
                    out(b, h, w, d) = most;
                }
    return GraphStatus::Success;
}
DEF_PACKAGE_OP(pool<Tensor>, "Pool")
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(pool<QUint8CroutonTensor>, "Pool", SNAIL, Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(pool<QuantUint16Tensor>, "Pool", SNAIL, Flags::RESOURCE_HVX)

DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Clip", "X"), GT(DIM_DEPTH("*"), 32),
    AUTOSPLIT(3, "I", 32, Op("Clip", TYPICAL_SLICE("X", "I"))))
DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Clip", LET("Y", Op("Clip", "X"))), SAME_ENCODING("*", "Y"), Op("Clip", "X"))

END_PKG_OP_DEFINITION(PKG_Hvx);
