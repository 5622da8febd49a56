"""From a model as exported to a flat graph of one opset with static types."""
