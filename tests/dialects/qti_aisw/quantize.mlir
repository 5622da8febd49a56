// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Changes of element type: Cast between plain types, BitCast of their bits, Quantize to a grid of scale and zero point,
// Dequantize back to f32. `to` is the element type of the result.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<4x8xf32>) {
  // CHECK: qti_aisw.Cast(%x) {to = i32} : (tensor<4x8xf32>) -> tensor<4x8xi32>
  // GENERIC: "qti_aisw.Cast"(%{{.*}}) <{to = i32}>
  %0 = qti_aisw.Cast(%x) {to = i32} : (tensor<4x8xf32>) -> tensor<4x8xi32>
  // CHECK: [[Q:%.+]] = qti_aisw.Quantize(%x) {to = !quant.uniform<u8:f32, 5.000000e-01:128>} :
  %1 = qti_aisw.Quantize(%x) {to = !quant.uniform<u8:f32, 0.5:128>} : (tensor<4x8xf32>) -> tensor<4x8x!quant.uniform<u8:f32, 0.5:128>>
  // CHECK: qti_aisw.Dequantize([[Q]]) : {{.*}} -> tensor<4x8xf32>
  %2 = qti_aisw.Dequantize(%1) : (tensor<4x8x!quant.uniform<u8:f32, 0.5:128>>) -> tensor<4x8xf32>
  // CHECK: qti_aisw.BitCast(%x) {to = i32} : (tensor<4x8xf32>) -> tensor<4x8xi32>
  // GENERIC: "qti_aisw.BitCast"(%{{.*}}) <{to = i32}>
  %3 = qti_aisw.BitCast(%x) {to = i32} : (tensor<4x8xf32>) -> tensor<4x8xi32>
  func.return
}

// -----

// ERROR: qti_aisw.BitCast: Float32 of 4 bytes cannot be read as Int16 of 2 bytes
%x = "test.op"() : () -> tensor<4xf32>
%y = qti_aisw.BitCast(%x) {to = i16} : (tensor<4xf32>) -> tensor<4xi16>

// -----

// ERROR: qti_aisw.Cast: param 'to' is QUInt8; to quantise, use qti_aisw.Quantize
%x = "test.op"() : () -> tensor<4xf32>
%y = qti_aisw.Cast(%x) {to = !quant.uniform<u8:f32, 0.5>} : (tensor<4xf32>) -> tensor<4x!quant.uniform<u8:f32, 0.5>>

// -----

// ERROR: qti_aisw.Quantize: result 0 has element type QUInt8 (0.25:0), its inputs give QUInt8 (0.5:0)
%x = "test.op"() : () -> tensor<4xf32>
%y = qti_aisw.Quantize(%x) {to = !quant.uniform<u8:f32, 0.5>} : (tensor<4xf32>) -> tensor<4x!quant.uniform<u8:f32, 0.25>>

// -----

// ERROR: qti_aisw.Dequantize: operand 'inp' has element type Int8, it must be quantised
%x = "test.op"() : () -> tensor<4xi8>
%y = qti_aisw.Dequantize(%x) : (tensor<4xi8>) -> tensor<4xf32>
