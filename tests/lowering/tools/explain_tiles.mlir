// RUN: htp lower %s --tcm-bytes 64K --explain-tiles=text -o - 2>&1 | filecheck %s
// RUN: htp lower %s --tcm-bytes 64K --explain-tiles=json 2>&1 | filecheck %s --check-prefix JSON
// RUN: htp lower %s --tcm-bytes 64K --save-tiles %t.json
// RUN: htp-opt %s -p 'htp-lower{tcm-bytes=64K tiles="%t.json"}' -t 'memory-report{beside="%t.json"}' | filecheck %s --check-prefix BESIDE
// RUN: htp-run %s -p 'htp-lower{tcm-bytes=64K tiles="%t.json"}' --check
// RUN: not htp lower %s --options tiling=false --explain-tiles=text 2>&1 | filecheck %s --check-prefix NONE
// RUN: not htp lower %s --soc SM8650 -p dce 2>&1 | filecheck %s --check-prefix BOTH
// RUN: htp lower %s --tcm-bytes 2K --explain-tiles=json -o %t.mlir 2>&1 | filecheck %s --check-prefix ALONE
// RUN: htp lower %s --explain-tiles=text 2>&1 | filecheck %s --check-prefix FITS

// The plan of tiles, as text, as JSON and as a file that is a plan again, beside itself in a report.

func.func @main(%x: tensor<1x16x16x128xf32>) -> tensor<1x16x16x128xf32> {
  %0 = qti_aisw.Relu(%x) {htp.name = "relu"} : (tensor<1x16x16x128xf32>) -> tensor<1x16x16x128xf32>
  func.return %0 : tensor<1x16x16x128xf32>
}

// CHECK:      main: 3 segments, {{.*}} bytes planned
// CHECK:      2  4 strips: {{.*}} bytes in 12 calls, relu Relu: {{[HWD]}}={{[0-9]+}}
// CHECK-NEXT: drained Relu 'relu': 131,072 bytes
// CHECK-NEXT: runner-up: {{[HWD]}}={{[0-9]+}}, {{.*}} bytes
// CHECK:      moved: {{.*}} bytes

// JSON:       "main": {
// JSON:       "tcm_bytes": 65536,
// JSON:       "op": "Relu",
// JSON-NEXT:  "number": 1,
// JSON-NEXT:  "tiles": {
// JSON:       "runner_up": {

// BESIDE:     bytes by node {{.*}}this plan {{.*}}.json

// NONE:       --explain-tiles: no pass planned tiles
// NONE-NEXT:    give -p htp-lower, without tiling=false

// BOTH:       htp lower: -p says what runs, and soc=SM8650 too
// BOTH-NEXT:    give one of them

// ALONE-NOT:  warning

// FITS:       main: {{.*}} segments
