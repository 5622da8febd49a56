builtin.module {
  func.func @graph_0(%0: tensor<1x8x4xf32>, %1: tensor<1x2x8xf32>) {
    %i, %n = qti_aisw.NonMaxSuppression(%0, %1) {iou_threshold = 5.000000e-01 : f32, max_boxes_selected = 3 : i64} : (tensor<1x8x4xf32>, tensor<1x2x8xf32>) -> (tensor<6x3xi32>, tensor<1xi32>)
    func.return
  }
  func.func @graph_1(%0: tensor<2x9x4xf16>, %1: tensor<2x3x9xf16>) {
    %2, %3 = qti_aisw.NonMaxSuppression(%0, %1) {iou_threshold = 2.500000e-01 : f32, score_threshold = -5.000000e-01 : f32, max_boxes_selected = 4 : i64} : (tensor<2x9x4xf16>, tensor<2x3x9xf16>) -> (tensor<24x3xi32>, tensor<1xi32>)
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "graph_0", function_type = (tensor<1x8x4xf32>, tensor<1x2x8xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x8x4xf32>, %1: tensor<1x2x8xf32>):
    %i, %n = "qti_aisw.NonMaxSuppression"(%0, %1) <{iou_threshold = 5.000000e-01 : f32, max_boxes_selected = 3 : i64, score_threshold = 0.000000e+00 : f32}> : (tensor<1x8x4xf32>, tensor<1x2x8xf32>) -> (tensor<6x3xi32>, tensor<1xi32>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "graph_1", function_type = (tensor<2x9x4xf16>, tensor<2x3x9xf16>) -> ()}> ({
  ^bb0(%0: tensor<2x9x4xf16>, %1: tensor<2x3x9xf16>):
    %2, %3 = "qti_aisw.NonMaxSuppression"(%0, %1) <{iou_threshold = 2.500000e-01 : f32, score_threshold = -5.000000e-01 : f32, max_boxes_selected = 4 : i64}> : (tensor<2x9x4xf16>, tensor<2x3x9xf16>) -> (tensor<24x3xi32>, tensor<1xi32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
