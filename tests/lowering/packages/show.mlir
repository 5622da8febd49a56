// RUN: htp package show %S/../rules/language/splits.cpp | filecheck %s
// RUN: not htp package show %S/missing.cpp 2>&1 | filecheck %s --check-prefix MISSING

// What was read of a C++ package, by kind of declaration, and what was passed over.

// CHECK:      package {{[Ss]plits}}
// CHECK-NEXT: ops 0
// CHECK-NEXT: rules 1
// CHECK:      passed over 0

// MISSING: missing.cpp: cannot be read: No such file
