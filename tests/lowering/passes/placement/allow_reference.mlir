// RUN: not htp-opt %s --package %S/slow_package.py -p htp-assign-places 2>&1 | filecheck %s --check-prefix REFUSED
// RUN: htp-opt %s --package %S/slow_package.py -p 'htp-assign-places{allow-reference=true}' | filecheck %s --check-prefix ALLOWED

// The properties of this op want its tensors in TCM, where its package has no kernel for it. That is
// an error, unless the op may run on its reference kernel: then its tensors are flat in main memory.

// REFUSED: Slow.Doubled: no kernel takes what its properties want
// ALLOWED: Slow.Doubled({{.*}} -> tensor<1x1x3x5xf32, #htp.place<flat, ddr>>
func.func @main(%x: tensor<1x1x3x5xf32>) -> tensor<1x1x3x5xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x1x3x5xf32>) -> tensor<1x1x3x5xf32>
  %1 = Slow.Doubled(%0) : (tensor<1x1x3x5xf32>) -> tensor<1x1x3x5xf32>
  %2 = htp.Reshape(%1) : (tensor<1x1x3x5xf32>) -> tensor<1x1x3x5xf32>
  func.return %2 : tensor<1x1x3x5xf32>
}
