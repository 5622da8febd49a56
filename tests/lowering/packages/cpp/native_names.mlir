// RUN: htp-opt %s --package %S/native_names.cpp -p 'htp-lower{level=native}' | filecheck %s
// RUN: htp rules lint --package %S/native_names.cpp | filecheck %s --check-prefix LINT
// RUN: htp show op --package %S/native_names.cpp Decimate | filecheck %s --check-prefix SHOW

// Native ops that a package names and that have no class of their own: they are built, matched and
// printed like others. Copies that meet between the three Twice are taken out by a rule that
// matches them; what the kernels take says where these tensors are.

// CHECK: htp.Relu.tcm
// CHECK: htp.Requantize
// CHECK: Names.Twice.fast
// CHECK-NEXT: Names.Twice.fast(%{{.*}}) {htp.by_hand = [unit, unit]}
// CHECK-NEXT: Names.Twice.fast
// CHECK: htp.Decimate(%{{.*}}, %{{.*}}, %{{.*}}) : {{.*}}, !htp.shape<1x1x1x1>)

// LINT: q::Neg ({{.*}}): not linted in full: htp.Decimate is known by name only
// LINT: 6 rules of Names are clean

// SHOW: htp.Decimate(values...)
// SHOW: unknown(out: Tensor, *values: Tensor)
// SHOW: LATE: q::Neg

!u8 = tensor<1x8x8x32x!quant.uniform<u8:f32, 0.05:128>>
!wide = tensor<1x8x8x32x!quant.uniform<u8:f32, 0.07:128>>
!f32 = tensor<1x8x8x32xf32>
func.func @main(%x: !f32 {htp.name = "x"}, %q: !u8 {htp.name = "q"})
    -> (!f32 {htp.name = "a"}, !wide {htp.name = "b"}, !f32 {htp.name = "c"}, !f32 {htp.name = "d"}) {
  %a = qti_aisw.Relu(%x) : (!f32) -> !f32
  %f = qti_aisw.Dequantize(%q) : (!u8) -> !f32
  %b = qti_aisw.Quantize(%f) {to = !quant.uniform<u8:f32, 0.07:128>} : (!f32) -> !wide
  %t = qti_aisw.Custom(%x) {op_type = "Twice", package = "Names", params = {}} : (!f32) -> !f32
  %u = qti_aisw.Custom(%t) {op_type = "Twice", package = "Names", params = {}} : (!f32) -> !f32
  %c = qti_aisw.Custom(%u) {op_type = "Twice", package = "Names", params = {}} : (!f32) -> !f32
  %d = qti_aisw.ElementWiseNeg(%x) : (!f32) -> !f32
  func.return %a, %b, %c, %d : !f32, !wide, !f32, !f32
}
