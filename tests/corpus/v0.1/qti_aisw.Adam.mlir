builtin.module {
  func.func @graph_0(%0: tensor<4x8xf32>, %1: tensor<4x8xf32>, %2: tensor<4x8xf32>, %3: tensor<4x8xf32>, %4: tensor<f32>, %5: tensor<f32>) {
    %w1, %m1, %v1 = qti_aisw.Adam(%0, %1, %2, %3, %4, %5) {weight_decay = 1.000000e-02 : f32, decoupled = true} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>, tensor<f32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
    func.return
  }
  func.func @graph_1(%0: tensor<4xf16>, %1: tensor<4xf16>, %2: tensor<4xf16>, %3: tensor<4xf16>, %4: tensor<f32>, %5: tensor<1xf32>) {
    %6, %7, %8 = qti_aisw.Adam(%0, %1, %2, %3, %4, %5) {weight_decay = 1.000000e-01 : f32} : (tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<f32>, tensor<1xf32>) -> (tensor<4xf16>, tensor<4xf16>, tensor<4xf16>)
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>, tensor<f32>) -> ()}> ({
  ^bb0(%0: tensor<4x8xf32>, %1: tensor<4x8xf32>, %2: tensor<4x8xf32>, %3: tensor<4x8xf32>, %4: tensor<f32>, %5: tensor<f32>):
    %w1, %m1, %v1 = "qti_aisw.Adam"(%0, %1, %2, %3, %4, %5) <{weight_decay = 1.000000e-02 : f32, decoupled = true, beta1 = 9.000000e-01 : f32, beta2 = 9.990000e-01 : f32, epsilon = 1.000000e-08 : f32, epsilon_hat = false}> : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>, tensor<f32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<f32>, tensor<1xf32>) -> ()}> ({
  ^bb0(%0: tensor<4xf16>, %1: tensor<4xf16>, %2: tensor<4xf16>, %3: tensor<4xf16>, %4: tensor<f32>, %5: tensor<1xf32>):
    %6, %7, %8 = "qti_aisw.Adam"(%0, %1, %2, %3, %4, %5) <{weight_decay = 1.000000e-01 : f32, beta1 = 9.000000e-01 : f32, beta2 = 9.990000e-01 : f32, epsilon = 1.000000e-08 : f32, decoupled = false, epsilon_hat = false}> : (tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<f32>, tensor<1xf32>) -> (tensor<4xf16>, tensor<4xf16>, tensor<4xf16>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
