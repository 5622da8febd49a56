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

static inline float hard_swish_of(float x)
{
    const float gate = x + 3.0f < 0.0f ? 0.0f : x + 3.0f > 6.0f ? 6.0f : x + 3.0f;
    return x * gate * (1.0f / 6.0f);
}

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
                for (Idx d = 0; d < depth; d++) out(b, h, w, d) = hard_swish_of(in(b, h, w, d));
    return GraphStatus::Success;
}

// With HVX, on bytes in croutons: the result of each of the 256 codes is computed once, and looked
// up for 128 elements at a time, in eight parts of 32 codes.
GraphStatus hard_swish_hvx(QUint8CroutonTensor_TCM &out, const QUint8CroutonTensor_TCM &in)
{
    out.set_dims(in);
    alignas(128) uint8_t results[256];
    for (int code = 0; code < 256; code++) {
        const float x = (code - in.interface_offset()) * in.interface_scale();
        const float q = hard_swish_of(x) * out.interface_scale_recip() + out.interface_offset();
        results[code] = saturate_round<uint8_t>(q);
    }
    const HVX_Vector *plain = (const HVX_Vector *)results;
    const HVX_Vector tables[2] = {Q6_Vb_vshuff_Vb(plain[0]), Q6_Vb_vshuff_Vb(plain[1])};
    for (size_t chunk = 0; chunk < in.blocktab_len(); chunk++) {
        const HVX_Vector *from = (const HVX_Vector *)in.blocktab_ptr()[chunk];
        HVX_Vector *to = (HVX_Vector *)out.blocktab_ptr()[chunk];
        for (int i = 0; i < 16; i++) {
            const HVX_Vector codes = *from++;
            HVX_Vector found = Q6_V_vzero();
            for (int part = 0; part < 8; part++)
                found = Q6_Vb_vlut32or_VbVbVbR(found, codes, tables[part / 4], part);
            *to++ = found;
        }
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
