// RUN: htp-opt %s -t stream-report --split-input-file | filecheck %s
// RUN: not htp-opt %s -p 'htp-lower{level=native}' -t stream-report --split-input-file 2>&1 | filecheck %s --check-prefix GRAPH

// The stream report of a model with Buffers: when each output runs, which frames it sees, how long
// a frame waits for it, and the bytes of state. Behind the dashes two Buffers let through every 2nd
// and every 4th inference: every other result of the first is lost where they join.

// CHECK:      output  runs              full               input  frames seen  latency  to a full one
// CHECK-NEXT: y       every 2nd from 4  every 2nd from 4   x      4                  3              3
// CHECK-NEXT: z       every from 1      every from 4       x      4                  0              3
// CHECK:      80 bytes of state
// CHECK:      Buffer0_content {{.*}} 4x2 float32
// CHECK:      no op joins different rates

// CHECK:      y {{.*}} every 4th from 4 {{.*}} 4 {{.*}} 3 {{.*}} 3
// CHECK:      qti_aisw.Concat at {{.*}}stream_report.mlir:29:3 (op 2): joins qti_aisw.Buffer at {{.*}}:27:3 (op 0) every 2nd from 2 and qti_aisw.Buffer at {{.*}}:28:3 (op 1) every 4th from 4, both every 4th from 4: results of one are lost

// GRAPH: mode BLOCKING cannot run on HTP
func.func @main(%x: tensor<1x2xf32> {htp.name = "x"}) -> (tensor<4x2xf32> {htp.name = "y"}, tensor<4x2xf32> {htp.name = "z"}) {
  %0 = qti_aisw.Buffer(%x) {buffer_dim = 0 : i64, buffer_size = 4 : i64, stride = 2 : i64} : (tensor<1x2xf32>) -> tensor<4x2xf32>
  %1 = qti_aisw.Buffer(%x) {buffer_dim = 0 : i64, buffer_size = 4 : i64, mode = #qti_aisw.buffer_mode<NON_BLOCKING_LEFT>} : (tensor<1x2xf32>) -> tensor<4x2xf32>
  func.return %0, %1 : tensor<4x2xf32>, tensor<4x2xf32>
}

// -----
func.func @main(%x: tensor<1xf32> {htp.name = "x"}) -> (tensor<6xf32> {htp.name = "y"}) {
  %0 = qti_aisw.Buffer(%x) {buffer_dim = 0 : i64, buffer_size = 2 : i64, stride = 2 : i64} : (tensor<1xf32>) -> tensor<2xf32>
  %1 = qti_aisw.Buffer(%x) {buffer_dim = 0 : i64, buffer_size = 4 : i64, stride = 4 : i64} : (tensor<1xf32>) -> tensor<4xf32>
  %2 = qti_aisw.Concat(%0, %1) {axis = 0 : i64} : (tensor<2xf32>, tensor<4xf32>) -> tensor<6xf32>
  func.return %2 : tensor<6xf32>
}
