"""Pages that show what lowering did."""
