"""Fast kernels for f32."""
