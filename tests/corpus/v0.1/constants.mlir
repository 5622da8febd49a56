builtin.module {
  func.func @numbers() {
    %0 = qti_aisw.Const dense<[0.000000e+00, -0.000000e+00, 1234567.0]> : tensor<3xf32> -> tensor<3xf32>
    %1 = qti_aisw.Const dense<"0x000080FF"> : tensor<2xf32> -> tensor<2xf32>
    %2 = qti_aisw.Const dense<"0x003C007C017E"> : tensor<3xf16> -> tensor<3xf16>
    %3 = qti_aisw.Const dense<[9.999950e-41, 3.40282347e+38, 1.000000e-01]> : tensor<3xf32> -> tensor<3xf32>
    %4 = qti_aisw.Const dense<[1.000000e-01, 1.000000e+300]> : tensor<2xf64> -> tensor<2xf64>
    %5 = qti_aisw.Const dense<[1.500000e+00, -2.000000e+00]> : tensor<2xbf16> -> tensor<2xbf16>
    %6 = qti_aisw.Const dense<[true, false, true]> : tensor<3xi1> -> tensor<3xi1>
    %7 = qti_aisw.Const dense<[true, false, true, true, false, false, false, false, true, true, true, true]> : tensor<12xi1> -> tensor<12xi1>
    %8 = qti_aisw.Const dense<[-8, 7]> : tensor<2xi4> -> tensor<2xi4>
    %9 = qti_aisw.Const dense<[18446744073709551615, 0]> : tensor<2xui64> -> tensor<2xui64>
    %10 = qti_aisw.Const dense<[-9223372036854775808, 9223372036854775807]> : tensor<2xi64> -> tensor<2xi64>
    %11 = qti_aisw.Const dense<[3.000000e+00, -6.000000e+00]> : tensor<2xf4E2M1FN> -> tensor<2xf4E2M1FN>
    %12 = qti_aisw.Const dense<"0x7FFF"> : tensor<2xf8E4M3FN> -> tensor<2xf8E4M3FN>
    %13 = qti_aisw.Const dense<> : tensor<0x3xf32> -> tensor<0x3xf32>
    %14 = qti_aisw.Const dense<2.000000e+00> : tensor<f32> -> tensor<f32>
    %15 = htp.Const dense<"0x0000807F"> : tensor<1x1x1x2xf32> -> tensor<1x1x1x2xf32>
    %16 = htp.Const dense<5.000000e-01> : tensor<1x1x1x8xf32> -> tensor<1x1x1x8xf32, #htp.place<flat, tcm, 256>>
    %17 = htp.Shape : !htp.shape<1x2x0x3>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "numbers", function_type = () -> ()}> ({
    %0 = "qti_aisw.Const"() <{value = dense<[0.000000e+00, -0.000000e+00, 1234567.0]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %1 = "qti_aisw.Const"() <{value = dense<"0x000080FF"> : tensor<2xf32>}> : () -> tensor<2xf32>
    %2 = "qti_aisw.Const"() <{value = dense<"0x003C007C017E"> : tensor<3xf16>}> : () -> tensor<3xf16>
    %3 = "qti_aisw.Const"() <{value = dense<[9.999950e-41, 3.40282347e+38, 1.000000e-01]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %4 = "qti_aisw.Const"() <{value = dense<[1.000000e-01, 1.000000e+300]> : tensor<2xf64>}> : () -> tensor<2xf64>
    %5 = "qti_aisw.Const"() <{value = dense<[1.500000e+00, -2.000000e+00]> : tensor<2xbf16>}> : () -> tensor<2xbf16>
    %6 = "qti_aisw.Const"() <{value = dense<[true, false, true]> : tensor<3xi1>}> : () -> tensor<3xi1>
    %7 = "qti_aisw.Const"() <{value = dense<[true, false, true, true, false, false, false, false, true, true, true, true]> : tensor<12xi1>}> : () -> tensor<12xi1>
    %8 = "qti_aisw.Const"() <{value = dense<[-8, 7]> : tensor<2xi4>}> : () -> tensor<2xi4>
    %9 = "qti_aisw.Const"() <{value = dense<[18446744073709551615, 0]> : tensor<2xui64>}> : () -> tensor<2xui64>
    %10 = "qti_aisw.Const"() <{value = dense<[-9223372036854775808, 9223372036854775807]> : tensor<2xi64>}> : () -> tensor<2xi64>
    %11 = "qti_aisw.Const"() <{value = dense<[3.000000e+00, -6.000000e+00]> : tensor<2xf4E2M1FN>}> : () -> tensor<2xf4E2M1FN>
    %12 = "qti_aisw.Const"() <{value = dense<"0x7FFF"> : tensor<2xf8E4M3FN>}> : () -> tensor<2xf8E4M3FN>
    %13 = "qti_aisw.Const"() <{value = dense<> : tensor<0x3xf32>}> : () -> tensor<0x3xf32>
    %14 = "qti_aisw.Const"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %15 = "htp.Const"() <{value = dense<"0x0000807F"> : tensor<1x1x1x2xf32>}> : () -> tensor<1x1x1x2xf32>
    %16 = "htp.Const"() <{value = dense<5.000000e-01> : tensor<1x1x1x8xf32>}> : () -> tensor<1x1x1x8xf32, #htp.place<flat, tcm, 256>>
    %17 = "htp.Shape"() : () -> !htp.shape<1x2x0x3>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
