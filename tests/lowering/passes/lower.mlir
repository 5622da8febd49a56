// RUN: htp-opt %s -p 'htp-lower{soc=SM8650 level=graph}' | filecheck %s --check-prefix GRAPH
// RUN: htp-opt %s -p 'htp-lower{soc=SM8650 level=native}' | filecheck %s --check-prefix NATIVE
// RUN: htp-opt %s -p 'htp-lower{soc=SM8650 level=placed}' | filecheck %s --check-prefix PLACED
// RUN: htp-opt %s -p 'htp-lower{soc=SM8650}' | filecheck %s --check-prefix ALLOCATED
// RUN: htp-opt %s -p 'htp-lower{soc=sm8650}' | htp-run --check - | filecheck %s --check-prefix RESULT
// RUN: not htp-opt %s -p 'htp-lower{soc=SM8651}' 2>&1 | filecheck %s --check-prefix SOC

// One graph at its four levels, and what a run of the last one prints.

// GRAPH:          qti_aisw.Conv2d
// GRAPH:          qti_aisw.Relu

// NATIVE-NOT:     qti_aisw
// NATIVE:         htp.ConvLayer_valid.clamp({{.*}}) : {{.*}} -> tensor<1x6x6x8xf32>
// NATIVE-NOT:     #htp.place

// PLACED:         %[[X:.*]] = htp.ForceFormat_Crouton
// PLACED:         htp.ConvLayer_valid.clamp(%[[X]], {{.*}} -> tensor<1x6x6x8xf32, #htp.place<crouton, tcm>>
// PLACED:         htp.flat_from_vtcm
// PLACED-NOT:     kernel =

// ALLOCATED:      htp.ForceFormat_Crouton({{.*}}) {kernel = "{{.*}}"} : {{.*}} -> tensor<1x8x8x4xf32, #htp.place<crouton, tcm, {{[0-9]+}}>>
// ALLOCATED:      htp.ConvLayer_valid.clamp({{.*}}) {kernel = "{{.*}}"} : {{.*}} -> tensor<1x6x6x8xf32, #htp.place<crouton, tcm, {{[0-9]+}}>>

// RESULT:         y: 1x6x6x8 float32, min 0,

// SOC:            soc 'SM8651': is not known
// SOC-NEXT:       did you mean 'SM8650'? known are
func.func @main(%x: tensor<1x8x8x4xf32> {htp.name = "x"}) -> (tensor<1x6x6x8xf32> {htp.name = "y"}) {
  %w = qti_aisw.Const dense<0.25> : tensor<3x3x4x8xf32> -> tensor<3x3x4x8xf32>
  %0 = qti_aisw.Conv2d(%x, %w) : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x6x6x8xf32>
  %1 = qti_aisw.Relu(%0) : (tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  func.return %1 : tensor<1x6x6x8xf32>
}
