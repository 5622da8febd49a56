builtin.module {
  htp.State @state_0 : tensor<1x1x2x4xf32>
  func.func @native_0(%0: tensor<1x1x2x4xf32>) {
    htp.StateWrite @state_0, %0 : tensor<1x1x2x4xf32>
    func.return
  }
  htp.State @state_1 : tensor<1x1x2x4xf16>
  func.func @native_1(%0: tensor<1x1x2x4xf16>) {
    htp.StateWrite @state_1, %0 : tensor<1x1x2x4xf16>
    func.return
  }
  htp.State @state_2 : tensor<1x1x2x4xf32>
  func.func @placed_2(%0: tensor<1x1x2x4xf32, #htp.place<flat, ddr>>) {
    htp.StateWrite @state_2, %0 : tensor<1x1x2x4xf32, #htp.place<flat, ddr>>
    func.return
  }
  htp.State @state_3 : tensor<1x1x2x4xf16>
  func.func @placed_3(%0: tensor<1x1x2x4xf16, #htp.place<flat, ddr>>) {
    htp.StateWrite @state_3, %0 : tensor<1x1x2x4xf16, #htp.place<flat, ddr>>
    func.return
  }
  htp.State @state_4 : tensor<1x1x2x4xf32>
  func.func @allocated_4(%0: tensor<1x1x2x4xf32, #htp.place<flat, ddr>>) {
    htp.StateWrite @state_4, %0 : tensor<1x1x2x4xf32, #htp.place<flat, ddr>>
    func.return
  }
  htp.State @state_5 : tensor<1x1x2x4xf16>
  func.func @allocated_5(%0: tensor<1x1x2x4xf16, #htp.place<flat, ddr>>) {
    htp.StateWrite @state_5, %0 : tensor<1x1x2x4xf16, #htp.place<flat, ddr>>
    func.return
  }
  htp.State @state_6 : tensor<1x1x1x2xi32>
  func.func @native_6(%0: tensor<1x1x1x2xi32>) {
    htp.StateWrite @state_6, %0 : tensor<1x1x1x2xi32>
    func.return
  }
  htp.State @state_7 : tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>>
  func.func @native_7(%0: tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>>) {
    htp.StateWrite @state_7, %0 : tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>>
    func.return
  }
  htp.State @state_8 : tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>
  func.func @native_8(%0: tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>) {
    htp.StateWrite @state_8, %0 : tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>
    func.return
  }
  htp.State @state_9 : tensor<1x1x1x2xi32>
  func.func @placed_9(%0: tensor<1x1x1x2xi32, #htp.place<flat, ddr>>) {
    htp.StateWrite @state_9, %0 : tensor<1x1x1x2xi32, #htp.place<flat, ddr>>
    func.return
  }
  htp.State @state_10 : tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>>
  func.func @placed_10(%0: tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>) {
    htp.StateWrite @state_10, %0 : tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
    func.return
  }
  htp.State @state_11 : tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>
  func.func @placed_11(%0: tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>) {
    htp.StateWrite @state_11, %0 : tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>
    func.return
  }
  htp.State @state_12 : tensor<1x1x1x2xi32>
  func.func @allocated_12(%0: tensor<1x1x1x2xi32, #htp.place<flat, ddr>>) {
    htp.StateWrite @state_12, %0 : tensor<1x1x1x2xi32, #htp.place<flat, ddr>>
    func.return
  }
  htp.State @state_13 : tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>>
  func.func @allocated_13(%0: tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>) {
    htp.StateWrite @state_13, %0 : tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
    func.return
  }
  htp.State @state_14 : tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>
  func.func @allocated_14(%0: tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>) {
    htp.StateWrite @state_14, %0 : tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "htp.State"() <{sym_name = "state_0", type = tensor<1x1x2x4xf32>}> : () -> ()
  "func.func"() <{sym_name = "native_0", function_type = (tensor<1x1x2x4xf32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x4xf32>):
    "htp.StateWrite"(%0) <{state = @state_0}> : (tensor<1x1x2x4xf32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "htp.State"() <{sym_name = "state_1", type = tensor<1x1x2x4xf16>}> : () -> ()
  "func.func"() <{sym_name = "native_1", function_type = (tensor<1x1x2x4xf16>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x4xf16>):
    "htp.StateWrite"(%0) <{state = @state_1}> : (tensor<1x1x2x4xf16>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "htp.State"() <{sym_name = "state_2", type = tensor<1x1x2x4xf32>}> : () -> ()
  "func.func"() <{sym_name = "placed_2", function_type = (tensor<1x1x2x4xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x4xf32, #htp.place<flat, ddr>>):
    "htp.StateWrite"(%0) <{state = @state_2}> : (tensor<1x1x2x4xf32, #htp.place<flat, ddr>>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "htp.State"() <{sym_name = "state_3", type = tensor<1x1x2x4xf16>}> : () -> ()
  "func.func"() <{sym_name = "placed_3", function_type = (tensor<1x1x2x4xf16, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x4xf16, #htp.place<flat, ddr>>):
    "htp.StateWrite"(%0) <{state = @state_3}> : (tensor<1x1x2x4xf16, #htp.place<flat, ddr>>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "htp.State"() <{sym_name = "state_4", type = tensor<1x1x2x4xf32>}> : () -> ()
  "func.func"() <{sym_name = "allocated_4", function_type = (tensor<1x1x2x4xf32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x4xf32, #htp.place<flat, ddr>>):
    "htp.StateWrite"(%0) <{state = @state_4}> : (tensor<1x1x2x4xf32, #htp.place<flat, ddr>>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "htp.State"() <{sym_name = "state_5", type = tensor<1x1x2x4xf16>}> : () -> ()
  "func.func"() <{sym_name = "allocated_5", function_type = (tensor<1x1x2x4xf16, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x4xf16, #htp.place<flat, ddr>>):
    "htp.StateWrite"(%0) <{state = @state_5}> : (tensor<1x1x2x4xf16, #htp.place<flat, ddr>>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "htp.State"() <{sym_name = "state_6", type = tensor<1x1x1x2xi32>}> : () -> ()
  "func.func"() <{sym_name = "native_6", function_type = (tensor<1x1x1x2xi32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x1x2xi32>):
    "htp.StateWrite"(%0) <{state = @state_6}> : (tensor<1x1x1x2xi32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "htp.State"() <{sym_name = "state_7", type = tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>>}> : () -> ()
  "func.func"() <{sym_name = "native_7", function_type = (tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>>):
    "htp.StateWrite"(%0) <{state = @state_7}> : (tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "htp.State"() <{sym_name = "state_8", type = tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>}> : () -> ()
  "func.func"() <{sym_name = "native_8", function_type = (tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>):
    "htp.StateWrite"(%0) <{state = @state_8}> : (tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "htp.State"() <{sym_name = "state_9", type = tensor<1x1x1x2xi32>}> : () -> ()
  "func.func"() <{sym_name = "placed_9", function_type = (tensor<1x1x1x2xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x1x2xi32, #htp.place<flat, ddr>>):
    "htp.StateWrite"(%0) <{state = @state_9}> : (tensor<1x1x1x2xi32, #htp.place<flat, ddr>>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "htp.State"() <{sym_name = "state_10", type = tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>>}> : () -> ()
  "func.func"() <{sym_name = "placed_10", function_type = (tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>):
    "htp.StateWrite"(%0) <{state = @state_10}> : (tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "htp.State"() <{sym_name = "state_11", type = tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>}> : () -> ()
  "func.func"() <{sym_name = "placed_11", function_type = (tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>):
    "htp.StateWrite"(%0) <{state = @state_11}> : (tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "htp.State"() <{sym_name = "state_12", type = tensor<1x1x1x2xi32>}> : () -> ()
  "func.func"() <{sym_name = "allocated_12", function_type = (tensor<1x1x1x2xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x1x2xi32, #htp.place<flat, ddr>>):
    "htp.StateWrite"(%0) <{state = @state_12}> : (tensor<1x1x1x2xi32, #htp.place<flat, ddr>>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "htp.State"() <{sym_name = "state_13", type = tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>>}> : () -> ()
  "func.func"() <{sym_name = "allocated_13", function_type = (tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>):
    "htp.StateWrite"(%0) <{state = @state_13}> : (tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "htp.State"() <{sym_name = "state_14", type = tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>}> : () -> ()
  "func.func"() <{sym_name = "allocated_14", function_type = (tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>):
    "htp.StateWrite"(%0) <{state = @state_14}> : (tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
