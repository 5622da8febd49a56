func.func @numbers() {
  %0 = qti_aisw.Const dense<[0.0, -0.0, 1234567.0]> : tensor<3xf32> -> tensor<3xf32>
  %1 = qti_aisw.Const dense<0xFF800000> : tensor<2xf32> -> tensor<2xf32>
  %2 = qti_aisw.Const dense<[1.0, 0x7C00, 0x7E01]> : tensor<3xf16> -> tensor<3xf16>
  %3 = qti_aisw.Const dense<[1.0e-40, 3.4028234e38, 0.1]> : tensor<3xf32> -> tensor<3xf32>
  %4 = qti_aisw.Const dense<[0.1, 1.0e300]> : tensor<2xf64> -> tensor<2xf64>
  %5 = qti_aisw.Const dense<[1.5, -2.0]> : tensor<2xbf16> -> tensor<2xbf16>
  %6 = qti_aisw.Const dense<[true, false, true]> : tensor<3xi1> -> tensor<3xi1>
  %7 = qti_aisw.Const dense<"0x0D0F"> : tensor<12xi1> -> tensor<12xi1>
  %8 = qti_aisw.Const dense<[-8, 7]> : tensor<2xi4> -> tensor<2xi4>
  %9 = qti_aisw.Const dense<[18446744073709551615, 0]> : tensor<2xui64> -> tensor<2xui64>
  %10 = qti_aisw.Const dense<[-9223372036854775808, 9223372036854775807]> : tensor<2xi64> -> tensor<2xi64>
  %11 = qti_aisw.Const dense<[3.0, -6.0]> : tensor<2xf4E2M1FN> -> tensor<2xf4E2M1FN>
  %12 = qti_aisw.Const dense<[0x7F, 0xFF]> : tensor<2xf8E4M3FN> -> tensor<2xf8E4M3FN>
  %13 = qti_aisw.Const dense<> : tensor<0x3xf32> -> tensor<0x3xf32>
  %14 = qti_aisw.Const dense<2.0> : tensor<f32> -> tensor<f32>
  %15 = htp.Const dense<0x7F800000> : tensor<1x1x1x2xf32> -> tensor<1x1x1x2xf32>
  %16 = htp.Const dense<0.5> : tensor<1x1x1x8xf32> -> tensor<1x1x1x8xf32, #htp.place<flat, tcm, 256>>
  %17 = htp.Shape : !htp.shape<1x2x0x3>
  func.return
}
