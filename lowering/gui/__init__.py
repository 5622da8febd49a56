"""The interactive app: a module, the passes to pick for it, the module after them."""
