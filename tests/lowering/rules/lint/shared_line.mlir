// RUN: not htp rules lint --package %S/shared_line.cpp 2>&1 | filecheck %s --check-prefix LINT
// RUN: not htp rules check --package %S/shared_line.cpp --cases 2 --rule 'shared_line.cpp:6, 2nd rule' | filecheck %s --check-prefix CHECK
// RUN: htp rules stats %s --package %S/shared_line.cpp -p 'htp-rules{last=EARLY}' | filecheck %s --check-prefix STATS
// RUN: htp rules explain %s --package %S/shared_line.cpp -p 'htp-rules{last=EARLY}' --rule 'shared_line.cpp:6, 2nd rule' | filecheck %s --check-prefix EXPLAIN

// Rules of one line are told apart by their number on it, also where one of them was passed over, and
// are chosen by it.

// LINT: note: passed over: {{.*}}shared_line.cpp:7, 1st rule: no function IS_ODD
// LINT: q::Neg ({{.*}}shared_line.cpp:6, 2nd rule): [shadowed] q::Neg ({{.*}}shared_line.cpp:6, 1st rule) stands before it
// LINT: passed over by htp rules lint: 1
// LINT:   1 time: not read: {{.*}}shared_line.cpp:7, 1st rule: no function IS_ODD

// CHECK-NOT: 1st rule
// CHECK:     q::Neg ({{.*}}shared_line.cpp:6, 2nd rule): {{.*}}, not sound

// STATS: 1        1        0        1 {{.*}} EARLY q::Neg ({{.*}}shared_line.cpp:6, 1st rule)

// EXPLAIN:      q::Neg ({{.*}}shared_line.cpp:6, 2nd rule), pass group EARLY
// EXPLAIN-NEXT:   %n = htp.Neg: taken: q::Neg ({{.*}}shared_line.cpp:6, 1st rule) came first
func.func @main(%x: tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %n = htp.Neg(%0) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %1 = htp.Reshape(%n) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  func.return %1 : tensor<1x1x1x4xf32>
}
