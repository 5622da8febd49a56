// RUN: not htp rules lint --package %S/op_names.cpp 2>&1 | filecheck %s
// RUN: htp rules lint --package %S/op_names.cpp --rule op_names.cpp:10 --rule op_names.cpp:11 --rule op_names.cpp:12 | filecheck %s --check-prefix INNER
// RUN: htp package show %S/op_names.cpp | filecheck %s --check-prefix SHOW

// Names in rules declare nothing: an op that nobody declares and no rule makes leaves a rule dead, and
// one that no rule takes up is never run. An op between two rules is neither. In C++ text a bare name
// is an op of the package.

// CHECK:      note: Scael ({{.*}}op_names.cpp:5): no package has Names.Scael
// CHECK-NEXT: note: 3 more like it in package Names; htp rules lint lists them
// CHECK-NEXT: Scael ({{.*}}op_names.cpp:5): [unknown-op] no package has Names.Scael, and no rule makes it; did you mean "Scale"
// CHECK:      Relu ({{.*}}op_names.cpp:6): [unknown-op] no package has Names.Relu, and no rule makes it; write FROM_DEFAULT_PACKAGE("Relu"): a bare name is an op of Names
// CHECK:      q::Tanh ({{.*}}op_names.cpp:7): [unknown-op] no package has Names.Sclae, and no rule matches it; did you mean "Scale"
// CHECK:      Loop ({{.*}}op_names.cpp:8): [unknown-op] no package has Names.Loop, and only rules that match it make it
// CHECK-NOT:  Inner
// CHECK-NEXT: htp rules lint: 4 findings in 4 of 7 rules of Names

// INNER: 3 rules of Names are clean

// SHOW: note: Loop ({{.*}}op_names.cpp:8): no package has Names.Loop
