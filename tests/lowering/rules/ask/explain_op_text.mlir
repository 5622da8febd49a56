// RUN: htp rules explain %s -p 'htp-lower{level=native}' --op %%relu | filecheck %s
// RUN: htp rules explain %s -p 'htp-lower{level=native}' --op 24:3 | filecheck %s --check-prefixes PLACE,RELU
// RUN: htp rules explain %s -p 'htp-lower{level=native}' --op explain_op_text.mlir:24 | filecheck %s --check-prefix RELU
// RUN: htp rules explain %s -p 'htp-lower{level=native}' --rule Relu@relu | filecheck %s --check-prefix RULE
// RUN: not htp rules explain %s -p 'htp-lower{level=native}' --op 99:3 --op relo 2>&1 | filecheck %s --check-prefix NONE

// An op of a text is named by its result, or by its place. The ops that it became are meant, whatever
// they are called by then.

// CHECK:      {{^}}relu:
// CHECK-NOT:  htp.ConvLayer_valid,
// CHECK:      htp.Relu, EARLY+2 Relu ({{.*}}): refused: EXTERNAL_CONSTRAINT(only_use, "C")

// PLACE:      {{^}}24:3:
// RELU:       htp.Relu, EARLY+2 Relu ({{.*}}): refused: EXTERNAL_CONSTRAINT(only_use, "C")

// RULE:       explain_op_text.mlir:24:3: htp.Relu: refused: EXTERNAL_CONSTRAINT(only_use, "C"): "C" is {{.*}}explain_op_text.mlir:23:3 htp.ConvLayer_valid

// NONE:       99:3: rules met no op of this name; give a node of the model, a value of the text or LINE:COLUMN
// NONE:       relo: rules met no op of this name; did you mean
func.func @main(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x8xf32>)
    -> (tensor<1x6x6x8xf32>, tensor<1x6x6x8xf32>) {
  %conv = qti_aisw.Conv2d(%x, %w) : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x6x6x8xf32>
  %relu = qti_aisw.Relu(%conv) : (tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  func.return %conv, %relu : tensor<1x6x6x8xf32>, tensor<1x6x6x8xf32>
}
