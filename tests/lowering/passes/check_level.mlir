// RUN: htp-opt %s -p 'htp-check-level{level=native}' | filecheck %s
// RUN: not htp-opt %s -p 'htp-check-level{level=placed}' 2>&1 | filecheck %s --check-prefix PLACED
// RUN: not htp-opt %s -p 'htp-check-level{level=final}' 2>&1 | filecheck %s --check-prefix FINAL

// CHECK: htp.Relu
func.func @main(%x: tensor<1x512xf32>) -> tensor<1x512xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x512xf32>) -> tensor<1x1x1x512xf32>
  %1 = htp.Relu(%0) : (tensor<1x1x1x512xf32>) -> tensor<1x1x1x512xf32>
  %y = htp.Reshape(%1) : (tensor<1x1x1x512xf32>) -> tensor<1x512xf32>
  func.return %y : tensor<1x512xf32>
}

// PLACED:      htp.Reshape: does not belong to the placed level: it gives its result 0 no place
// PLACED-NEXT:   htp-assign-places and htp-realise-places make this level
// FINAL:       level 'final': is not known
// FINAL-NEXT:    known are graph, native, placed, allocated
