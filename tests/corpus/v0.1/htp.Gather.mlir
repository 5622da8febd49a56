builtin.module {
  func.func @native_0(%0: tensor<1x1x100x32xf32>, %1: tensor<1x1x1x5xi32>, %2: tensor<1x1x1x1xi32>) {
    %r = htp.Gather(%0, %1, %2) : (tensor<1x1x100x32xf32>, tensor<1x1x1x5xi32>, tensor<1x1x1x1xi32>) -> tensor<1x1x5x32xf32>
    func.return
  }
  func.func @placed_1(%0: tensor<1x1x100x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %r = htp.Gather(%0, %1, %2) : (tensor<1x1x100x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x1x5x32xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_2(%0: tensor<1x1x100x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %r = htp.Gather(%0, %1, %2) {kernel = "reference"} : (tensor<1x1x100x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x1x5x32xf32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @native_3(%0: tensor<1x1x4x5xf32>, %1: tensor<1x1x1x6xi64>, %2: tensor<1x1x1x1xi32>) {
    %3 = htp.Gather(%0, %1, %2) : (tensor<1x1x4x5xf32>, tensor<1x1x1x6xi64>, tensor<1x1x1x1xi32>) -> tensor<1x1x4x6xf32>
    func.return
  }
  func.func @native_4(%0: tensor<1x1x4x3xf16>, %1: tensor<1x1x1x3xi32>, %2: tensor<1x1x1x1xi32>) {
    %3 = htp.Gather(%0, %1, %2) : (tensor<1x1x4x3xf16>, tensor<1x1x1x3xi32>, tensor<1x1x1x1xi32>) -> tensor<1x1x3x3xf16>
    func.return
  }
  func.func @native_5(%0: tensor<1x1x4x3xi1>, %1: tensor<1x1x1x3xi32>, %2: tensor<1x1x1x1xi32>) {
    %3 = htp.Gather(%0, %1, %2) : (tensor<1x1x4x3xi1>, tensor<1x1x1x3xi32>, tensor<1x1x1x1xi32>) -> tensor<1x1x3x3xi1>
    func.return
  }
  func.func @native_6(%0: tensor<1x1x4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<1x1x1x3xi32>, %2: tensor<1x1x1x1xi32>) {
    %3 = htp.Gather(%0, %1, %2) : (tensor<1x1x4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x1x3xi32>, tensor<1x1x1x1xi32>) -> tensor<1x1x3x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    func.return
  }
  func.func @placed_7(%0: tensor<1x1x4x5xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x6xi64, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %3 = htp.Gather(%0, %1, %2) : (tensor<1x1x4x5xf32, #htp.place<flat, ddr>>, tensor<1x1x1x6xi64, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x1x4x6xf32, #htp.place<flat, tcm>>
    func.return
  }
  func.func @placed_8(%0: tensor<1x1x4x3xf16, #htp.place<flat, ddr>>, %1: tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %3 = htp.Gather(%0, %1, %2) : (tensor<1x1x4x3xf16, #htp.place<flat, ddr>>, tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x1x3x3xf16, #htp.place<flat, ddr>>
    func.return
  }
  func.func @placed_9(%0: tensor<1x1x4x3xi1, #htp.place<flat, ddr>>, %1: tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %3 = htp.Gather(%0, %1, %2) : (tensor<1x1x4x3xi1, #htp.place<flat, ddr>>, tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x1x3x3xi1, #htp.place<flat, ddr>>
    func.return
  }
  func.func @placed_10(%0: tensor<1x1x4x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %1: tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %3 = htp.Gather(%0, %1, %2) : (tensor<1x1x4x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x1x3x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_11(%0: tensor<1x1x4x5xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x6xi64, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %3 = htp.Gather(%0, %1, %2) {kernel = "gather.Int64Tensor"} : (tensor<1x1x4x5xf32, #htp.place<flat, ddr>>, tensor<1x1x1x6xi64, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x1x4x6xf32, #htp.place<flat, tcm, 0>>
    func.return
  }
  func.func @allocated_12(%0: tensor<1x1x4x3xf16, #htp.place<flat, ddr>>, %1: tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %3 = htp.Gather(%0, %1, %2) {kernel = "gather.Int32Tensor"} : (tensor<1x1x4x3xf16, #htp.place<flat, ddr>>, tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x1x3x3xf16, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_13(%0: tensor<1x1x4x3xi1, #htp.place<flat, ddr>>, %1: tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %3 = htp.Gather(%0, %1, %2) {kernel = "reference"} : (tensor<1x1x4x3xi1, #htp.place<flat, ddr>>, tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x1x3x3xi1, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_14(%0: tensor<1x1x4x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %1: tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %3 = htp.Gather(%0, %1, %2) {kernel = "gather.Int32Tensor"} : (tensor<1x1x4x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x1x3x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "native_0", function_type = (tensor<1x1x100x32xf32>, tensor<1x1x1x5xi32>, tensor<1x1x1x1xi32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x100x32xf32>, %1: tensor<1x1x1x5xi32>, %2: tensor<1x1x1x1xi32>):
    %r = "htp.Gather"(%0, %1, %2) : (tensor<1x1x100x32xf32>, tensor<1x1x1x5xi32>, tensor<1x1x1x1xi32>) -> tensor<1x1x5x32xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_1", function_type = (tensor<1x1x100x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x100x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %r = "htp.Gather"(%0, %1, %2) : (tensor<1x1x100x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x1x5x32xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_2", function_type = (tensor<1x1x100x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x100x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %r = "htp.Gather"(%0, %1, %2) <{kernel = "reference"}> : (tensor<1x1x100x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x5xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x1x5x32xf32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_3", function_type = (tensor<1x1x4x5xf32>, tensor<1x1x1x6xi64>, tensor<1x1x1x1xi32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x5xf32>, %1: tensor<1x1x1x6xi64>, %2: tensor<1x1x1x1xi32>):
    %3 = "htp.Gather"(%0, %1, %2) : (tensor<1x1x4x5xf32>, tensor<1x1x1x6xi64>, tensor<1x1x1x1xi32>) -> tensor<1x1x4x6xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_4", function_type = (tensor<1x1x4x3xf16>, tensor<1x1x1x3xi32>, tensor<1x1x1x1xi32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x3xf16>, %1: tensor<1x1x1x3xi32>, %2: tensor<1x1x1x1xi32>):
    %3 = "htp.Gather"(%0, %1, %2) : (tensor<1x1x4x3xf16>, tensor<1x1x1x3xi32>, tensor<1x1x1x1xi32>) -> tensor<1x1x3x3xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_5", function_type = (tensor<1x1x4x3xi1>, tensor<1x1x1x3xi32>, tensor<1x1x1x1xi32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x3xi1>, %1: tensor<1x1x1x3xi32>, %2: tensor<1x1x1x1xi32>):
    %3 = "htp.Gather"(%0, %1, %2) : (tensor<1x1x4x3xi1>, tensor<1x1x1x3xi32>, tensor<1x1x1x1xi32>) -> tensor<1x1x3x3xi1>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_6", function_type = (tensor<1x1x4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x1x3xi32>, tensor<1x1x1x1xi32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<1x1x1x3xi32>, %2: tensor<1x1x1x1xi32>):
    %3 = "htp.Gather"(%0, %1, %2) : (tensor<1x1x4x3x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x1x3xi32>, tensor<1x1x1x1xi32>) -> tensor<1x1x3x3x!quant.uniform<u8:f32, 5.000000e-02:128>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_7", function_type = (tensor<1x1x4x5xf32, #htp.place<flat, ddr>>, tensor<1x1x1x6xi64, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x5xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x6xi64, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %3 = "htp.Gather"(%0, %1, %2) : (tensor<1x1x4x5xf32, #htp.place<flat, ddr>>, tensor<1x1x1x6xi64, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x1x4x6xf32, #htp.place<flat, tcm>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_8", function_type = (tensor<1x1x4x3xf16, #htp.place<flat, ddr>>, tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x3xf16, #htp.place<flat, ddr>>, %1: tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %3 = "htp.Gather"(%0, %1, %2) : (tensor<1x1x4x3xf16, #htp.place<flat, ddr>>, tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x1x3x3xf16, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_9", function_type = (tensor<1x1x4x3xi1, #htp.place<flat, ddr>>, tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x3xi1, #htp.place<flat, ddr>>, %1: tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %3 = "htp.Gather"(%0, %1, %2) : (tensor<1x1x4x3xi1, #htp.place<flat, ddr>>, tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x1x3x3xi1, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_10", function_type = (tensor<1x1x4x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %1: tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %3 = "htp.Gather"(%0, %1, %2) : (tensor<1x1x4x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x1x3x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_11", function_type = (tensor<1x1x4x5xf32, #htp.place<flat, ddr>>, tensor<1x1x1x6xi64, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x5xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x6xi64, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %3 = "htp.Gather"(%0, %1, %2) <{kernel = "gather.Int64Tensor"}> : (tensor<1x1x4x5xf32, #htp.place<flat, ddr>>, tensor<1x1x1x6xi64, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x1x4x6xf32, #htp.place<flat, tcm, 0>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_12", function_type = (tensor<1x1x4x3xf16, #htp.place<flat, ddr>>, tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x3xf16, #htp.place<flat, ddr>>, %1: tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %3 = "htp.Gather"(%0, %1, %2) <{kernel = "gather.Int32Tensor"}> : (tensor<1x1x4x3xf16, #htp.place<flat, ddr>>, tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x1x3x3xf16, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_13", function_type = (tensor<1x1x4x3xi1, #htp.place<flat, ddr>>, tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x3xi1, #htp.place<flat, ddr>>, %1: tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %3 = "htp.Gather"(%0, %1, %2) <{kernel = "reference"}> : (tensor<1x1x4x3xi1, #htp.place<flat, ddr>>, tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x1x3x3xi1, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_14", function_type = (tensor<1x1x4x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %1: tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %3 = "htp.Gather"(%0, %1, %2) <{kernel = "gather.Int32Tensor"}> : (tensor<1x1x4x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x3xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> tensor<1x1x3x3x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
