// RUN: htp-opt -t irdl | filecheck %s

// Both dialects as definitions in IRDL. A dialect has one name for one thing, in lower case, so the
// type of a shape is shape_type. What IRDL cannot say stands in comments.

// CHECK-LABEL: irdl.dialect @htp {
// CHECK:         irdl.attribute @place {
// CHECK:           %p_layout_0 = irdl.is "flat"
// CHECK:           %p_offset_0 = irdl.is unit
// CHECK-NEXT:      %p_offset_1 = irdl.base "#builtin.integer"
// CHECK-NEXT:      %p_offset = irdl.any_of(%p_offset_0, %p_offset_1)
// CHECK-NEXT:      irdl.parameters(layout: %p_layout, memory: %p_memory, offset: %p_offset)

// CHECK:         // htp.ConvLayer_valid: A convolution without padding, plus a bias.
// CHECK-NEXT:    irdl.operation @conv_layer_valid {
// CHECK-NEXT:      %o_act = irdl.base "!builtin.tensor"  // a number
// CHECK-NEXT:      %o_weights = irdl.base "!builtin.tensor"  // the dtype of act, or both quantised
// CHECK-NEXT:      %o_stride = irdl.base @htp::@shape_type  // 1xHxWx1, all >= 1
// CHECK-NEXT:      %o_bias = irdl.base "!builtin.tensor"  // a number; float exactly where act is
// CHECK-NEXT:      irdl.operands(act: %o_act, weights: %o_weights, stride: %o_stride, bias: %o_bias)
// CHECK-NEXT:      %r_out = irdl.base "!builtin.tensor"
// CHECK-NEXT:      irdl.results(out: %r_out)
// A param that may be absent is unit then.
// CHECK-NEXT:      %a_kernel_0 = irdl.is unit
// CHECK-NEXT:      %a_kernel_1 = irdl.base "#builtin.string"
// CHECK-NEXT:      %a_kernel = irdl.any_of(%a_kernel_0, %a_kernel_1)
// CHECK:           irdl.attributes { "kernel" = %a_kernel, "scratch" = %a_scratch }

// Any number of operands are runs of equal types.
// CHECK:         irdl.operation @concat {
// CHECK:           irdl.operands(axis: %o_axis, parts0: variadic %o_parts0, parts1: variadic %o_parts1,

// CHECK-LABEL: irdl.dialect @qti_aisw {
// CHECK:         irdl.attribute @buffer_mode {
// CHECK-NEXT:      %p_value_0 = irdl.is "BLOCKING"

// CHECK:         irdl.operation @mat_mul {
// CHECK:           %a_transpose_in0_0 = irdl.is true
// CHECK-NEXT:      %a_transpose_in0_1 = irdl.is false
// CHECK-NEXT:      %a_transpose_in0 = irdl.any_of(%a_transpose_in0_0, %a_transpose_in0_1)

// CHECK:         irdl.operation @buffer {
// CHECK:           irdl.operands(inp: %o_inp, reset: optional %o_reset)
// CHECK:           %a_buffer_size = irdl.base "#builtin.integer"  // i64
// CHECK:           %a_mode = irdl.base @qti_aisw::@buffer_mode
// CHECK-NEXT:      irdl.attributes { "buffer_size" = %a_buffer_size, {{.*}}"mode" = %a_mode }
