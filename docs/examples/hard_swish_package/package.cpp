// An op package whose kernels are C++ alone: HardSwish(x) = x * clip(x + 3, 0, 6) / 6.
#include "HTP/core/constraints.h"
#include "HTP/core/op_register_ext.h"
#include "HTP/core/optimize.h"
#include "HTP/core/simple_reg.h"
#include "QnnOpPackage.h"
#include "hexagon_types.h"
#include "hvx_hexagon_protos.h"

#define THIS_PKG_NAME HardSwishPackage

BEGIN_PKG_OP_DEFINITION(PKG_HardSwish);

// The reference: any tensors, element by element.
// @op HardSwish(x: real) -> x
template <typename TType>
GraphStatus hard_swish(TType &out, const TType &in)
{
    out.set_dims(in);
    auto [batches, height, width, depth] = in.dims();
    for (Idx b = 0; b < batches; b++)
        for (Idx h = 0; h < height; h++)
            for (Idx w = 0; w < width; w++)
                for (Idx d = 0; d < depth; d++) {
                    const float x = in(b, h, w, d);
                    const float gate = x + 3.0f < 0.0f ? 0.0f : x + 3.0f > 6.0f ? 6.0f : x + 3.0f;
                    out(b, h, w, d) = x * gate * (1.0f / 6.0f);
                }
    return GraphStatus::Success;
}

static inline HVX_Vector splat(float number)
{
    int32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return Q6_V_vsplat_R(bits);
}

static inline HVX_Vector hard_swish_of(HVX_Vector x)
{
    const HVX_Vector shifted = Q6_Vsf_equals_Vqf32(Q6_Vqf32_vadd_VsfVsf(x, splat(3.0f)));
    const HVX_Vector positive = Q6_Vsf_vmax_VsfVsf(shifted, Q6_V_vzero());
    const HVX_Vector gate = Q6_Vsf_vmin_VsfVsf(positive, splat(6.0f));
    const HVX_Vector scaled = Q6_Vsf_equals_Vqf32(Q6_Vqf32_vmpy_VsfVsf(gate, splat(1.0f / 6.0f)));
    return Q6_Vsf_equals_Vqf32(Q6_Vqf32_vmpy_VsfVsf(x, scaled));
}

// With HVX, on floats in croutons: chunk by chunk, 32 floats at a time.
GraphStatus hard_swish_hvx(FloatCroutonTensor_TCM &out, const FloatCroutonTensor_TCM &in)
{
    out.set_dims(in);
    for (size_t chunk = 0; chunk < in.blocktab_len(); chunk++) {
        const HVX_Vector *from = (const HVX_Vector *)in.blocktab_ptr()[chunk];
        HVX_Vector *to = (HVX_Vector *)out.blocktab_ptr()[chunk];
        for (int i = 0; i < 16; i++) *to++ = hard_swish_of(*from++);
    }
    return GraphStatus::Success;
}

DEF_PACKAGE_OP(hard_swish<Tensor>, "HardSwish")
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(hard_swish_hvx, "HardSwish", SNAIL, Flags::RESOURCE_HVX)

DEF_TENSOR_PROPERTIES(Op("HardSwish", "x"), Crouton("*", "x"), Tcm("*", "x"))

// It is cut into 32 channels.
DEF_PACKAGE_OPTIMIZATION(EARLY + 4,
    Op("HardSwish", "X"),
    GT(DIM_DEPTH("*"), 32),
    AUTOSPLIT(3, "I", 32, Op("HardSwish", TYPICAL_SLICE("X", "I"))))

END_PKG_OP_DEFINITION(PKG_HardSwish);
