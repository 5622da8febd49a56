// RUN: htp-opt -p 'canonicalize,htp-lower{level=placed after=htp-fold#1:cse}' --dump-pass-pipeline | filecheck %s
// RUN: htp-opt %s -p htp-lower --dump-pass-pipeline -o %t.pipeline
// RUN: filecheck %s --check-prefix ALLOCATED --input-file %t.pipeline
// RUN: htp-opt %s -p 'htp-lower{level=placed}' -o %t.placed.mlir
// RUN: htp-opt %t.placed.mlir -p htp-lower --dump-pass-pipeline | filecheck %s --check-prefix REST

// What htp-lower runs is a pipeline to edit and to run. Of a module that is
// below the graph level, the rest of the passes run.

// CHECK:      {{^}}canonicalize,
// CHECK-NEXT: htp-check-level{level=graph},
// CHECK-NEXT: qti-take-encodings,
// CHECK-NEXT: qti-raise,
// CHECK-NEXT: qti-take-encodings,
// CHECK:      convert-qti-aisw-to-htp,
// CHECK-NEXT: htp-rules{last=EARLY-1},
// CHECK-NEXT: htp-fold,
// CHECK-NEXT: cse,
// CHECK-NEXT: cse,
// CHECK-NEXT: dce,
// CHECK:      htp-check-level{level=native},
// CHECK:      htp-check-level{level=placed}
// CHECK-NOT:  htp-allocate

// ALLOCATED:      htp-plan-tiles,
// ALLOCATED-NEXT: htp-rules{first=TILING last=MIDDLE-1},
// ALLOCATED:      htp-check-level{level=allocated}

// REST-NOT:  htp-in-place
// REST:      htp-check-level{level=placed},
// REST-NEXT: htp-schedule,
// REST-NEXT: htp-refetch,
// REST-NEXT: htp-allocate,
// REST-NEXT: htp-prefetch,
// REST-NEXT: htp-select-kernels,
// REST-NEXT: htp-check-level{level=allocated}
func.func @main(%x: tensor<1x8x8x4xf32> {htp.name = "x"}) -> (tensor<1x6x6x8xf32> {htp.name = "y"}) {
  %w = qti_aisw.Const dense<0.25> : tensor<3x3x4x8xf32> -> tensor<3x3x4x8xf32>
  %0 = qti_aisw.Conv2d(%x, %w) : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x6x6x8xf32>
  %1 = qti_aisw.Relu(%0) : (tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  func.return %1 : tensor<1x6x6x8xf32>
}
