builtin.module {
  func.func @graph_0() {
    %w = qti_aisw.Const dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32> -> tensor<1x2xf32>
    func.return
  }
  func.func @graph_1() {
    %0 = qti_aisw.Const dense<[64, 217, 150, 43, 226, 246, 248]> : tensor<7xui8> -> tensor<7x!quant.uniform<u8:f32, 1.000000e-02:128>>
    func.return
  }
  func.func @graph_2() {
    %0 = qti_aisw.Const dense<[1.799320e-01, -1.317140e-01, 8.972170e-02, 1.695560e-01, 1.690670e-01]> : tensor<5xf16> -> tensor<5xf16>
    func.return
  }
  func.func @graph_3() {
    %0 = qti_aisw.Const dense<[[3, -1]]> : tensor<1x2xi32> -> tensor<1x2xi32>
    func.return
  }
  func.func @graph_4() {
    %0 = qti_aisw.Const dense<[[false, false, false], [false, false, true]]> : tensor<2x3xi1> -> tensor<2x3xi1>
    func.return
  }
  func.func @graph_5() {
    %0 = qti_aisw.Const dense<[[86, 96, 78], [46, -12, 12]]> : tensor<2x3xi8> -> tensor<2x3x!quant.uniform<i8:f32, 1.000000e-01:-3>>
    func.return
  }
  func.func @graph_6() {
    %0 = qti_aisw.Const dense<[[11629, 36861, 33652], [43671, 30533, 21227]]> : tensor<2x3xui16> -> tensor<2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = () -> ()}> ({
    %w = "qti_aisw.Const"() <{value = dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>}> : () -> tensor<1x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = () -> ()}> ({
    %0 = "qti_aisw.Const"() <{value = dense<[64, 217, 150, 43, 226, 246, 248]> : tensor<7xui8>}> : () -> tensor<7x!quant.uniform<u8:f32, 1.000000e-02:128>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_2", function_type = () -> ()}> ({
    %0 = "qti_aisw.Const"() <{value = dense<[1.799320e-01, -1.317140e-01, 8.972170e-02, 1.695560e-01, 1.690670e-01]> : tensor<5xf16>}> : () -> tensor<5xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_3", function_type = () -> ()}> ({
    %0 = "qti_aisw.Const"() <{value = dense<[[3, -1]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_4", function_type = () -> ()}> ({
    %0 = "qti_aisw.Const"() <{value = dense<[[false, false, false], [false, false, true]]> : tensor<2x3xi1>}> : () -> tensor<2x3xi1>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_5", function_type = () -> ()}> ({
    %0 = "qti_aisw.Const"() <{value = dense<[[86, 96, 78], [46, -12, 12]]> : tensor<2x3xi8>}> : () -> tensor<2x3x!quant.uniform<i8:f32, 1.000000e-01:-3>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_6", function_type = () -> ()}> ({
    %0 = "qti_aisw.Const"() <{value = dense<[[11629, 36861, 33652], [43671, 30533, 21227]]> : tensor<2x3xui16>}> : () -> tensor<2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
