// RUN: htp-opt %s -p 'htp-rules,dce' --split-input-file | filecheck %s

// One Reshape does for two, and none for what changes nothing; those at the boundary stay. A Concat
// of one part is that part.

// CHECK-LABEL: func.func @reshapes
// CHECK-NEXT:  %[[X:.*]] = htp.Reshape(%x)
// CHECK-NEXT:  %[[N:.*]] = htp.Neg(%[[X]])
// CHECK-NEXT:  %[[R:.*]] = htp.Reshape(%[[N]]) : (tensor<1x2x6x4xf32>) -> tensor<1x4x3x4xf32>
// CHECK-NEXT:  %[[M:.*]] = htp.Neg(%[[R]])
// CHECK-NEXT:  %[[Y:.*]] = htp.Reshape(%[[M]])
// CHECK-NEXT:  func.return %[[Y]]
func.func @reshapes(%x: tensor<1x2x6x4xf32>) -> tensor<1x4x3x4xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x2x6x4xf32>) -> tensor<1x2x6x4xf32>
  %1 = htp.Neg(%0) : (tensor<1x2x6x4xf32>) -> tensor<1x2x6x4xf32>
  %2 = htp.Reshape(%1) : (tensor<1x2x6x4xf32>) -> tensor<1x1x12x4xf32>
  %3 = htp.Reshape(%2) : (tensor<1x1x12x4xf32>) -> tensor<1x4x3x4xf32>
  %4 = htp.Reshape(%3) : (tensor<1x4x3x4xf32>) -> tensor<1x4x3x4xf32>
  %5 = htp.Neg(%4) : (tensor<1x4x3x4xf32>) -> tensor<1x4x3x4xf32>
  %axis = htp.Const dense<1> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  %alone = htp.Concat(%axis, %5) : (tensor<1x1x1x1xi32>, tensor<1x4x3x4xf32>) -> tensor<1x4x3x4xf32>
  %6 = htp.Reshape(%alone) : (tensor<1x4x3x4xf32>) -> tensor<1x4x3x4xf32>
  func.return %6 : tensor<1x4x3x4xf32>
}

// -----

// A slice of a slice starts at the sum of both starts; a Concat takes the parts of another one.

// CHECK-LABEL: func.func @tiles
// CHECK:       %[[X:.*]] = htp.Reshape(%x)
// CHECK:       %[[START:.*]] = htp.Shape : !htp.shape<0x5x0x0>
// CHECK:       %[[PART:.*]] = htp.Slice_shape(%[[X]], %[[START]], %{{.*}}) : {{.*}} -> tensor<1x2x4x4xf32>
// CHECK:       htp.Concat(%{{.*}}, %[[PART]], %[[X]], %[[PART]]) : {{.*}} -> tensor<1x13x4x4xf32>
// CHECK-NOT:   htp.Slice_shape
func.func @tiles(%x: tensor<1x9x4x4xf32>) -> tensor<1x13x4x4xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x9x4x4xf32>) -> tensor<1x9x4x4xf32>
  %axis = htp.Const dense<1> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32>
  %s2 = htp.Shape : !htp.shape<0x2x0x0>
  %s3 = htp.Shape : !htp.shape<0x3x0x0>
  %n6 = htp.Shape : !htp.shape<1x6x4x4>
  %n2 = htp.Shape : !htp.shape<1x2x4x4>
  %1 = htp.Slice_shape(%0, %s2, %n6) : (tensor<1x9x4x4xf32>, !htp.shape<0x2x0x0>, !htp.shape<1x6x4x4>) -> tensor<1x6x4x4xf32>
  %2 = htp.Slice_shape(%1, %s3, %n2) : (tensor<1x6x4x4xf32>, !htp.shape<0x3x0x0>, !htp.shape<1x2x4x4>) -> tensor<1x2x4x4xf32>
  %3 = htp.Concat(%axis, %2, %0) : (tensor<1x1x1x1xi32>, tensor<1x2x4x4xf32>, tensor<1x9x4x4xf32>) -> tensor<1x11x4x4xf32>
  %4 = htp.Concat(%axis, %3, %2) : (tensor<1x1x1x1xi32>, tensor<1x11x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x13x4x4xf32>
  %5 = htp.Reshape(%4) : (tensor<1x13x4x4xf32>) -> tensor<1x13x4x4xf32>
  func.return %5 : tensor<1x13x4x4xf32>
}
