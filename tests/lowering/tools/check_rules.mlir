// RUN: htp rules check --rule gelu --cases 3 | filecheck %s
// RUN: not htp rules check --rule Rellu 2>&1 | filecheck %s --check-prefix UNKNOWN

// `--check-rules` tries rules on graphs made for them: the numbers stay. A label names all rules of it,
// here one for each place of the inner product.

// CHECK: gelu ({{.*}}functions.py:{{[0-9]+}}, 1st rule): 3 cases of {{[0-9]+}} graphs, sound
// CHECK: gelu ({{.*}}, 2nd rule)
// CHECK: 2 rules of htp are sound on {{[0-9]+}} graphs

// UNKNOWN: --rule 'Rellu': no rule of htp is called that
// UNKNOWN-NEXT: did you mean 'Relu'
