"""The parts of the memory benchmark beside its rows: cases, figures and their tables."""
