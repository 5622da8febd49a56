"""Reference semantics: one table for graph and native ops, evaluators, reference kernels."""
