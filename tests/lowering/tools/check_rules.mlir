// RUN: htp-opt --check-rules --rule Relu --cases 3 | filecheck %s
// RUN: not htp-opt --check-rules --rule Rellu 2>&1 | filecheck %s --check-prefix UNKNOWN

// `--check-rules` tries rules on graphs made for them: the numbers stay. A label names all rules of it,
// here one for each layer that takes up a Relu.

// CHECK: Relu ({{.*}}fusion.py:{{[0-9]+}}): 3 cases of {{[0-9]+}} graphs, sound
// CHECK: 3 rules are sound on {{[0-9]+}} graphs

// UNKNOWN: no rule of the packages in use is called that
