builtin.module {
  func.func @native_0(%0: tensor<1x1x8x32xf32>, %1: tensor<1x1x1x2xi32>, %2: tensor<1x1x2x32xf32>, %3: tensor<1x1x1x1xi32>, %4: tensor<1x1x1x1xi32>, %5: tensor<1x1x1x1xi32>) {
    %out, %new, %count = htp.BufferStep(%0, %1, %2, %3, %4, %5) : (tensor<1x1x8x32xf32>, tensor<1x1x1x2xi32>, tensor<1x1x2x32xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> (tensor<1x1x8x32xf32>, tensor<1x1x8x32xf32>, tensor<1x1x1x2xi32>)
    func.return
  }
  func.func @placed_1(%0: tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x2x32xf32, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %5: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %out, %new, %count = htp.BufferStep(%0, %1, %2, %3, %4, %5) : (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x2x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>)
    func.return
  }
  func.func @allocated_2(%0: tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x2x32xf32, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %5: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %out, %new, %count = htp.BufferStep(%0, %1, %2, %3, %4, %5) {kernel = "reference"} : (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x2x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>)
    func.return
  }
  func.func @native_3(%0: tensor<1x1x3x2xf16>, %1: tensor<1x1x1x2xi32>, %2: tensor<1x1x1x2xf16>, %3: tensor<1x1x1x1xi32>, %4: tensor<1x1x1x1xi32>) {
    %5, %6, %7 = htp.BufferStep(%0, %1, %2, %3, %4, %4) : (tensor<1x1x3x2xf16>, tensor<1x1x1x2xi32>, tensor<1x1x1x2xf16>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> (tensor<1x1x3x2xf16>, tensor<1x1x3x2xf16>, tensor<1x1x1x2xi32>)
    func.return
  }
  func.func @native_4(%0: tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<1x1x1x2xi32>, %2: tensor<1x1x1x2x!quant.uniform<u8:f32, 5.000000e-02:128>>, %3: tensor<1x1x1x1xi32>, %4: tensor<1x1x1x1xi32>) {
    %5, %6, %7 = htp.BufferStep(%0, %1, %2, %3, %4, %4) : (tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x1x2xi32>, tensor<1x1x1x2x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> (tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x1x2xi32>)
    func.return
  }
  func.func @native_5(%0: tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>, %1: tensor<1x1x1x2xi32>, %2: tensor<1x1x1x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>, %3: tensor<1x1x1x1xi32>, %4: tensor<1x1x1x1xi32>) {
    %5, %6, %7 = htp.BufferStep(%0, %1, %2, %3, %4, %4) : (tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>, tensor<1x1x1x2xi32>, tensor<1x1x1x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> (tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>, tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>, tensor<1x1x1x2xi32>)
    func.return
  }
  func.func @placed_6(%0: tensor<1x1x3x2xf16, #htp.place<flat, ddr>>, %1: tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x2xf16, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %5, %6, %7 = htp.BufferStep(%0, %1, %2, %3, %4, %4) : (tensor<1x1x3x2xf16, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x1x2xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x3x2xf16, #htp.place<flat, ddr>>, tensor<1x1x3x2xf16, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>)
    func.return
  }
  func.func @placed_7(%0: tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %1: tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %5, %6, %7 = htp.BufferStep(%0, %1, %2, %3, %4, %4) : (tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x1x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>)
    func.return
  }
  func.func @placed_8(%0: tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>, %1: tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %5, %6, %7 = htp.BufferStep(%0, %1, %2, %3, %4, %4) : (tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x1x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>, tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>)
    func.return
  }
  func.func @allocated_9(%0: tensor<1x1x3x2xf16, #htp.place<flat, ddr>>, %1: tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x2xf16, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %5, %6, %7 = htp.BufferStep(%0, %1, %2, %3, %4, %4) {kernel = "step"} : (tensor<1x1x3x2xf16, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x1x2xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x3x2xf16, #htp.place<flat, ddr>>, tensor<1x1x3x2xf16, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>)
    func.return
  }
  func.func @allocated_10(%0: tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %1: tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %5, %6, %7 = htp.BufferStep(%0, %1, %2, %3, %4, %4) {kernel = "step"} : (tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x1x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>)
    func.return
  }
  func.func @allocated_11(%0: tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>, %1: tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) {
    %5, %6, %7 = htp.BufferStep(%0, %1, %2, %3, %4, %4) {kernel = "step"} : (tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x1x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>, tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>)
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "native_0", function_type = (tensor<1x1x8x32xf32>, tensor<1x1x1x2xi32>, tensor<1x1x2x32xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x8x32xf32>, %1: tensor<1x1x1x2xi32>, %2: tensor<1x1x2x32xf32>, %3: tensor<1x1x1x1xi32>, %4: tensor<1x1x1x1xi32>, %5: tensor<1x1x1x1xi32>):
    %out, %new, %count = "htp.BufferStep"(%0, %1, %2, %3, %4, %5) : (tensor<1x1x8x32xf32>, tensor<1x1x1x2xi32>, tensor<1x1x2x32xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> (tensor<1x1x8x32xf32>, tensor<1x1x8x32xf32>, tensor<1x1x1x2xi32>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_1", function_type = (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x2x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x2x32xf32, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %5: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %out, %new, %count = "htp.BufferStep"(%0, %1, %2, %3, %4, %5) : (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x2x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_2", function_type = (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x2x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, %1: tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x2x32xf32, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %5: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %out, %new, %count = "htp.BufferStep"(%0, %1, %2, %3, %4, %5) <{kernel = "reference"}> : (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x2x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x8x32xf32, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_3", function_type = (tensor<1x1x3x2xf16>, tensor<1x1x1x2xi32>, tensor<1x1x1x2xf16>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x2xf16>, %1: tensor<1x1x1x2xi32>, %2: tensor<1x1x1x2xf16>, %3: tensor<1x1x1x1xi32>, %4: tensor<1x1x1x1xi32>):
    %5, %6, %7 = "htp.BufferStep"(%0, %1, %2, %3, %4, %4) : (tensor<1x1x3x2xf16>, tensor<1x1x1x2xi32>, tensor<1x1x1x2xf16>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> (tensor<1x1x3x2xf16>, tensor<1x1x3x2xf16>, tensor<1x1x1x2xi32>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_4", function_type = (tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x1x2xi32>, tensor<1x1x1x2x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>>, %1: tensor<1x1x1x2xi32>, %2: tensor<1x1x1x2x!quant.uniform<u8:f32, 5.000000e-02:128>>, %3: tensor<1x1x1x1xi32>, %4: tensor<1x1x1x1xi32>):
    %5, %6, %7 = "htp.BufferStep"(%0, %1, %2, %3, %4, %4) : (tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x1x2xi32>, tensor<1x1x1x2x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> (tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>>, tensor<1x1x1x2xi32>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "native_5", function_type = (tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>, tensor<1x1x1x2xi32>, tensor<1x1x1x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>, %1: tensor<1x1x1x2xi32>, %2: tensor<1x1x1x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>, %3: tensor<1x1x1x1xi32>, %4: tensor<1x1x1x1xi32>):
    %5, %6, %7 = "htp.BufferStep"(%0, %1, %2, %3, %4, %4) : (tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>, tensor<1x1x1x2xi32>, tensor<1x1x1x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> (tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>, tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>>, tensor<1x1x1x2xi32>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_6", function_type = (tensor<1x1x3x2xf16, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x1x2xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x2xf16, #htp.place<flat, ddr>>, %1: tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x2xf16, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %5, %6, %7 = "htp.BufferStep"(%0, %1, %2, %3, %4, %4) : (tensor<1x1x3x2xf16, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x1x2xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x3x2xf16, #htp.place<flat, ddr>>, tensor<1x1x3x2xf16, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_7", function_type = (tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x1x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %1: tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %5, %6, %7 = "htp.BufferStep"(%0, %1, %2, %3, %4, %4) : (tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x1x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_8", function_type = (tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x1x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>, %1: tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %5, %6, %7 = "htp.BufferStep"(%0, %1, %2, %3, %4, %4) : (tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x1x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>, tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_9", function_type = (tensor<1x1x3x2xf16, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x1x2xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x2xf16, #htp.place<flat, ddr>>, %1: tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x2xf16, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %5, %6, %7 = "htp.BufferStep"(%0, %1, %2, %3, %4, %4) <{kernel = "step"}> : (tensor<1x1x3x2xf16, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x1x2xf16, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x3x2xf16, #htp.place<flat, ddr>>, tensor<1x1x3x2xf16, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_10", function_type = (tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x1x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %1: tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %5, %6, %7 = "htp.BufferStep"(%0, %1, %2, %3, %4, %4) <{kernel = "step"}> : (tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x1x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x3x2x!quant.uniform<u8:f32, 5.000000e-02:128>, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_11", function_type = (tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x1x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> ()}> ({
  ^bb0(%0: tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>, %1: tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, %2: tensor<1x1x1x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>, %3: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, %4: tensor<1x1x1x1xi32, #htp.place<flat, ddr>>):
    %5, %6, %7 = "htp.BufferStep"(%0, %1, %2, %3, %4, %4) <{kernel = "step"}> : (tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>, tensor<1x1x1x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>, tensor<1x1x1x1xi32, #htp.place<flat, ddr>>) -> (tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>, tensor<1x1x3x2x!quant.uniform<u16:f32, 1.000000e-03:30000>, #htp.place<flat, ddr>>, tensor<1x1x1x2xi32, #htp.place<flat, ddr>>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
