"""Kernels for other dtypes, made from those for f32."""
