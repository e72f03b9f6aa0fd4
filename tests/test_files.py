"""Files are whole or not there."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from skpara._files import replace_file

ENV = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1]), "OMP_NUM_THREADS": "1"}


def unfinished(folder):
    return [path for path in folder.iterdir() if path.name.startswith(".")]


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


def test_the_folder_is_made_and_the_suffix_is_kept(tmp_path):
    path = tmp_path / "new" / "table.npz"
    seen = []
    assert replace_file(path, lambda p: (seen.append(p.suffix), p.write_text("x"))) == path
    assert seen == [".npz"]
    assert [p.name for p in path.parent.iterdir()] == ["table.npz"]


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_permissions_are_those_of_any_file_or_of_the_old_one(tmp_path):
    path, ordinary = tmp_path / "model", tmp_path / "ordinary"
    ordinary.write_text("")
    replace_file(path, lambda p: p.write_text("new"))
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(ordinary.stat().st_mode)
    path.chmod(0o640)
    replace_file(path, lambda p: p.write_text("newer"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "far").mkdir()
    path, target = tmp_path / "link", tmp_path / "far" / "model"
    path.symlink_to(target)
    replace_file(path, lambda p: p.write_text("new"))
    assert path.is_symlink()
    assert target.read_text() == "new"


@pytest.mark.skipif(os.name != "posix", reason="devices of POSIX")
def test_what_is_no_file_is_written_to_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    replace_file(pipe, lambda p: p.write_text("new"))
    assert os.read(reader, 10) == b"new"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_it_is_on_the_disk_before_it_has_the_name(tmp_path, monkeypatch):
    path, done = tmp_path / "model", []

    def noted(name):
        real = getattr(os, name)

        def call(*given):
            done.append((name, path.exists()))
            return real(*given)

        monkeypatch.setattr(os, name, call)

    noted("fsync")
    noted("replace")
    replace_file(path, lambda p: p.write_text("new"))
    assert done[:2] == [("fsync", False), ("replace", False)]


def test_what_a_killed_process_left_goes_after_an_hour(tmp_path):
    old, young = (tmp_path / f".skpara-unfinished-{name}.npz" for name in ("old", "young"))
    for path in (old, young):
        path.write_text("half")
    os.utime(old, (time.time() - 4000, time.time() - 4000))
    replace_file(tmp_path / "model", lambda p: p.write_text("new"))
    assert unfinished(tmp_path) == [young]


KILLED = """
import os, random, signal, sys, time
from pathlib import Path

import numpy as np

from skpara import ParagramEncoder, WordVectors
from skpara.saving._model_file import load_model, save_model


class Constant:
    def __init__(self, vectors):
        self.vectors_ = vectors

    def predict(self, pairs):
        return np.zeros(len(pairs))


folder, n_kills = Path(sys.argv[1]), int(sys.argv[2])
words = [f"w{i}" for i in range(2000)]
tables = [WordVectors(words, np.full((2000, 100), value)) for value in (1, 2)]
pairs = [("w1", "w2"), ("w3", "w4")]
encoders = [ParagramEncoder(vectors=table, max_iter=0).fit(pairs) for table in tables]
npz, arrays, encoder, model = (
    folder / name for name in ("v.npz", "v.safetensors", "e.safetensors", "m.skpara")
)


def save(i):
    tables[i].save(npz)
    tables[i].save(arrays)
    encoders[i].save(encoder)
    save_model(model, Constant(tables[i]), data="", n_pairs=2)


save(0)
draw = random.Random(0)
for _ in range(n_kills):
    process = os.fork()
    if process == 0:
        while True:
            save(1)
            save(0)
    time.sleep(draw.uniform(0, 0.1))
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    found = [WordVectors.load(npz), WordVectors.load(arrays)]
    found += [ParagramEncoder.load(encoder).vectors_, load_model(model).model.vectors_]
    for table in found:
        value = table.matrix[0, 0]
        assert value in (1, 2) and (table.matrix == value).all(), table.matrix
save(0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork and SIGKILL")
def test_a_process_killed_while_it_saves_leaves_whole_files(tmp_path):
    """Each way of saving, over and over; whatever is there after the kill is old or new."""
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), "15"], env=ENV, check=True)
    whole = {"v.npz", "v.safetensors", "e.safetensors", "m.skpara"}
    halves = {path.name for path in tmp_path.iterdir()} - whole
    assert halves  # or nothing was hit in the middle
    assert all(name.startswith(".skpara-unfinished-") for name in halves)
