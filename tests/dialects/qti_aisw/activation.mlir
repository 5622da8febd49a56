// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: htp-opt %s --split-input-file --verify-diagnostics --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: htp-opt %s --split-input-file --verify-diagnostics | filecheck %s --check-prefix ERROR

// Activations of the graph keep the shape. A quantised one may change its scale: a Tanh is between
// -1 and 1 whatever it reads.

// CHECK-LABEL: func.func @forms
// GENERIC-LABEL: sym_name = "forms"
func.func @forms(%x: tensor<2x4xf32>, %s: tensor<4xf32>, %q: tensor<4x!quant.uniform<u8:f32, 0.05:128>>) {
  // CHECK: qti_aisw.Relu(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %0 = qti_aisw.Relu(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  // CHECK: qti_aisw.ReluMinMax(%x) {max_value = {{6.*}} : f32, min_value = {{0.*}} : f32} :
  %1 = qti_aisw.ReluMinMax(%x) {max_value = 6.0 : f32, min_value = 0.0 : f32} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  // CHECK: qti_aisw.LeakyRelu(%x) :
  // GENERIC: "qti_aisw.LeakyRelu"(%{{.*}}) <{alpha = 1.000000e-02 : f32}>
  %2 = qti_aisw.LeakyRelu(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  // CHECK: qti_aisw.Prelu(%x, %s) : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %3 = qti_aisw.Prelu(%x, %s) : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  // CHECK: qti_aisw.Tanh(%q) : {{.*}} -> tensor<4x!quant.uniform<u8:f32, 7.812500e-03:128>>
  %4 = qti_aisw.Tanh(%q) : (tensor<4x!quant.uniform<u8:f32, 0.05:128>>) -> tensor<4x!quant.uniform<u8:f32, 0.0078125:128>>
  func.return
}

// -----

// ERROR: qti_aisw.Relu: operand 'inp' has element type Int32, it must be a float or quantised
%x = "test.op"() : () -> tensor<4xi32>
%y = qti_aisw.Relu(%x) : (tensor<4xi32>) -> tensor<4xi32>

// -----

// ERROR: qti_aisw.ReluMinMax: param 'min_value' 6 is above 'max_value' 0
%x = "test.op"() : () -> tensor<4xf32>
%y = qti_aisw.ReluMinMax(%x) {max_value = 0.0 : f32, min_value = 6.0 : f32} : (tensor<4xf32>) -> tensor<4xf32>

// -----

// ERROR: qti_aisw.Prelu: operand 'slope' is larger than the data
%x, %s = "test.op"() : () -> (tensor<4xf32>, tensor<3x4xf32>)
%y = qti_aisw.Prelu(%x, %s) : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
