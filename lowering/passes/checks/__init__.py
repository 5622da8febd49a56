"""Checks between passes: levels, valid ops, values before their uses, ops that fit the TCM."""
