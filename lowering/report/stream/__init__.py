"""The report on a model that runs as a stream: rates, latencies, bytes of state."""
