"""Archives are unpacked into the folder given and nowhere else."""

from __future__ import annotations

import contextlib
import gzip
import io
import tarfile
import tracemalloc
import zipfile

import pytest

from skpara.datasets import _download, fetch_bitext
from skpara.datasets._download import canonical_name, read_zipped_text, unpack


def make_zip(path, members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def make_tar(path, members):
    with tarfile.open(path, "w:gz") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return path


@pytest.fixture(params=[make_zip, make_tar], ids=["zip", "tar.gz"])
def make(request):
    return request.param


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "a" / "out"
    path.mkdir(parents=True)
    return path


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_named_files_are_written_with_their_licence(make, tmp_path, folder):
    members = {
        "official/STS.gs.x.txt": b"1\n",
        "official/correlation.pl": b"#!perl",
        "official/00-readme.txt": b"read me",
        "official/STS.input.x.LICENSE": b"CC",
        "__MACOSX/official/._STS.gs.x.txt": b"\x00",
    }
    unpack(make(tmp_path / "archive", members), {"STS.gs.x.txt"}, folder)
    assert names(folder) == ["00-readme.txt", "STS.gs.x.txt", "STS.input.x.LICENSE"]
    assert (folder / "STS.gs.x.txt").read_bytes() == b"1\n"


def test_the_least_nested_of_equal_names_is_used(make, tmp_path, folder):
    members = {"x/companion/data.csv": b"other", "x/data.csv": b"main"}
    unpack(make(tmp_path / "archive", members), {"data.csv"}, folder)
    assert (folder / "data.csv").read_bytes() == b"main"


@pytest.mark.parametrize(
    "evil", ["../evil", "x/../../evil", "/evil", "..\\evil", "C:/evil", "C:\\evil"]
)
def test_a_member_that_points_outside_is_an_error(make, tmp_path, folder, evil):
    archive = make(tmp_path / "archive", {"data.csv": b"1\n", evil: b"evil"})
    with pytest.raises(ValueError, match="points outside"):
        unpack(archive, {"data.csv", "evil"}, folder)
    assert names(folder) == []
    assert names(folder.parent) == ["out"]


SPECIAL = {
    "symbolic link": tarfile.SYMTYPE,
    "hard link": tarfile.LNKTYPE,
    "character device": tarfile.CHRTYPE,
    "block device": tarfile.BLKTYPE,
    "named pipe": tarfile.FIFOTYPE,
}


@pytest.mark.parametrize("kind", SPECIAL)
def test_links_and_devices_are_skipped(tmp_path, folder, kind):
    (tmp_path / "secret").write_bytes(b"secret")
    with tarfile.open(tmp_path / "archive", "w:gz") as archive:
        special = tarfile.TarInfo("data.csv")
        special.type = SPECIAL[kind]
        special.linkname = str(tmp_path / "secret")
        archive.addfile(special)
    unpack(tmp_path / "archive", {"data.csv"}, folder)
    assert names(folder) == []


def test_a_link_in_a_zip_is_written_as_text(tmp_path, folder):
    with zipfile.ZipFile(tmp_path / "archive", "w") as archive:
        link = zipfile.ZipInfo("data.csv")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, str(tmp_path / "secret"))
    unpack(tmp_path / "archive", {"data.csv"}, folder)
    assert not (folder / "data.csv").is_symlink()


def test_a_file_behind_a_link_to_a_folder_stays_inside(tmp_path, folder):
    outside = tmp_path / "outside"
    outside.mkdir()
    with tarfile.open(tmp_path / "archive", "w:gz") as archive:
        link = tarfile.TarInfo("x")
        link.type, link.linkname = tarfile.SYMTYPE, str(outside)
        archive.addfile(link)
        info = tarfile.TarInfo("x/data.csv")
        info.size = 2
        archive.addfile(info, io.BytesIO(b"1\n"))
    unpack(tmp_path / "archive", {"data.csv"}, folder)
    assert names(outside) == []
    assert (folder / "data.csv").read_bytes() == b"1\n"


