"""The features, one file a family."""
