"""Runs of a program: sessions, their inputs, the checker."""
