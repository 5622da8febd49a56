"""Files of encodings, in both of their forms."""
