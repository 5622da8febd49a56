builtin.module {
  func.func @graph_0(%0: tensor<4x32xf32>, %1: tensor<8x16xui8>, %2: tensor<16xf32>, %3: tensor<8x2xf32>, %4: tensor<1x1xui8>) {
    %y = qti_aisw.CodedFullyConnected(%0, %1, %2, %3, %4) : (tensor<4x32xf32>, tensor<8x16xui8>, tensor<16xf32>, tensor<8x2xf32>, tensor<1x1xui8>) -> tensor<4x8xf32>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<4x32xf32>, tensor<8x16xui8>, tensor<16xf32>, tensor<8x2xf32>, tensor<1x1xui8>) -> ()}> ({
  ^bb0(%0: tensor<4x32xf32>, %1: tensor<8x16xui8>, %2: tensor<16xf32>, %3: tensor<8x2xf32>, %4: tensor<1x1xui8>):
    %y = "qti_aisw.CodedFullyConnected"(%0, %1, %2, %3, %4) : (tensor<4x32xf32>, tensor<8x16xui8>, tensor<16xf32>, tensor<8x2xf32>, tensor<1x1xui8>) -> tensor<4x8xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
