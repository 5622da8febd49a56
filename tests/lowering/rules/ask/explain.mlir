// RUN: htp rules explain %s -p htp-rules --rule Relu | filecheck %s
// RUN: htp rules explain %s -p htp-rules --rule Relu@%%r | filecheck %s --check-prefix ONE
// RUN: htp rules explain %s -p htp-rules --rule Relu@r --format=json | filecheck %s --check-prefix JSON
// RUN: htp rules explain %s -p 'htp-rules{first=LATE}' --rule Relu | filecheck %s --check-prefix LATE
// RUN: not htp rules explain %s -p htp-rules --rule Relu@nobody 2>&1 | filecheck %s --check-prefix NOBODY
// RUN: htp rules explain %s -p htp-rules --rule Relu@%%d | filecheck %s --check-prefix OTHER
// RUN: not htp rules explain %s -p dce --rule Relu 2>&1 | filecheck %s --check-prefix IDLE
// RUN: not htp rules explain %s -p htp-rules --rule Rellu 2>&1 | filecheck %s --check-prefix UNKNOWN

// What is said about a rule says, op by op and by its place, whether it fires, and if not, why. The first activation
// is fused into its convolution; the second stands behind another op; the third shares its
// convolution with a reader.

// CHECK:      Relu ({{.*}}fusion.py:{{[0-9]+}}, 1st rule), pass group EARLY+2, Op("Relu", LET("C", ONE_OF(LET("ConvLayer_valid", Op("ConvLayer_valid", "A", "W", "S", "B")), {{.*}}Op("FullyConnected", "A", "W", "B")))):
// CHECK-NEXT:   {{.*}}explain.mlir:{{[0-9]+}}:3: %y = htp.Relu: fires
// CHECK-NEXT:   %r = htp.Relu: no match: input 0 is %n htp.Neg, the match has htp.ConvLayer_valid or htp.DepthwiseConvLayer_valid or htp.FullyConnected
// CHECK-NEXT:   %z = htp.Relu: refused: EXTERNAL_CONSTRAINT(only_use, "C"): "C" is %d htp.ConvLayer_valid 1x4x4x8 Float32; only_use: The outputs of the node's op are read once altogether.

// ONE:       Op("Relu", LET("C", ONE_OF(
// ONE-NEXT:    %r = htp.Relu: no match
// ONE-NOT:     htp.Relu

// JSON:      [
// JSON-NEXT:   {"rule": "Relu", "where": "{{.*}}", "nth": 1, "match": "Op(\"Relu\", {{.*}})", "function": "main", "value": "%r", "op": "htp.Relu", "outcome": "no match", "reason": "input 0 is %n htp.Neg, the match has htp.ConvLayer_valid or htp.DepthwiseConvLayer_valid or htp.FullyConnected", "from": ["{{.*}}explain.mlir:{{[0-9]+}}:3"]}
// JSON-NOT:    "value": "%y"
// JSON:      ]

// LATE:      pass group EARLY+2, Op("Relu"
// LATE-NEXT:   its pass group did not run

// NOBODY:      pass group EARLY+2, Op("Relu"
// NOBODY-NEXT:   there was no htp.Relu of 'nobody' when it ran
// NOBODY-NEXT: nobody: rules met no op of this name
// NOBODY-NEXT:   give a node of the model, a value of the text or LINE:COLUMN

// OTHER:       there was no htp.Relu of 'd' when it ran

// IDLE: explain: no pass of this run has rules

// UNKNOWN:      explain: no rule is called 'Rellu'
// UNKNOWN-NEXT:   did you mean 'Relu'?

func.func @main(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x8xf32>, %v: tensor<3x3x8x8xf32>) -> (tensor<1x4x4x8xf32>, tensor<1x4x4x8xf32>) {
  %0 = htp.Reshape(%x) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %1 = htp.Reshape(%w) : (tensor<3x3x4x8xf32>) -> tensor<3x3x4x8xf32>
  %2 = htp.Reshape(%v) : (tensor<3x3x8x8xf32>) -> tensor<3x3x8x8xf32>
  %s = htp.Shape : !htp.shape<1x1x1x1>
  %b = htp.Const dense<0.5> : tensor<1x1x1x8xf32> -> tensor<1x1x1x8xf32>
  %c = htp.ConvLayer_valid(%0, %1, %s, %b) : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>, !htp.shape<1x1x1x1>, tensor<1x1x1x8xf32>) -> tensor<1x6x6x8xf32>
  %y = htp.Relu(%c) : (tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  %n = htp.Neg(%y) : (tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  %r = htp.Relu(%n) : (tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  %d = htp.ConvLayer_valid(%r, %2, %s, %b) : (tensor<1x6x6x8xf32>, tensor<3x3x8x8xf32>, !htp.shape<1x1x1x1>, tensor<1x1x1x8xf32>) -> tensor<1x4x4x8xf32>
  %z = htp.Relu(%d) : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %3 = htp.Reshape(%d) : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %4 = htp.Reshape(%z) : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  func.return %3, %4 : tensor<1x4x4x8xf32>, tensor<1x4x4x8xf32>
}
