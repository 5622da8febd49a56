// RUN: htp-opt %s --package %S/scratch_package.py -p 'htp-lower{tcm-bytes=6144}' | filecheck %s
// RUN: not htp-opt %s --package %S/scratch_package.py -p 'htp-lower{tcm-bytes=4096}' 2>&1 | filecheck %s --check-prefix SMALL

// Scratch in TCM has an offset that no tensor of its op has, and the scratch of the next op has it
// again; scratch in main memory has none. Where it does not fit the error counts it in.

func.func @main(%x: tensor<1x3x5x7xf32> {htp.name = "x"}) -> (tensor<1x3x5x7xf32> {htp.name = "y"}) {
  %0 = qti_aisw.Sigmoid(%x) : (tensor<1x3x5x7xf32>) -> tensor<1x3x5x7xf32>
  %1 = qti_aisw.Sigmoid(%0) : (tensor<1x3x5x7xf32>) -> tensor<1x3x5x7xf32>
  func.return %1 : tensor<1x3x5x7xf32>
}

// CHECK:      ScratchPkg.Damp(%{{.*}}) {kernel = "rows.PlainFloatTensor_TCM",
// CHECK-SAME: scratch = [tensor<1x3x5x7xf32, #htp.place<flat, tcm, [[OWN:.*]]>>, tensor<1x3x5x1xf32, #htp.place<flat, ddr>>]}
// CHECK-SAME: (tensor<1x3x5x7xf32, #htp.place<flat, tcm, [[ONE:.*]]>>) -> tensor<1x3x5x7xf32, #htp.place<flat, tcm, [[TWO:.*]]>>
// CHECK-NEXT: ScratchPkg.Damp(%{{.*}}) {kernel = "rows.PlainFloatTensor_TCM",
// CHECK-SAME: scratch = [tensor<1x3x5x7xf32, #htp.place<flat, tcm, [[OWN]]>>, tensor<1x3x5x1xf32, #htp.place<flat, ddr>>]}
// CHECK-SAME: (tensor<1x3x5x7xf32, #htp.place<flat, tcm, [[TWO]]>>) -> tensor<1x3x5x7xf32, #htp.place<flat, tcm, [[ONE]]>>

// SMALL: ScratchPkg.Damp: needs 6144 bytes of TCM, there are 4096: 'in' 2048, 'result 0' 2048, scratch 'squares' 2048
