"""The features, one file a topic."""
