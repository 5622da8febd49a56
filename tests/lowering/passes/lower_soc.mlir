// RUN: htp-opt %s -p 'htp-lower{soc=SM8350}' | filecheck %s --check-prefix SOC
// RUN: htp-opt %s -p 'htp-lower{soc=SM8350 tcm-bytes=1048576}' | filecheck %s --check-prefix BYTES

// The SoC gives the size of the TCM, which the lowered module states; `tcm-bytes` overrides it.

// SOC:   builtin.module attributes {htp.tcm_bytes = 4194304 : i64}
// BYTES: builtin.module attributes {htp.tcm_bytes = 1048576 : i64}
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = qti_aisw.Relu(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}
