builtin.module {
  func.func @native_0(%0: tensor<1x1x2x3xi32>, %1: !htp.shape<2x1x1x8>) {
    %r = htp.SequenceIds(%0, %1) : (tensor<1x1x2x3xi32>, !htp.shape<2x1x1x8>) -> tensor<2x1x1x8xi32>
    func.return
  }
  func.func @placed_1(%0: tensor<1x1x2x3xi32, #htp.place<flat, ddr>>, %1: !htp.shape<2x1x1x8>) {
    %r = htp.SequenceIds(%0, %1) : (tensor<1x1x2x3xi32, #htp.place<flat, ddr>>, !htp.shape<2x1x1x8>) -> tensor<2x1x1x8xi32, #htp.place<flat, ddr>>
    func.return
  }
  func.func @allocated_2(%0: tensor<1x1x2x3xi32, #htp.place<flat, ddr>>, %1: !htp.shape<2x1x1x8>) {
    %r = htp.SequenceIds(%0, %1) {kernel = "reference"} : (tensor<1x1x2x3xi32, #htp.place<flat, ddr>>, !htp.shape<2x1x1x8>) -> tensor<2x1x1x8xi32, #htp.place<flat, ddr>>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "native_0", function_type = (tensor<1x1x2x3xi32>, !htp.shape<2x1x1x8>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x3xi32>, %1: !htp.shape<2x1x1x8>):
    %r = "htp.SequenceIds"(%0, %1) : (tensor<1x1x2x3xi32>, !htp.shape<2x1x1x8>) -> tensor<2x1x1x8xi32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_1", function_type = (tensor<1x1x2x3xi32, #htp.place<flat, ddr>>, !htp.shape<2x1x1x8>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x3xi32, #htp.place<flat, ddr>>, %1: !htp.shape<2x1x1x8>):
    %r = "htp.SequenceIds"(%0, %1) : (tensor<1x1x2x3xi32, #htp.place<flat, ddr>>, !htp.shape<2x1x1x8>) -> tensor<2x1x1x8xi32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_2", function_type = (tensor<1x1x2x3xi32, #htp.place<flat, ddr>>, !htp.shape<2x1x1x8>) -> ()}> ({
  ^bb0(%0: tensor<1x1x2x3xi32, #htp.place<flat, ddr>>, %1: !htp.shape<2x1x1x8>):
    %r = "htp.SequenceIds"(%0, %1) <{kernel = "reference"}> : (tensor<1x1x2x3xi32, #htp.place<flat, ddr>>, !htp.shape<2x1x1x8>) -> tensor<2x1x1x8xi32, #htp.place<flat, ddr>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
