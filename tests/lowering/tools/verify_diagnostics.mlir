// RUN: htp-opt %s --split-input-file --verify-diagnostics -p 'qti-check-backend{backend=htp}' | filecheck %s

// Errors that a file expects, piece by piece: of the parser, of a verifier and of a pass, and notes.
// Pieces without an error are printed.

// CHECK-NOT: qti_aisw.Reshape
// CHECK:     qti_aisw.Relu
// CHECK:     qti_aisw.MaskedSoftmax
// CHECK-NOT: qti_aisw.Buffer
func.func @main(%x: tensor<2x3xf32>) -> tensor<7xf32> {
  // expected-error@+1 {{qti_aisw.Reshape: shape 7 has 7 elements, the input 6}}
  %1 = qti_aisw.Reshape(%x) {shape = array<i64: 7>} : (tensor<2x3xf32>) -> tensor<7xf32>
  func.return %1 : tensor<7xf32>
}

// -----

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %7 = qti_aisw.Rel(%x) : (tensor<2xf32>) -> tensor<2xf32>
  // expected-error-re@above {{qti_aisw.{{[A-Z]el}} is not registered}}
  func.return %7 : tensor<2xf32>
}

// -----

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %7 = qti_aisw.Relu(%x) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %7 : tensor<2xf32>
}

// -----

func.func @main(%d: tensor<1x1x4x4xf32>, %m: tensor<1x4xi32>) -> tensor<1x1x4x4xf32> {
  // expected-note@below {{qti_aisw.MaskedSoftmax 'attend': is no op of backend htp}}
  %1 = qti_aisw.MaskedSoftmax(%d, %m) {htp.name = "attend"} : (tensor<1x1x4x4xf32>, tensor<1x4xi32>) -> tensor<1x1x4x4xf32>
  func.return %1 : tensor<1x1x4x4xf32>
}

// -----

func.func @main(%x: tensor<1x4xf32>) -> tensor<3x4xf32> {
  // expected-error@+1 {{qti_aisw.Buffer: mode BLOCKING cannot run on HTP}}
  %0 = qti_aisw.Buffer(%x) {buffer_dim = 0 : i64, buffer_size = 3 : i64} : (tensor<1x4xf32>) -> tensor<3x4xf32>
  func.return %0 : tensor<3x4xf32>
}
