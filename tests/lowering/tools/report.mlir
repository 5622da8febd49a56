// RUN: htp-opt %s -p 'htp-lower{level=native}' -t report | filecheck %s
// RUN: htp-opt %s -p htp-lower -t report | filecheck %s --check-prefix MEMORY
// RUN: not htp-opt %s -t 'report{colour=true}' 2>&1 | filecheck %s --check-prefix BAD

// The page about a lowering: its tables stand in the page itself, so that it shows them at once. What
// each opens to is data for its script.

// CHECK: <title>Lowering of report.mlir</title>
// CHECK: rules that fired{{.*}}>1 of
// CHECK: <section id='passes'
// CHECK: htp-lower{level=native}</code>
// CHECK: <ins>+{{[0-9]+}}</ins>{{.*}}convert-qti-aisw-to-htp</code>
// CHECK: <h3>Fired</h3>
// CHECK: 1 fired{{.*}}<code>ElementWiseNeg</code>{{.*}}lowering/patterns/
// CHECK: <h3>Did not fire</h3>
// CHECK: Offsets in TCM are known once a module is at the allocated level.

// MEMORY: TCM at the peak
// MEMORY: <th>Neg</th>
// MEMORY: <canvas id='tcm'

// BAD: target 'report'
func.func @main(%x: tensor<2x3xf32> {htp.name = "x"}) -> (tensor<2x3xf32> {htp.name = "y"}) {
  %0 = qti_aisw.ElementWiseNeg(%x) {htp.name = "act"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}
