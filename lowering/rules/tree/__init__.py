"""Rules as trees: expressions, functions, the ops that they build."""
