// RUN: htp-opt %s -p cse,dce | filecheck %s

// CHECK: htp.State @h : tensor<1x1x2x4xf32>
htp.State @h : tensor<1x1x2x4xf32>
// CHECK: htp.State @unused : tensor<1x1x1x1xi32>
htp.State @unused : tensor<1x1x1x1xi32>

// CHECK-LABEL: func.func @main
func.func @main(%init: tensor<1x1x2x4xf32>, %reset: tensor<1x1x1x1xi1>) {
  // Equal reads with no write between them are one.
  // CHECK: %[[H:.*]] = htp.StateRead @h, %{{.*}}, %{{.*}} :
  %a = htp.StateRead @h, %init, %reset
    : tensor<1x1x2x4xf32>, tensor<1x1x1x1xi1> -> tensor<1x1x2x4xf32>
  %b = htp.StateRead @h, %init, %reset
    : tensor<1x1x2x4xf32>, tensor<1x1x1x1xi1> -> tensor<1x1x2x4xf32>
  // CHECK-NEXT: %[[SUM:.*]] = htp.Add(%[[H]], %[[H]])
  %sum = htp.Add(%a, %b) : (tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) -> tensor<1x1x2x4xf32>
  // CHECK-NEXT: htp.StateWrite @h, %[[SUM]] : tensor<1x1x2x4xf32>
  htp.StateWrite @h, %sum : tensor<1x1x2x4xf32>
  // A read that nobody uses goes.
  // CHECK-NEXT: func.return
  %dead = htp.StateRead @h, %init, %reset
    : tensor<1x1x2x4xf32>, tensor<1x1x1x1xi1> -> tensor<1x1x2x4xf32>
  func.return
}
