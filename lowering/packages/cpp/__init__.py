"""Reading C++ text: preprocessor, tokens, calls. It knows no package API."""
