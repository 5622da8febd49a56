// RUN: htp-opt %s -p htp-lower -t memory-report | filecheck %s

// The memory report of a lowered module: bytes moved beside their bound, and where each tensor is, from
// which op to which, and why there.

// CHECK: TCM 8,388,608 bytes, 3 ops to run
// CHECK: bytes between DDR and the chip {{.*}} 48 {{.*}} 48
// CHECK: nothing is spilled
// CHECK: x {{.*}} flat, ddr {{.*}} input 'x'
// CHECK: Relu@2 {{.*}} 2-3 {{.*}} 2048 flat, tcm {{.*}}memory_report.mlir:12:3 {{.*}}Relu wants its result tcm
func.func @main(%x: tensor<2x3xf32> {htp.name = "x"}) -> (tensor<2x3xf32> {htp.name = "y"}) {
  %0 = qti_aisw.Relu(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}
