"""Reference semantics: evaluators of graph ops, reference kernels of native ops."""
