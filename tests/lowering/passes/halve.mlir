// RUN: htp-opt %s -p qti-halve --split-input-file | filecheck %s
// RUN: htp-opt %s -p 'qti-halve{signature=true}' --split-input-file | filecheck %s --check-prefix TAKEN
// RUN: htp-opt %s -p qti-halve --split-input-file 2>&1 | filecheck %s --check-prefix NOTE
// RUN: not htp-opt %s -p 'htp-lower{level=native},htp-lower{floats=f16}' 2>&1 | filecheck %s --check-prefix LEVEL
// RUN: not htp-opt %s -p 'htp-lower{floats=bf16}' 2>&1 | filecheck %s --check-prefix TYPE

// What is computed in f32 is computed in f16, between Casts; or the signature is f16, too.

// CHECK-LABEL: func.func @half(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
// CHECK-DAG:     %[[W:.*]] = qti_aisw.Const dense<3.332520e-01> : tensor<4x4xf16>
// CHECK-DAG:     %[[X:.*]] = qti_aisw.Cast(%x) {to = f16}
// CHECK:         %[[Y:.*]] = qti_aisw.MatMul(%[[X]], %[[W]])
// CHECK-NEXT:    %[[OUT:.*]] = qti_aisw.Cast(%[[Y]]) {to = f32}
// CHECK-NEXT:    func.return %[[OUT]]

// TAKEN-LABEL: func.func @half(%x: tensor<1x4xf16>) -> tensor<1x4xf16> {
// TAKEN-NOT:     Cast
// TAKEN:         qti_aisw.MatMul(%x, %{{.*}})
func.func @half(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %w = qti_aisw.Const dense<0.33333333> : tensor<4x4xf32> -> tensor<4x4xf32>
  %0 = qti_aisw.MatMul(%x, %w) : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  func.return %0 : tensor<1x4xf32>
}

// -----

// Where f16 is too coarse an op stays, and what follows from it alone: here up to the quotient.

// CHECK-LABEL: func.func @small
// CHECK:         qti_aisw.ElementWiseAdd({{.*}} -> tensor<1x1xf32>
// CHECK:         %[[ROOT:.*]] = qti_aisw.ElementWiseSquareRoot({{.*}} -> tensor<1x1xf32>
// CHECK-NEXT:    %[[LIMITED:.*]] = qti_aisw.ReluMinMax(%[[ROOT]]) {min_value = -6.550400e+04 : f32, max_value = 6.550400e+04 : f32}
// CHECK:         %[[HALF:.*]] = qti_aisw.Cast(%[[LIMITED]]) {to = f16}
// CHECK:         qti_aisw.ElementWiseDivide(%{{.*}}, %[[HALF]])

// NOTE: note: {{.*}}ElementWiseAdd{{.*}}: has a constant of 1e-12, and stays in f32
func.func @small(%x: tensor<1x4xf32>, %v: tensor<1x1xf32>) -> tensor<1x4xf32> {
  %e = qti_aisw.Const dense<1.0e-12> : tensor<f32> -> tensor<f32>
  %0 = qti_aisw.ElementWiseAdd(%v, %e) : (tensor<1x1xf32>, tensor<f32>) -> tensor<1x1xf32>
  %1 = qti_aisw.ElementWiseSquareRoot(%0) : (tensor<1x1xf32>) -> tensor<1x1xf32>
  %2 = qti_aisw.ElementWiseDivide(%x, %1) : (tensor<1x4xf32>, tensor<1x1xf32>) -> tensor<1x4xf32>
  func.return %2 : tensor<1x4xf32>
}

// LEVEL: htp-lower: floats=f16 is for graphs, and the module is at the native level
// LEVEL: leave it out, or lower the graph anew
// TYPE: htp-lower: floats is bf16
