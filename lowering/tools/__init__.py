"""The commands htp-opt and htp-package."""
