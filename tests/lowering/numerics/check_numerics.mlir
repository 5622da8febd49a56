// RUN: not htp numerics %s --package %S/wrong_package.py -p htp-lower --numerics-dir %t 2>&1 | filecheck %s
// RUN: htp-opt %t/before.mlir | filecheck %s --check-prefix BEFORE
// RUN: htp-opt %t/after.mlir | filecheck %s --check-prefix AFTER
// RUN: not htp compare %t/after.mlir %t/before.mlir -i %t/inputs.npz | filecheck %s --check-prefix AGAIN
// RUN: htp numerics %s -p htp-lower 2>&1 | filecheck %s --check-prefix RIGHT
// RUN: htp numerics %s -p canonicalize 2>&1 | filecheck %s --check-prefix PASS
// RUN: not htp numerics %s 2>&1 | filecheck %s --check-prefix IDLE

// The module runs behind every pass and pass group. The first that gives other numbers is named, then
// the firing of a rule, then the op; two small modules show it.

// CHECK:      pass htp-lower > htp-rules{first=EARLY last=TILING-1}, group EARLY, firing 2 at htp.Abs from {{.*}}check_numerics.mlir:{{[0-9]+}}:3 of rule wrong ({{.*}}wrong_package.py:{{[0-9]+}}): {{.*}}check_numerics.mlir:{{[0-9]+}}:3: htp.Relu 'sizes' (kernel {{.*}}) differs by {{[0-9.]+}} at [0, {{.*}}] of 1x2x2x8: 0 is not {{[0-9.]+}}; allowed is {{.*}}; output 'y' then by {{[0-9.]+}}
// CHECK-NEXT: repeat it: htp compare {{.*}}after.mlir {{.*}}before.mlir -i {{.*}}inputs.npz --package {{.*}}wrong_package.py

// BEFORE:      func.func @main(%[[X:[0-9]+]]: tensor<1x2x2x8xf32> {htp.name = "in0"}
// BEFORE-NEXT:   %[[Y:[0-9]+]] = htp.Abs(%[[X]])
// BEFORE-NEXT:   func.return %[[Y]]
// AFTER:       htp.Relu
// AFTER-NEXT:  func.return

// AGAIN:      {{^ +}}error {{.*}} tensor
// AGAIN-NEXT: {{^}}differs {{.*}} of 1x2x2x8  value

// RIGHT:      numbers agree behind {{[0-9]+}} passes{{.*}} and {{[0-9]+}} pass group, over 1 inference; the largest error is {{.*}} of what is allowed
// PASS:       numbers agree behind 1 pass (1 changed nothing), over 1 inference;
// IDLE:       htp numerics: runs the module after every pass, and -p names none
func.func @main(%x: tensor<1x2x2x8xf32> {htp.name = "x"}) -> (tensor<1x2x2x8xf32> {htp.name = "y"}) {
  %0 = qti_aisw.ElementWiseNeg(%x) : (tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
  %1 = qti_aisw.ElementWiseNeg(%0) : (tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
  %2 = qti_aisw.ElementWiseAbs(%1) {htp.name = "sizes"} : (tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
  func.return %2 : tensor<1x2x2x8xf32>
}
