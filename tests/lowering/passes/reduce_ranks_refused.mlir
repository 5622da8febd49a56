// RUN: not htp-opt %s -p htp-lower 2>&1 | filecheck %s
// RUN: not htp-opt %s -p 'qti-check-backend{backend=htp}' 2>&1 | filecheck %s
// RUN: not htp-opt %s -p convert-qti-aisw-to-htp 2>&1 | filecheck %s --check-prefix ALONE

// The rank of the state of a Buffer stays, so that state files move between levels. Signatures,
// Reshapes and constants may be of any rank. Other ops ask for the pass that brings them to rank 4.

// CHECK:       qti_aisw.Buffer 'window': operand 0: shape 2x2x2x2x2 has rank 5, native tensors have rank 4
// CHECK-NEXT:    the dims of qti_aisw.Buffer do not merge; reshape to rank 4 in the model
// CHECK-NOT:   Relu

// ALONE:       2 errors:
// ALONE-NEXT:  qti_aisw.Buffer 'window'
// ALONE-NEXT:  qti_aisw.Relu: operand 0: shape 4x2x2x2x2 has rank 5, native tensors have rank 4; run qti-reduce-ranks before, as htp-lower does
func.func @main(%x: tensor<2x2x2x2x2xf32>) -> tensor<4x2x2x2x2xf32> {
  %0 = qti_aisw.Buffer(%x) {buffer_dim = 0 : i64, buffer_size = 4 : i64, mode = #qti_aisw.buffer_mode<NON_BLOCKING_LEFT>, stride = 2 : i64, htp.name = "window"} : (tensor<2x2x2x2x2xf32>) -> tensor<4x2x2x2x2xf32>
  %1 = qti_aisw.Relu(%0) : (tensor<4x2x2x2x2xf32>) -> tensor<4x2x2x2x2xf32>
  func.return %1 : tensor<4x2x2x2x2xf32>
}