def test_a_zip_bomb_is_an_error(make, tmp_path, folder, monkeypatch):
    monkeypatch.setattr(_download, "LARGEST", 2**20)
    archive = make(tmp_path / "archive", {"data.csv": bytes(2**21), "readme.txt": b"read me"})
    assert archive.stat().st_size < 2**13
    with pytest.raises(ValueError, match="more than 1 MB"):
        unpack(archive, {"data.csv"}, folder)
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 2**20


def test_the_limit_is_for_all_files_together(tmp_path, folder, monkeypatch):
    monkeypatch.setattr(_download, "LARGEST", 2**20)
    members = {f"{name}.csv": bytes(2**19) for name in "abc"}
    with pytest.raises(ValueError, match="more than 1 MB"):
        unpack(make_zip(tmp_path / "archive", members), set(members), folder)


def test_a_claimed_size_takes_no_memory(tmp_path, folder):
    header = tarfile.TarInfo("././@LongLink")
    header.type, header.size = tarfile.GNUTYPE_LONGNAME, 2**28
    with gzip.open(tmp_path / "archive", "wb") as packed:
        packed.write(header.tobuf(tarfile.GNU_FORMAT))
        packed.write(bytes(2**16))
    tracemalloc.start()
    with contextlib.suppress(ValueError):
        unpack(tmp_path / "archive", {"data.csv"}, folder)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2**24
    assert names(folder) == []


@pytest.mark.parametrize(
    ("name", "file"),
    [("multi30k-deu", "multi30k/train.en.gz"), ("tatoeba-spa", "tatoeba/spa-eng.zip")],
)
def test_files_of_users_are_limited_too(tmp_path, monkeypatch, name, file):
    monkeypatch.setattr(_download, "LARGEST", 2**20)
    path = tmp_path / "bitext" / file
    path.parent.mkdir(parents=True)
    (path.parent / "train.de.gz").write_bytes(b"")
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(bytes(2**21)))
    else:
        make_zip(path, {"a.txt": bytes(2**21)})
    with pytest.raises(ValueError, match=f"{path} .*more than 1 MB"):
        fetch_bitext(name, data_home=tmp_path)
    path.write_bytes(b"garbage")
    with pytest.raises(ValueError, match=f"{path} cannot be unpacked"):
        fetch_bitext(name, data_home=tmp_path)


def test_an_archive_of_two_texts_is_an_error(tmp_path):
    path = make_zip(tmp_path / "a.zip", {"a.txt": b"", "b.txt": b"", "a_about.txt": b""})
    with pytest.raises(ValueError, match=r"Expected one \.txt file in it, got"):
        read_zipped_text(path)


def test_a_truncated_or_other_file_is_an_error(make, tmp_path, folder):
    whole = make(tmp_path / "archive", {"data.csv": bytes(range(256)) * 100}).read_bytes()
    for content in (whole[: len(whole) // 2], b"<html>not found</html>", b""):
        (tmp_path / "cut").write_bytes(content)
        with pytest.raises(ValueError, match="not a complete zip or tar archive"):
            unpack(tmp_path / "cut", {"data.csv"}, folder)


def test_a_damaged_zip_member_is_an_error(tmp_path, folder):
    path = tmp_path / "archive"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("data.csv", "sentence one\tsentence two\n")
    path.write_bytes(path.read_bytes().replace(b"sentence one", b"sentence 0ne"))
    with pytest.raises(ValueError, match="not a complete zip or tar archive"):
        unpack(path, {"data.csv"}, folder)


@pytest.mark.parametrize(
    ("official", "kept"),
    [
        ("STS2016.input.headlines.txt", "STS.input.headlines.txt"),
        ("STS.gs.OnWN.txt", "STS.gs.OnWN.txt"),
        ("sts-train.csv", "sts-train.csv"),
        ("SICK_train.txt", "SICK_train.txt"),
    ],
)
def test_canonical_names(official, kept):
    assert canonical_name(official) == kept
