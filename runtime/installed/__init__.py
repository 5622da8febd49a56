"""What is installed beside the project: plugins, and the dialects, passes and packages of all."""
