// RUN: htp-opt %s --resources %t --resources-above 3 | filecheck %s
// RUN: htp-opt %s --resources %t --resources-above 3 | htp-opt --resources-from %t | filecheck %s --check-prefix WHOLE
// RUN: htp-opt %s --resources %t --resources-above 4 | filecheck %s --check-prefix SHORT

// `--resources` writes constants of more than so many elements into a file, and handles into the text, which
// names the file and its digest. Reading the text maps the file; splats stay where they are.

// CHECK:      builtin.module attributes {htp.resources = {file = "{{.*}}", sha256 = "{{[0-9a-f]+}}"}}
// CHECK:      qti_aisw.Const dense_resource<constant_0> : tensor<4xf32> -> tensor<4xf32>
// CHECK:      qti_aisw.Const dense<1.500000e+00> : tensor<4xf32>
// WHOLE-NOT:  htp.resources
// WHOLE:      qti_aisw.Const dense<[1.500000e+00, 2.500000e+00, 3.500000e+00, 4.500000e+00]> : tensor<4xf32>
// SHORT:      qti_aisw.Const dense<[
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %w = qti_aisw.Const dense<[1.5, 2.5, 3.5, 4.5]> : tensor<4xf32> -> tensor<4xf32>
  %b = qti_aisw.Const dense<1.5> : tensor<4xf32> -> tensor<4xf32>
  %0 = qti_aisw.ElementWiseMultiply(%x, %w) : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %1 = qti_aisw.ElementWiseAdd(%0, %b) : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  func.return %1 : tensor<2x4xf32>
}
