// RUN: not htp-opt %s -p 'qti-check-backend{backend=htp}' 2>&1 | filecheck %s --check-prefix HTP
// RUN: htp-opt %s -p 'qti-check-backend{backend=cpu}' | filecheck %s --check-prefix CPU
// RUN: not htp-opt %s -p 'qti-check-backend{backend=lpai}' 2>&1 | filecheck %s --check-prefix LPAI
// RUN: not htp-opt %s -p 'qti-check-backend{backend=aic}' 2>&1 | filecheck %s --check-prefix AIC
// RUN: not htp-opt %s -p 'qti-check-backend{backend=gpu}' 2>&1 | filecheck %s --check-prefix GPU

// What each backend cannot do with these two block ops. On HTP a Buffer must not block, and
// MaskedSoftmax is taken apart, which is only a note.

// HTP:        note: {{.*}}:26:3: qti_aisw.MaskedSoftmax 'attend': is no op of backend htp; it is decomposed
// HTP-NEXT:   {{.*}}:25:3: qti_aisw.Buffer 'window': mode BLOCKING cannot run on HTP
// HTP-NEXT:     use NON_BLOCKING_LEFT or NON_BLOCKING_RIGHT

// CPU:        qti_aisw.Buffer

// LPAI:       {{.*}}:26:3: qti_aisw.MaskedSoftmax 'attend': is no op of backend lpai
// LPAI-NEXT:    it runs on aic, cpu

// AIC:        {{.*}}:25:3: qti_aisw.Buffer 'window': is no op of backend aic
// AIC-NEXT:     it runs on cpu, htp, lpai

// GPU:        backend 'gpu': is not known
// GPU-NEXT:     known are aic, cpu, htp, lpai
func.func @main(%x: tensor<1x4xf32>, %d: tensor<1x1x4x4xf32>, %m: tensor<1x4xi32>) -> (tensor<3x4xf32>, tensor<1x1x4x4xf32>) {
  %0 = qti_aisw.Buffer(%x) {buffer_dim = 0 : i64, buffer_size = 3 : i64, htp.name = "window"} : (tensor<1x4xf32>) -> tensor<3x4xf32>
  %1 = qti_aisw.MaskedSoftmax(%d, %m) {htp.name = "attend"} : (tensor<1x1x4x4xf32>, tensor<1x4xi32>) -> tensor<1x1x4x4xf32>
  func.return %0, %1 : tensor<3x4xf32>, tensor<1x1x4x4xf32>
}
