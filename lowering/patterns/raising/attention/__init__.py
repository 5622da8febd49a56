"""Rules that find attention: its core, scores, heads, and pages of keys."""
