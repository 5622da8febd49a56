// RUN: htp-opt %s -p 'dce,htp-lower{level=native}' --print-ir-after htp-fold,dce 2>&1 | filecheck %s --check-prefix AFTER
// RUN: htp-opt %s -p 'htp-lower{level=native}' --print-ir-before-all --filter-passes 'convert-*' 2>&1 | filecheck %s --check-prefix BEFORE
// RUN: htp-opt %s -p 'htp-lower{level=native}' --print-ir-after-change --filter-functions other 2>&1 | filecheck %s --check-prefix CHANGE
// RUN: htp-opt %s -p 'cse,htp-fold' --print-ir-before-change 2>&1 | filecheck %s --check-prefix SAME
// RUN: htp-opt %s -p 'cse,convert-qti-aisw-to-htp' --print-ir-diff --filter-functions other 2>&1 | filecheck %s --check-prefix DIFF
// RUN: htp-opt %s -p 'dce,cse,dce' --print-between-passes | filecheck %s --check-prefix BETWEEN
// RUN: not htp-opt %s -p dce --print-ir-after htp-fol 2>&1 | filecheck %s --check-prefix UNKNOWN
// RUN: not htp-opt %s -p dce --print-ir-after-all --filter-passes 'htx-*' 2>&1 | filecheck %s --check-prefix NONE

// The IR between passes goes to stderr: before or after those that are named, all, or those that
// change it; of some functions only, or what changed alone.

// AFTER:          // -----// IR Dump After dce //----- //
// AFTER:          // -----// IR Dump After htp-lower > htp-fold //----- //
// AFTER-NEXT:     builtin.module {
// AFTER-NOT:      IR Dump After htp-lower > cse
// AFTER:          // -----// IR Dump After htp-lower > dce //----- //

// BEFORE:         // -----// IR Dump Before htp-lower > convert-qti-aisw-to-htp //----- //
// BEFORE-NEXT:    builtin.module {
// BEFORE:         qti_aisw.Relu
// BEFORE-NOT:     // -----// IR Dump

// CHANGE-NOT:     // -----// IR Dump After htp-lower > htp-check-level
// CHANGE:         // -----// IR Dump After htp-lower > convert-qti-aisw-to-htp //----- //
// CHANGE-NEXT:    func.func @other
// CHANGE-NOT:     func.func @main
// CHANGE:         {{^}}builtin.module {

// SAME-NOT:       // -----// IR Dump

// DIFF-NOT:       IR Dump After cse
// DIFF:           // -----// IR Dump After convert-qti-aisw-to-htp //----- //
// DIFF-NEXT:      --- before
// DIFF-NEXT:      +++ after
// DIFF:           {{^}}-  %0 = qti_aisw.ElementWiseAbs
// DIFF:           {{^}}+  %{{.*}} = htp.ElementWiseAbs

// BETWEEN:        IR after dce:
// BETWEEN-NEXT:   builtin.module {
// BETWEEN:        IR after cse:
// BETWEEN-NOT:    IR after

// UNKNOWN:        --print-ir-after 'htp-fol': there is no such pass
// UNKNOWN-NEXT:   did you mean 'htp-fold'?

// NONE:           --filter-passes 'htx-*': there is no such pass
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = qti_aisw.Relu(%x) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
func.func @other(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = qti_aisw.ElementWiseAbs(%x) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
