"""A database for all tests: to open one, as each query does to give memory back, takes 30 ms."""

from __future__ import annotations

import pytest


class Shared:
    """A connection to a database that has the functions of earlier ones."""

    def __init__(self, database, functions):
        self._cursor, self._functions = database.cursor(), functions

    def __getattr__(self, name):
        return getattr(self._cursor, name)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._cursor.close()

    def create_function(self, name, *arguments):
        if name not in self._functions:
            self._functions.add(name)
            self._cursor.create_function(name, *arguments)


@pytest.fixture(scope="session", autouse=True)
def _one_database():
    try:
        import duckdb
    except ImportError:
        yield
        return
    connect, functions = duckdb.connect, set()
    database = connect(config={"preserve_insertion_order": False})

    def shared(*path, **_):
        return connect(*path) if path else Shared(database, functions)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(duckdb, "connect", shared)
        yield
