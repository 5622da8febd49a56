builtin.module {
  func.func @graph_0(%0: tensor<8x16xui8>, %1: tensor<16xf32>, %2: tensor<8x2xf32>, %3: tensor<1x1xui8>) {
    %w = qti_aisw.DecodeWeights(%0, %1, %2, %3) : (tensor<8x16xui8>, tensor<16xf32>, tensor<8x2xf32>, tensor<1x1xui8>) -> tensor<8x32xf32>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<8x16xui8>, tensor<16xf32>, tensor<8x2xf32>, tensor<1x1xui8>) -> ()}> ({
  ^bb0(%0: tensor<8x16xui8>, %1: tensor<16xf32>, %2: tensor<8x2xf32>, %3: tensor<1x1xui8>):
    %w = "qti_aisw.DecodeWeights"(%0, %1, %2, %3) : (tensor<8x16xui8>, tensor<16xf32>, tensor<8x2xf32>, tensor<1x1xui8>) -> tensor<8x32xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
