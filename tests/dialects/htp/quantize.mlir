// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Changes of element type. The result's type says to what: a native Cast or Quantize has no param.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<1x1x8x32xf32>) {
  // CHECK: htp.Cast(%x) : (tensor<1x1x8x32xf32>) -> tensor<1x1x8x32xf16>
  %0 = htp.Cast(%x) : (tensor<1x1x8x32xf32>) -> tensor<1x1x8x32xf16>
  // CHECK: %[[Q:.*]] = htp.Quantize(%x) : {{.*}} -> tensor<1x1x8x32x!quant.uniform<u8:f32, {{.*}}:128>>
  // GENERIC: "htp.Quantize"(%{{.*}}) :
  %1 = htp.Quantize(%x) : (tensor<1x1x8x32xf32>) -> tensor<1x1x8x32x!quant.uniform<u8:f32, 0.05:128>>
  // CHECK: htp.Dequantize(%[[Q]]) : {{.*}} -> tensor<1x1x8x32xf32>
  %2 = htp.Dequantize(%1) : (tensor<1x1x8x32x!quant.uniform<u8:f32, 0.05:128>>) -> tensor<1x1x8x32xf32>
  // CHECK: htp.BitCast(%x) : (tensor<1x1x8x32xf32>) -> tensor<1x1x8x32xi32>
  // GENERIC: "htp.BitCast"(%{{.*}}) :
  %3 = htp.BitCast(%x) : (tensor<1x1x8x32xf32>) -> tensor<1x1x8x32xi32>
  func.return
}

// -----

// ERROR: htp.BitCast: Float32 of 4 bytes cannot be read as Int16 of 2 bytes
%x = "test.op"() : () -> tensor<1x8x8x32xf32>
%y = htp.BitCast(%x) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xi16>

// -----

// ERROR: htp.Cast: result 0 has element type QUInt8, it must be not quantised: use Quantize or Dequantize
%x = "test.op"() : () -> tensor<1x8x8x32xf32>
%y = htp.Cast(%x) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32x!quant.uniform<u8:f32, 0.05:128>>

// -----

// ERROR: htp.Quantize: result 0 has element type Int8, it must be quantised
%x = "test.op"() : () -> tensor<1x8x8x32xf32>
%y = htp.Quantize(%x) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xi8>
