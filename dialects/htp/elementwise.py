"""Native element-wise ops."""
