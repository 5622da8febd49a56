// RUN: htp stream %s %S/ramp.npy 2>&1 | filecheck %s
// RUN: htp stream %s %S/ramp.npy --hop 1 --json | filecheck %s --check-prefix HOP
// RUN: not htp stream %s %S/ramp.wave 2>&1 | filecheck %s --check-prefix SUFFIX

// htp stream cuts the samples of a file, here 1 to 7, into frames of the size of the
// input and prints the results as they come. A step in which no output runs prints nothing.

// CHECK:      step 1: y 1 2 3 4
// CHECK-NEXT: step 2: y 3 4 5 6
// CHECK-NEXT: the last sample makes no whole frame

// HOP:      {"step": 1, "outputs": {"y": [[1.0, 2.0], [2.0, 3.0]]}}
// HOP-NEXT: {"step": 2, "outputs": {"y": [[2.0, 3.0], [3.0, 4.0]]}}

// SUFFIX:      ramp.wave' is no .wav or .npy file
// SUFFIX-NEXT: give one, or -; the model stands before it

func.func @main(%x: tensor<1x2xf32> {htp.name = "x"}) -> (tensor<2x2xf32> {htp.name = "y"}) {
  %0 = qti_aisw.Buffer(%x) {buffer_dim = 0 : i64, buffer_size = 2 : i64} : (tensor<1x2xf32>) -> tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}
