// RUN: htp rules explain %s -p 'qti-take-encodings' --op sine | filecheck %s
// RUN: htp rules explain %s -p 'qti-take-encodings' --op sine --format=json | filecheck %s --check-prefix JSON

// Of a model that comes quantised, why an op stays in floats: nothing says how its result is stored.

// CHECK:          {{^}}sine:
// CHECK-NEXT:     qti_aisw.ElementWiseSin: stays in floats: its result has no encoding

// JSON:           {"op": "qti_aisw.ElementWiseSin", "outcome": "stays in floats", "reason": "its result has no encoding"}
func.func @main(%x: tensor<1x4x!quant.uniform<u8:f32, 0.1:128>>) -> tensor<1x4xf32> {
  %0 = qti_aisw.Dequantize(%x) : (tensor<1x4x!quant.uniform<u8:f32, 0.1:128>>) -> tensor<1x4xf32>
  %1 = qti_aisw.ElementWiseSin(%0) {htp.name = "sine"} : (tensor<1x4xf32>) -> tensor<1x4xf32>
  func.return %1 : tensor<1x4xf32>
}
