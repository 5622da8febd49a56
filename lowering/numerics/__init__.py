"""The search for the pass, the rule and the op that change a module's numbers."""
