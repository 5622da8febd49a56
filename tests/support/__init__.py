"""What tests share: parsing, round trips, feeds, graphs."""
