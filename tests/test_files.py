"""Files are whole or not there."""

from __future__ import annotations

import pytest

from skpara.cli._files import replace_file


def test_a_failed_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "model"
    path.write_text("old")

    def write_half(unfinished):
        unfinished.write_text("ha")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        replace_file(path, write_half)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
