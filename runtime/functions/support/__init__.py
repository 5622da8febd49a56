"""Parts that the functions of several ops share."""
