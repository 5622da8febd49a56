// Kernels with the faults that real ones have, each beside a reference that has none.
#include "HTP/core/simple_reg.h"
#define THIS_PKG_NAME FaultyPackage

// @op Twice(x: float) -> x
template <typename T>
GraphStatus twice(T &out, const T &in)
{
    out.set_dims(in);
    auto [B, H, W, D] = in.dims();
    for (Idx b = 0; b < B; b++)
        for (Idx h = 0; h < H; h++)
            for (Idx w = 0; w < W; w++)
                for (Idx d = 0; d < D; d++) out(b, h, w, d) = 2 * in(b, h, w, d);
    return GraphStatus::Success;
}
// The elements past the last whole vector are left out.
GraphStatus no_tail(PlainFloatTensor &out, const PlainFloatTensor &in)
{
    const HVX_UVector *from = (const HVX_UVector *)in.raw_data_const();
    HVX_UVector *to = (HVX_UVector *)out.raw_data();
    for (size_t i = 0; i < in.total_storage_elements() / 32; i++, from++) *to++ = Q6_Vsf_vadd_VsfVsf(*from, *from);
    return GraphStatus::Success;
}
// The last vector is written whole.
GraphStatus past_end(PlainFloatTensor_TCM &out, const PlainFloatTensor_TCM &in)
{
    const HVX_UVector *from = (const HVX_UVector *)in.raw_data_const();
    HVX_UVector *to = (HVX_UVector *)out.raw_data();
    for (size_t i = 0; i < (in.total_storage_elements() + 31) / 32; i++, from++) *to++ = Q6_Vsf_vadd_VsfVsf(*from, *from);
    return GraphStatus::Success;
}
// Rows whose width is no multiple of the vector are read at an address that is rounded down.
GraphStatus rows(FloatCroutonTensor &out, const FloatCroutonTensor &in)
{
    out.set_dims(in);
    auto [B, H, W, D] = in.dims();
    for (Idx b = 0; b < B; b++)
        for (Idx h = 0; h < H; h++)
            for (Idx w = 0; w < W; w++)
                for (Idx d = 0; d < (D > 32 ? 32 : D); d++) out(b, h, w, d) = 2 * in(b, h, w, d);
    return GraphStatus::Success;
}
GraphStatus empty(PlainFloat16Tensor &out, const PlainFloat16Tensor &in)
{
#ifdef USE_HVX
    return twice(out, in);
#endif
    return GraphStatus::Success;
}
GraphStatus into_operand(PlainFloat16Tensor_TCM &out, const PlainFloat16Tensor_TCM &in)
{
    memset(const_cast<void *>(in.raw_data_const()), 0, 2);
    return twice(out, in);
}
GraphStatus absent(F16CroutonTensor &out, const F16CroutonTensor &in)
{
    *(HVX_Vector *)out.raw_data() = Q6_Vhf_vgelu_Vhf(*(const HVX_Vector *)in.raw_data_const());
    return GraphStatus::Success;
}
GraphStatus assembled(F16CroutonTensor_TCM &out, const F16CroutonTensor_TCM &in)
{
    asm volatile("v0 = vmem(%0)" : : "r"(in.raw_data_const()));
    return GraphStatus::Success;
}
template <typename T> GraphStatus elsewhere(T &out, const T &in);

DEF_PACKAGE_OP(twice<Tensor>, "Twice")
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(no_tail, "Twice", FAST, Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(past_end, "Twice", FAST, Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(rows, "Twice", FAST, Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(empty, "Twice", FAST, Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(into_operand, "Twice", FAST, Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(absent, "Twice", FAST, Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(assembled, "Twice", FAST, Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(elsewhere<FloatCroutonTensor_TCM>, "Twice", FAST, Flags::RESOURCE_HVX)
