"""Drawing of cases: variables, their constraints, templates and data."""
