"""What tests share: parsing, round trips, the collector of .mlir files."""
