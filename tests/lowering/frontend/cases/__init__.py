"""One node each: a model, its feeds and its result."""
