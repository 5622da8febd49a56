"""Rules as PDL patterns, and what PDL cannot say of a rule."""
