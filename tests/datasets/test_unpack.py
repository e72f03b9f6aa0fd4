"""Archives are unpacked into the folder given and nowhere else."""

from __future__ import annotations

import io
import tarfile
import zipfile

import pytest

from skpara.datasets._unpack import canonical_name, unpack


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


def test_wanted_files_land_flat_with_their_licence(make, tmp_path, folder):
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


def test_the_least_nested_of_equal_names_is_taken(make, tmp_path, folder):
    members = {"x/companion/data.csv": b"other", "x/data.csv": b"main"}
    unpack(make(tmp_path / "archive", members), {"data.csv"}, folder)
    assert (folder / "data.csv").read_bytes() == b"main"


@pytest.mark.parametrize(
    "evil", ["../evil", "x/../../evil", "/evil", "..\\evil", "C:/evil", "C:\\evil"]
)
def test_a_member_that_points_outside_refuses_the_archive(make, tmp_path, folder, evil):
    archive = make(tmp_path / "archive", {"data.csv": b"1\n", evil: b"evil"})
    with pytest.raises(ValueError, match="points outside"):
        unpack(archive, {"data.csv", "evil"}, folder)
    assert names(folder) == []
    assert names(folder.parent) == ["out"]


def test_a_link_is_never_followed(tmp_path, folder):
    (tmp_path / "secret").write_bytes(b"secret")
    with tarfile.open(tmp_path / "archive", "w:gz") as archive:
        link = tarfile.TarInfo("data.csv")
        link.type = tarfile.SYMTYPE
        link.linkname = str(tmp_path / "secret")
        archive.addfile(link)
    unpack(tmp_path / "archive", {"data.csv"}, folder)
    assert names(folder) == []


def test_a_cut_or_foreign_file_is_refused(make, tmp_path, folder):
    whole = make(tmp_path / "archive", {"data.csv": bytes(range(256)) * 100}).read_bytes()
    for content in (whole[: len(whole) // 2], b"<html>not found</html>", b""):
        (tmp_path / "cut").write_bytes(content)
        with pytest.raises(ValueError, match="not a complete zip or tar archive"):
            unpack(tmp_path / "cut", {"data.csv"}, folder)


def test_a_damaged_zip_member_is_refused(tmp_path, folder):
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
