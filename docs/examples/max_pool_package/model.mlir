func.func @main(%x: tensor<1x16x16x80xf32> {htp.name = "x"})
    -> (tensor<1x8x8x80xf32> {htp.name = "y"}) {
  %0 = qti_aisw.PoolMax2d(%x) {filter_size = array<i64: 2, 2>, stride = array<i64: 2, 2>}
    : (tensor<1x16x16x80xf32>) -> tensor<1x8x8x80xf32>
  func.return %0 : tensor<1x8x8x80xf32>
}
