// RUN: htp show op htp.Softmax | filecheck %s
// RUN: not htp show op htp.Sofmax 2>&1 | filecheck %s --check-prefix UNKNOWN

// What the packages in use have for an op: kernels, tensor properties, params with their defaults, and
// the rules that match it.

// CHECK: htp.Softmax(in, axis, beta)
// CHECK:   kernels:
// CHECK:     reference(out: Tensor or {{.*}}), cost GLACIAL
// CHECK:   tensor properties:
// CHECK:     in: {{.*}}tcm
// CHECK:   param order:
// CHECK:     beta
// CHECK:   rules that match it:
// CHECK:     TILING: tile Softmax along H

// UNKNOWN:      op 'htp.Sofmax': no package in use has it
// UNKNOWN-NEXT:   did you mean 'htp.Softmax'
