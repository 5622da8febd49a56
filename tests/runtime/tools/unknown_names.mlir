// RUN: not htp-opt %s -p htp-lowr,htp-lowr 2>&1 | filecheck %s --check-prefix PASS
// RUN: not htp-run %s -p 'htp-lower{tmc-bytes=1}' 2>&1 | filecheck %s --check-prefix OPTION
// RUN: not htp-opt %s -p 'htp-lower{level=natve}' 2>&1 | filecheck %s --check-prefix LEVEL

// A name that nobody knows is met with the one that was meant, wherever it is looked up.

// PASS-NOT:    errors:
// PASS:        pass pipeline: unknown pass 'htp-lowr'
// PASS-NEXT:     did you mean 'htp-lower'?

// OPTION:      pass 'htp-lower': unknown option 'tmc-bytes'
// OPTION-NEXT:   did you mean 'tcm-bytes'?

// LEVEL:       level 'natve': is not known
// LEVEL-NEXT:    did you mean 'native'? known are graph, native, placed, allocated

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  func.return %x : tensor<2xf32>
}
