// An op of PyTorch that was kept in the graph is refused by its name; no package can bring it.
// RUN: not htp-opt %s -p 'htp-lower{soc=SM8650}' 2>&1 | filecheck %s

func.func @main(%x: tensor<2x2xf32> {htp.name = "x"}) -> (tensor<2x2xf32> {htp.name = "y"}) {
  %y = qti_aisw.Custom(%x) {package = "torch", op_type = "aten.special_i1.default",
    params = {self = "%0"}} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %y : tensor<2x2xf32>
}
// CHECK: aten.special_i1.default is PyTorch's own op, kept by fallback
// CHECK-NEXT: give it a conversion: @CONVERSIONS.conversion("aten.special_i1.default")
