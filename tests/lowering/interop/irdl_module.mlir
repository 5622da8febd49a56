// RUN: htp-opt %s -t irdl-module | filecheck %s

// A module in the form of the definitions: names in lower case, all params as attributes, places,
// shapes and choices by their parameters. Functions, tensors and quantised types are as they are.

// CHECK-LABEL: func.func @main(%x: tensor<1x4x4x8xf32, #htp.place<"crouton", "tcm", 4096>>,
// CHECK-SAME:    %y: tensor<1x2x16x!quant.uniform<u8:f32, {{.*}}:128>>
// CHECK-NEXT:    %s = "htp.shape"() : () -> !htp.shape_type<1, 2, 2, 1>
// CHECK-NEXT:    %r = "htp.relu"(%x) {kernel = "relu", scratch} :
// CHECK-SAME:      -> tensor<1x4x4x8xf32, #htp.place<"flat", "ddr", unit>>

// Params that the text leaves out are there, with their defaults.
// CHECK-NEXT:    %b = "qti_aisw.buffer"(%y) {buffer_padding = 0 : i64, stride = 2 : i64,
// CHECK-SAME:      mode = #qti_aisw.buffer_mode<"BLOCKING">, buffer_dim = 1 : i64, buffer_size = 8 : i64}

// Two parts of one type, then one of another: the runs behind the axis are 2 and 1.
// CHECK:         "htp.concat"(%a, %p, %p, %q) {kernel, scratch, operandSegmentSizes = array<i32: 1, 2, 1, 0,
func.func @main(
    %x: tensor<1x4x4x8xf32, #htp.place<crouton, tcm, 4096>>,
    %y: tensor<1x2x16x!quant.uniform<u8:f32, 0.05:128>>,
    %a: tensor<1x1x1x1xi32>, %p: tensor<1x1x1x2xf32>, %q: tensor<1x1x1x4xf32>) {
  %s = htp.Shape : !htp.shape<1x2x2x1>
  %r = htp.Relu(%x) {kernel = "relu"} : (tensor<1x4x4x8xf32, #htp.place<crouton, tcm, 4096>>) -> tensor<1x4x4x8xf32, #htp.place<flat, ddr>>
  %b = qti_aisw.Buffer(%y) {buffer_dim = 1 : i64, buffer_size = 8 : i64, stride = 2 : i64} : (tensor<1x2x16x!quant.uniform<u8:f32, 0.05:128>>) -> tensor<1x8x16x!quant.uniform<u8:f32, 0.05:128>>
  %c = htp.Concat(%a, %p, %p, %q) : (tensor<1x1x1x1xi32>, tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x1x8xf32>
  func.return
}
