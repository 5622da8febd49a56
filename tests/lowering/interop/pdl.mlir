// RUN: htp-opt %s -t 'pdl-module{rules=ReluMinMax}' | filecheck %s
// RUN: htp-opt -t 'pdl{rules=Slice_shape}' -o %t.pdl.mlir
// RUN: htp-opt %s -p 'apply-pdl{pdl-file=%t.pdl.mlir},dce' | filecheck %s --check-prefix APPLIED
// RUN: htp-opt -t pdl | filecheck %s --check-prefix ALL
// RUN: not htp-opt -t 'pdl{rules=Gelu}' 2>&1 | filecheck %s --check-prefix UNSAID

// A rule as a pattern in PDL, with a module that mlir-opt --test-pdl-bytecode-pass rewrites by it.

// CHECK:       builtin.module @patterns {
// CHECK:       pdl.pattern @relu_min_max_0 : benefit(1) {
// CHECK-NEXT:    [[ROOT:%.+]] = pdl.type
// CHECK-NEXT:    [[T0:%.+]] = pdl.type
// CHECK-NEXT:    [[A:%.+]] = pdl.operand : [[T0]]
// CHECK:         [[OP:%.+]] = pdl.operation "htp.ReluMinMax"([[A]], {{.*}} -> ([[ROOT]] : !pdl.type)
// CHECK:         pdl.rewrite [[OP]] {
// CHECK-NEXT:      [[NEW:%.+]] = pdl.operation "htp.Clamp"([[A]], {{.*}} -> ([[ROOT]] : !pdl.type)
// CHECK-NEXT:      [[OUT:%.+]] = pdl.result 0 of [[NEW]]
// CHECK-NEXT:      pdl.replace [[OP]] with ([[OUT]] : !pdl.value)
// CHECK:       "builtin.module"() <{sym_name = "ir"}> ({
// CHECK:         "htp.Slice_shape"

// xDSL's interpreter runs it, too: a slice of everything goes.
// APPLIED:       [[X:%.+]] = htp.Reshape
// APPLIED-NEXT:  htp.Reshape([[X]])

// ALL:       // {{[0-9]+}} of {{[0-9]+}} rules.
// ALL:       // {{[0-9]+}} left out: its constraint asks CONSTVAL_INT.
// ALL:       pdl.pattern @element_wise_abs_0

// UNSAID:      Gelu {{.*}}: PDL cannot say it: its constraint asks the Python function only_use
func.func @main(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %s = htp.Shape : !htp.shape<0x0x0x0>
  %n = htp.Shape : !htp.shape<1x2x3x4>
  %1 = htp.Slice_shape(%0, %s, %n) : (tensor<1x2x3x4xf32>, !htp.shape<0x0x0x0>, !htp.shape<1x2x3x4>) -> tensor<1x2x3x4xf32>
  %2 = htp.Reshape(%1) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  func.return %2 : tensor<1x2x3x4xf32>
}
