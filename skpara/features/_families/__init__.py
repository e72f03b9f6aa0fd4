"""Families of features, one file each."""
