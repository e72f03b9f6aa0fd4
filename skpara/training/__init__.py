"""The training engine: batches, negatives, loss, lazy optimisers, the epoch loop."""
