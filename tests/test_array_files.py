"""Files of arrays of the package are whole, or refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import skpara
from skpara import WordVectors, _array_files
from skpara._array_files import check_checksum, map_arrays

FILES = sorted(Path(skpara.__file__).parent.rglob("*.safetensors"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_damaged_files_of_the_package_are_refused(path, tmp_path, monkeypatch):
    monkeypatch.setattr(_array_files, "__file__", str(tmp_path / "_array_files.py"))
    content = path.read_bytes()
    middle = len(content) // 2
    damages = {
        "zeros": content[:middle] + bytes(100_000) + content[middle + 100_000 :],
        "a bit": content[:-9] + bytes([content[-9] ^ 1]) + content[-8:],
    }
    copy = tmp_path / path.name
    copy.write_bytes(content)
    assert map_arrays(copy)[0]
    for damaged in damages.values():
        copy.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"is damaged\. Install skpara again"):
            map_arrays(copy)


def test_the_package_has_four_files_and_vectors_are_saved_with_a_checksum(tmp_path):
    assert [path.stem for path in FILES] == ["default", "frequencies", "languages", "wordnet"]
    path = tmp_path / "table.safetensors"
    WordVectors(["a", "b"], np.eye(2, dtype=np.float32)).save(path)
    assert check_checksum(path)
