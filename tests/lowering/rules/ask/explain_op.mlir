// RUN: not htp rules explain %s -p 'htp-lower{level=native}' --op activate --op other 2>&1 | filecheck %s
// RUN: htp rules explain %s -p 'htp-lower{level=native}' --rule Relu@activate | filecheck %s --check-prefix RULE
// RUN: htp rules explain %s -p 'htp-lower{level=native}' --op activate --format=json | filecheck %s --check-prefix JSON
// RUN: not htp rules explain %s -p 'htp-lower{level=native}' --op activat 2>&1 | filecheck %s --check-prefix CLOSE
// RUN: not htp rules explain %s -p 'htp-lower{level=native}' --op Act 2>&1 | filecheck %s --check-prefix PART

// Every rule that begins with an op of a node of the model, and why it fired there or not. Values
// have the names of their nodes, at every level.

// CHECK:          {{^}}activate:
// CHECK-NEXT:     htp.Reshape, QNN+{{[0-9]+}} Reshape {{.*}}: no match: it carries the signature of the function, at its boundary
// CHECK:          htp.Relu, EARLY+2 Relu ({{.*}}lowering/patterns/fusion.py:{{[0-9]+}}, 1st rule): no match: input 0 is 'pool' htp.MaxPool_valid, the match has htp.ConvLayer_valid
// CHECK:          {{^}}other: rules met no op of this name

// RULE:           'activate' = htp.Relu: no match: input 0 is 'pool' htp.MaxPool_valid

// JSON:           "value": "'activate'", "op": "htp.Relu", "outcome": "no match"

// CLOSE:          activat: rules met no op of this name
// CLOSE-NEXT:     did you mean 'activate'?
// PART:           Act: rules met no op of this name
// PART-NEXT:      did you mean 'activate'?
func.func @main(%x: tensor<1x8x8x4xf32>) -> tensor<1x7x7x4xf32> {
  %0 = qti_aisw.PoolMax2d(%x) {filter_size = array<i64: 2, 2>, htp.name = "pool"} : (tensor<1x8x8x4xf32>) -> tensor<1x7x7x4xf32>
  %1 = qti_aisw.Relu(%0) {htp.name = "activate"} : (tensor<1x7x7x4xf32>) -> tensor<1x7x7x4xf32>
  func.return %1 : tensor<1x7x7x4xf32>
}
