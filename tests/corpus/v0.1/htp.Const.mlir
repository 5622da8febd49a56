builtin.module {
  func.func @native_0() {
    %0 = htp.Const dense<1.000000e+00> : tensor<1x1x1x1xf32> -> tensor<1x1x1x1xf32>
    func.return
  }
  func.func @placed_1() {
    %0 = htp.Const dense<1.000000e+00> : tensor<1x1x1x1xf32> -> tensor<1x1x1x1xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_2() {
    %0 = htp.Const dense<1.000000e+00> : tensor<1x1x1x1xf32> -> tensor<1x1x1x1xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_3() {
    %0 = htp.Const dense<[[[[64, 217, 150, 43, 226, 246, 248]]]]> : tensor<1x1x1x7xui8> -> tensor<1x1x1x7x!quant.uniform<u8:f32, 1.000000e-02:128>>
    func.return
  }
  func.func @placed_4() {
    %0 = htp.Const dense<[[[[64, 217, 150, 43, 226, 246, 248]]]]> : tensor<1x1x1x7xui8> -> tensor<1x1x1x7x!quant.uniform<u8:f32, 1.000000e-02:128>, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_5() {
    %0 = htp.Const dense<[[[[64, 217, 150, 43, 226, 246, 248]]]]> : tensor<1x1x1x7xui8> -> tensor<1x1x1x7x!quant.uniform<u8:f32, 1.000000e-02:128>, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_6() {
    %0 = htp.Const dense<1> : tensor<1x1x1x2xi32> -> tensor<1x1x1x2xi32>
    func.return
  }
  func.func @native_7() {
    %0 = htp.Const dense<0.000000e+00> : tensor<1x1x1x4xf16> -> tensor<1x1x1x4xf16>
    func.return
  }
  func.func @placed_8() {
    %0 = htp.Const dense<1> : tensor<1x1x1x2xi32> -> tensor<1x1x1x2xi32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @placed_9() {
    %0 = htp.Const dense<0.000000e+00> : tensor<1x1x1x4xf16> -> tensor<1x1x1x4xf16, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_10() {
    %0 = htp.Const dense<1> : tensor<1x1x1x2xi32> -> tensor<1x1x1x2xi32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_11() {
    %0 = htp.Const dense<0.000000e+00> : tensor<1x1x1x4xf16> -> tensor<1x1x1x4xf16, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_12() {
    %0 = htp.Const dense<0> : tensor<1x1x1x4xi32> -> tensor<1x1x1x4x!quant.uniform<i32:f32, 1.000000e+00>>
    func.return
  }
  func.func @placed_13() {
    %0 = htp.Const dense<0> : tensor<1x1x1x4xi32> -> tensor<1x1x1x4x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_14() {
    %0 = htp.Const dense<0> : tensor<1x1x1x4xi32> -> tensor<1x1x1x4x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_15() {
    %0 = htp.Const dense<[[[[false, false, false], [false, false, true]]]]> : tensor<1x1x2x3xi1> -> tensor<1x1x2x3xi1>
    func.return
  }
  func.func @native_16() {
    %0 = htp.Const dense<[[[[86, 96, 78], [46, -12, 12]]]]> : tensor<1x1x2x3xi8> -> tensor<1x1x2x3x!quant.uniform<i8:f32, 1.000000e-01:-3>>
    func.return
  }
  func.func @native_17() {
    %0 = htp.Const dense<[[[[11629, 36861, 33652], [43671, 30533, 21227]]]]> : tensor<1x1x2x3xui16> -> tensor<1x1x2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>>
    func.return
  }
  func.func @placed_18() {
    %0 = htp.Const dense<[[[[false, false, false], [false, false, true]]]]> : tensor<1x1x2x3xi1> -> tensor<1x1x2x3xi1, #htp.place<flat, ddr>>
    func.return
  }
  func.func @placed_19() {
    %0 = htp.Const dense<[[[[86, 96, 78], [46, -12, 12]]]]> : tensor<1x1x2x3xi8> -> tensor<1x1x2x3x!quant.uniform<i8:f32, 1.000000e-01:-3>, #htp.place<flat, ddr>>
    func.return
  }
  func.func @placed_20() {
    %0 = htp.Const dense<[[[[11629, 36861, 33652], [43671, 30533, 21227]]]]> : tensor<1x1x2x3xui16> -> tensor<1x1x2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_21() {
    %0 = htp.Const dense<[[[[false, false, false], [false, false, true]]]]> : tensor<1x1x2x3xi1> -> tensor<1x1x2x3xi1, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_22() {
    %0 = htp.Const dense<[[[[86, 96, 78], [46, -12, 12]]]]> : tensor<1x1x2x3xi8> -> tensor<1x1x2x3x!quant.uniform<i8:f32, 1.000000e-01:-3>, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_23() {
    %0 = htp.Const dense<[[[[11629, 36861, 33652], [43671, 30533, 21227]]]]> : tensor<1x1x2x3xui16> -> tensor<1x1x2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>, #htp.place<flat, ddr>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "native_0", function_type = () -> ()}> ({
    %0 = "htp.Const"() <{value = dense<1.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_1", function_type = () -> ()}> ({
    %0 = "htp.Const"() <{value = dense<1.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_2", function_type = () -> ()}> ({
    %0 = "htp.Const"() <{value = dense<1.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_3", function_type = () -> ()}> ({
    %0 = "htp.Const"() <{value = dense<[[[[64, 217, 150, 43, 226, 246, 248]]]]> : tensor<1x1x1x7xui8>}> : () -> tensor<1x1x1x7x!quant.uniform<u8:f32, 1.000000e-02:128>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_4", function_type = () -> ()}> ({
    %0 = "htp.Const"() <{value = dense<[[[[64, 217, 150, 43, 226, 246, 248]]]]> : tensor<1x1x1x7xui8>}> : () -> tensor<1x1x1x7x!quant.uniform<u8:f32, 1.000000e-02:128>, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_5", function_type = () -> ()}> ({
    %0 = "htp.Const"() <{value = dense<[[[[64, 217, 150, 43, 226, 246, 248]]]]> : tensor<1x1x1x7xui8>}> : () -> tensor<1x1x1x7x!quant.uniform<u8:f32, 1.000000e-02:128>, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_6", function_type = () -> ()}> ({
    %0 = "htp.Const"() <{value = dense<1> : tensor<1x1x1x2xi32>}> : () -> tensor<1x1x1x2xi32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_7", function_type = () -> ()}> ({
    %0 = "htp.Const"() <{value = dense<0.000000e+00> : tensor<1x1x1x4xf16>}> : () -> tensor<1x1x1x4xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_8", function_type = () -> ()}> ({
    %0 = "htp.Const"() <{value = dense<1> : tensor<1x1x1x2xi32>}> : () -> tensor<1x1x1x2xi32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_9", function_type = () -> ()}> ({
    %0 = "htp.Const"() <{value = dense<0.000000e+00> : tensor<1x1x1x4xf16>}> : () -> tensor<1x1x1x4xf16, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_10", function_type = () -> ()}> ({
    %0 = "htp.Const"() <{value = dense<1> : tensor<1x1x1x2xi32>}> : () -> tensor<1x1x1x2xi32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_11", function_type = () -> ()}> ({
    %0 = "htp.Const"() <{value = dense<0.000000e+00> : tensor<1x1x1x4xf16>}> : () -> tensor<1x1x1x4xf16, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_12", function_type = () -> ()}> ({
    %0 = "htp.Const"() <{value = dense<0> : tensor<1x1x1x4xi32>}> : () -> tensor<1x1x1x4x!quant.uniform<i32:f32, 1.000000e+00>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_13", function_type = () -> ()}> ({
    %0 = "htp.Const"() <{value = dense<0> : tensor<1x1x1x4xi32>}> : () -> tensor<1x1x1x4x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_14", function_type = () -> ()}> ({
    %0 = "htp.Const"() <{value = dense<0> : tensor<1x1x1x4xi32>}> : () -> tensor<1x1x1x4x!quant.uniform<i32:f32, 1.000000e+00>, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_15", function_type = () -> ()}> ({
    %0 = "htp.Const"() <{value = dense<[[[[false, false, false], [false, false, true]]]]> : tensor<1x1x2x3xi1>}> : () -> tensor<1x1x2x3xi1>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_16", function_type = () -> ()}> ({
    %0 = "htp.Const"() <{value = dense<[[[[86, 96, 78], [46, -12, 12]]]]> : tensor<1x1x2x3xi8>}> : () -> tensor<1x1x2x3x!quant.uniform<i8:f32, 1.000000e-01:-3>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_17", function_type = () -> ()}> ({
    %0 = "htp.Const"() <{value = dense<[[[[11629, 36861, 33652], [43671, 30533, 21227]]]]> : tensor<1x1x2x3xui16>}> : () -> tensor<1x1x2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_18", function_type = () -> ()}> ({
    %0 = "htp.Const"() <{value = dense<[[[[false, false, false], [false, false, true]]]]> : tensor<1x1x2x3xi1>}> : () -> tensor<1x1x2x3xi1, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_19", function_type = () -> ()}> ({
    %0 = "htp.Const"() <{value = dense<[[[[86, 96, 78], [46, -12, 12]]]]> : tensor<1x1x2x3xi8>}> : () -> tensor<1x1x2x3x!quant.uniform<i8:f32, 1.000000e-01:-3>, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_20", function_type = () -> ()}> ({
    %0 = "htp.Const"() <{value = dense<[[[[11629, 36861, 33652], [43671, 30533, 21227]]]]> : tensor<1x1x2x3xui16>}> : () -> tensor<1x1x2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_21", function_type = () -> ()}> ({
    %0 = "htp.Const"() <{value = dense<[[[[false, false, false], [false, false, true]]]]> : tensor<1x1x2x3xi1>}> : () -> tensor<1x1x2x3xi1, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_22", function_type = () -> ()}> ({
    %0 = "htp.Const"() <{value = dense<[[[[86, 96, 78], [46, -12, 12]]]]> : tensor<1x1x2x3xi8>}> : () -> tensor<1x1x2x3x!quant.uniform<i8:f32, 1.000000e-01:-3>, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_23", function_type = () -> ()}> ({
    %0 = "htp.Const"() <{value = dense<[[[[11629, 36861, 33652], [43671, 30533, 21227]]]]> : tensor<1x1x2x3xui16>}> : () -> tensor<1x1x2x3x!quant.uniform<u16:f32, 5.000000e-04:30000>, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
