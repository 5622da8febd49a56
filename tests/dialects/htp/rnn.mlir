// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// A native Gru takes everything: weights, bias, lengths, the state before, and direction, clip and
// linear_before_reset as params. It gives all steps and the state after.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<1x5x2x3xf32>, %w: tensor<1x1x12x3xf32>, %r: tensor<1x1x12x4xf32>, %b: tensor<1x1x1x24xf32>, %lens: tensor<1x1x1x2xi32>, %h: tensor<1x1x2x4xf32>, %clip: tensor<1x1x1x1xf32>) {
  %0 = htp.Const dense<0> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  // CHECK: %{{.*}}, %[[STATE:.*]] = htp.Gru(%x, %w, %r, %b, %lens, %h, %{{.*}}, %clip, %{{.*}}) : {{.*}} -> (tensor<5x1x2x4xf32>, tensor<1x1x2x4xf32>)
  // GENERIC: "htp.Gru"({{.*}}) :
  %y, %state = htp.Gru(%x, %w, %r, %b, %lens, %h, %0, %clip, %0) : (tensor<1x5x2x3xf32>, tensor<1x1x12x3xf32>, tensor<1x1x12x4xf32>, tensor<1x1x1x24xf32>, tensor<1x1x1x2xi32>, tensor<1x1x2x4xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>) -> (tensor<5x1x2x4xf32>, tensor<1x1x2x4xf32>)
  func.return
}

// -----

// Backwards and forwards at once takes weights for two directions.
// ERROR: htp.Gru: param 'direction' is 2, the weights have 1 directions
%x, %w, %r, %b, %lens, %h, %clip = "test.op"() : () -> (tensor<1x5x2x3xf32>, tensor<1x1x12x3xf32>, tensor<1x1x12x4xf32>, tensor<1x1x1x24xf32>, tensor<1x1x1x2xi32>, tensor<1x1x2x4xf32>, tensor<1x1x1x1xf32>)
%2 = htp.Const dense<2> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
%0 = htp.Const dense<0> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
%y, %state = htp.Gru(%x, %w, %r, %b, %lens, %h, %2, %clip, %0) : (tensor<1x5x2x3xf32>, tensor<1x1x12x3xf32>, tensor<1x1x12x4xf32>, tensor<1x1x1x24xf32>, tensor<1x1x1x2xi32>, tensor<1x1x2x4xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>) -> (tensor<5x1x2x4xf32>, tensor<1x1x2x4xf32>)
