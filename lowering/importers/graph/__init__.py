"""Building graph-level IR, whatever a model was written in."""
