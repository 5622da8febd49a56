builtin.module {
  func.func @native_0() {
    %0 = htp.Shape : !htp.shape<1x1x1x1>
    func.return
  }
  func.func @placed_1() {
    %0 = htp.Shape : !htp.shape<1x1x1x1>
    func.return
  }
  func.func @allocated_2() {
    %0 = htp.Shape : !htp.shape<1x1x1x1>
    func.return
  }
}
// -----
"builtin.module"() ({
  "func.func"() <{sym_name = "native_0", function_type = () -> ()}> ({
    %0 = "htp.Shape"() : () -> !htp.shape<1x1x1x1>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "placed_1", function_type = () -> ()}> ({
    %0 = "htp.Shape"() : () -> !htp.shape<1x1x1x1>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "allocated_2", function_type = () -> ()}> ({
    %0 = "htp.Shape"() : () -> !htp.shape<1x1x1x1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
