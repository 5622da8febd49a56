// RUN: htp-opt %s -p qti-vendor-io | filecheck %s
// RUN: htp-opt %s -p htp-lower -t 'memory-report{io=vendor}' | filecheck %s --check-prefix REPORT
// RUN: not htp-opt %s -p htp-lower -t 'memory-report{io=vendors}' 2>&1 | filecheck %s --check-prefix CHOICE
// RUN: not htp-opt %s -p qti-narrow -t 'memory-report{io=vendor}' 2>&1 | filecheck %s --check-prefix NOTHING

// What stands between the caller's f32 in channels first and the graph's own tensors goes. An input
// that is read in two ways, and an output that is read inside, stay.

// CHECK:      func.func @main(%x: tensor<1x4x4x8x!quant.uniform<u8:f32, 5.000000e-01>> {htp.name = "x"}, %z: tensor<1x8x4x4xf32> {htp.name = "z"})
// CHECK-SAME:   -> (tensor<1x4x4x8x!quant.uniform<u8:f32, 5.000000e-01>> {htp.name = "y"}, tensor<1x8x4x4xf32> {htp.name = "s"}, tensor<1x4x4x8xf32> {htp.name = "t"}) {
// CHECK-NEXT:   %[[R:.*]] = qti_aisw.Relu(%x)
// CHECK-NEXT:   %[[Z:.*]] = qti_aisw.Relu(%z)
// CHECK-NEXT:   %[[T:.*]] = qti_aisw.Transpose(%z)
// CHECK-NEXT:   return %[[R]], %[[Z]], %[[T]]
func.func @main(%x: tensor<1x8x4x4xf32> {htp.name = "x"}, %z: tensor<1x8x4x4xf32> {htp.name = "z"})
    -> (tensor<1x8x4x4xf32> {htp.name = "y"}, tensor<1x8x4x4xf32> {htp.name = "s"}, tensor<1x4x4x8xf32> {htp.name = "t"}) {
  %0 = qti_aisw.Quantize(%x) {to = !quant.uniform<u8:f32, 0.5>} : (tensor<1x8x4x4xf32>) -> tensor<1x8x4x4x!quant.uniform<u8:f32, 0.5>>
  %1 = qti_aisw.Transpose(%0) {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x8x4x4x!quant.uniform<u8:f32, 0.5>>) -> tensor<1x4x4x8x!quant.uniform<u8:f32, 0.5>>
  %2 = qti_aisw.Relu(%1) : (tensor<1x4x4x8x!quant.uniform<u8:f32, 0.5>>) -> tensor<1x4x4x8x!quant.uniform<u8:f32, 0.5>>
  %3 = qti_aisw.Transpose(%2) {perm = array<i64: 0, 3, 1, 2>} : (tensor<1x4x4x8x!quant.uniform<u8:f32, 0.5>>) -> tensor<1x8x4x4x!quant.uniform<u8:f32, 0.5>>
  %4 = qti_aisw.Dequantize(%3) : (tensor<1x8x4x4x!quant.uniform<u8:f32, 0.5>>) -> tensor<1x8x4x4xf32>
  %5 = qti_aisw.Relu(%z) : (tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  %6 = qti_aisw.Transpose(%z) {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x8x4x4xf32>) -> tensor<1x4x4x8xf32>
  func.return %4, %5, %6 : tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>, tensor<1x4x4x8xf32>
}

// REPORT:     bytes by node
// REPORT:     x {{.*}} 128 {{.*}} input 'x'

// CHOICE:      memory-report: io 'vendors' is not known
// CHOICE-NEXT:   did you mean 'vendor'? known are model, vendor

// NOTHING:      memory-report: io=vendor changes what htp-lower gets
// NOTHING-NEXT:   give -p htp-lower
