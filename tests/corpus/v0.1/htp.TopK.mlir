builtin.module {
  func.func @native_0(%0: tensor<1x1x4x32xf32>, %1: tensor<1x1x1x1xi32>, %2: tensor<1x1x1x1xi32>) {
    %v, %i = htp.TopK(%0, %1, %2) : (tensor<1x1x4x32xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> (tensor<1x1x4x3xf32>, tensor<1x1x4x3xi32>)
    func.return
  }
  func.func @placed_1(%0: tensor<1x1x4x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %v, %i = htp.TopK(%0, %1, %2) : (tensor<1x1x4x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x4x3xf32, #htp.place<flat, ddr>>, tensor<1x1x4x3xi32, #htp.place<flat, ddr>>)
    func.return
  }
  func.func @allocated_2(%0: tensor<1x1x4x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %v, %i = htp.TopK(%0, %1, %2) {kernel = "reference"} : (tensor<1x1x4x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x4x3xf32, #htp.place<flat, ddr>>, tensor<1x1x4x3xi32, #htp.place<flat, ddr>>)
    func.return
  }
  func.func @native_3(%0: tensor<1x1x3x9xf16>, %1: tensor<1x1x1x1xi32>, %2: tensor<1x1x1x1xi32>) {
    %3, %4 = htp.TopK(%0, %1, %2) : (tensor<1x1x3x9xf16>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> (tensor<1x1x3x4xf16>, tensor<1x1x3x4xi32>)
    func.return
  }
  func.func @native_4(%0: tensor<1x1x3x9x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<1x1x1x1xi32>, %2: tensor<1x1x1x1xi32>) {
    %3, %4 = htp.TopK(%0, %1, %2) : (tensor<1x1x3x9x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> (tensor<1x1x3x4x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x3x4xi32>)
    func.return
  }
  func.func @placed_5(%0: tensor<1x1x3x9xf16, #htp.place<flat, ddr>>, %1: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %3, %4 = htp.TopK(%0, %1, %2) : (tensor<1x1x3x9xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x3x4xf16, #htp.place<flat, ddr>>, tensor<1x1x3x4xi32, #htp.place<flat, ddr>>)
    func.return
  }
  func.func @placed_6(%0: tensor<1x1x3x9x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %1: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %3, %4 = htp.TopK(%0, %1, %2) : (tensor<1x1x3x9x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x3x4x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x3x4xi32, #htp.place<flat, ddr>>)
    func.return
  }
  func.func @allocated_7(%0: tensor<1x1x3x9xf16, #htp.place<flat, ddr>>, %1: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %3, %4 = htp.TopK(%0, %1, %2) {kernel = "reference"} : (tensor<1x1x3x9xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x3x4xf16, #htp.place<flat, ddr>>, tensor<1x1x3x4xi32, #htp.place<flat, ddr>>)
    func.return
  }
  func.func @allocated_8(%0: tensor<1x1x3x9x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %1: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %3, %4 = htp.TopK(%0, %1, %2) {kernel = "reference"} : (tensor<1x1x3x9x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x3x4x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x3x4xi32, #htp.place<flat, ddr>>)
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "native_0", function_type = (tensor<1x1x4x32xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x32xf32>, %1: tensor<1x1x1x1xi32>, %2: tensor<1x1x1x1xi32>):
    %v, %i = "htp.TopK"(%0, %1, %2) : (tensor<1x1x4x32xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> (tensor<1x1x4x3xf32>, tensor<1x1x4x3xi32>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_1", function_type = (tensor<1x1x4x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %v, %i = "htp.TopK"(%0, %1, %2) : (tensor<1x1x4x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x4x3xf32, #htp.place<flat, ddr>>, tensor<1x1x4x3xi32, #htp.place<flat, ddr>>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_2", function_type = (tensor<1x1x4x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x4x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %v, %i = "htp.TopK"(%0, %1, %2) <{kernel = "reference"}> : (tensor<1x1x4x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x4x3xf32, #htp.place<flat, ddr>>, tensor<1x1x4x3xi32, #htp.place<flat, ddr>>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_3", function_type = (tensor<1x1x3x9xf16>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x9xf16>, %1: tensor<1x1x1x1xi32>, %2: tensor<1x1x1x1xi32>):
    %3, %4 = "htp.TopK"(%0, %1, %2) : (tensor<1x1x3x9xf16>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> (tensor<1x1x3x4xf16>, tensor<1x1x3x4xi32>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_4", function_type = (tensor<1x1x3x9x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x9x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<1x1x1x1xi32>, %2: tensor<1x1x1x1xi32>):
    %3, %4 = "htp.TopK"(%0, %1, %2) : (tensor<1x1x3x9x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> (tensor<1x1x3x4x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x3x4xi32>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_5", function_type = (tensor<1x1x3x9xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x9xf16, #htp.place<flat, ddr>>, %1: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %3, %4 = "htp.TopK"(%0, %1, %2) : (tensor<1x1x3x9xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x3x4xf16, #htp.place<flat, ddr>>, tensor<1x1x3x4xi32, #htp.place<flat, ddr>>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_6", function_type = (tensor<1x1x3x9x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x9x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %1: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %3, %4 = "htp.TopK"(%0, %1, %2) : (tensor<1x1x3x9x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x3x4x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x3x4xi32, #htp.place<flat, ddr>>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_7", function_type = (tensor<1x1x3x9xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x9xf16, #htp.place<flat, ddr>>, %1: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %3, %4 = "htp.TopK"(%0, %1, %2) <{kernel = "reference"}> : (tensor<1x1x3x9xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x3x4xf16, #htp.place<flat, ddr>>, tensor<1x1x3x4xi32, #htp.place<flat, ddr>>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_8", function_type = (tensor<1x1x3x9x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x9x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %1: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %3, %4 = "htp.TopK"(%0, %1, %2) <{kernel = "reference"}> : (tensor<1x1x3x9x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x3x4x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x3x4xi32, #htp.place<flat, ddr>>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
