"""Seeded faults in the product, to see which of them the tests notice."""
