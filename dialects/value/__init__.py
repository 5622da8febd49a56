"""Value objects that the attributes wrap: dtypes, layouts, places, tensor specs."""
