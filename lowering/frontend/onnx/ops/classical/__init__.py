"""Importers of classical machine learning: trees, support vectors, labels, n-grams."""
