"""Importers of ops that move, choose and convert elements, and the steps they share."""
