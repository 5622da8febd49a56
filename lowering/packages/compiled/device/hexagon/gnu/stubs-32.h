// The C library's headers name this one of the host's, which a 32-bit machine does not have.
