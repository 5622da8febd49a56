"""The engine: pass groups run to a fixpoint."""
