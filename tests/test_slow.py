"""The list of slow tests in conftest.py."""


def test_every_entry_names_a_test(stale_slow_entries):
    assert not stale_slow_entries
