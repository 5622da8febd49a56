"""The jobs of `htp`, one module for each kind."""
