"""What pytest runs in this folder: the examples of all pages."""

# It writes files; tests/examples/test_tutorial.py runs it in a folder of its own.
collect_ignore = ["tutorial.rst"]
