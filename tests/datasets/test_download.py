"""Downloads from a real server on this machine: whole and checked, or not at all."""

from __future__ import annotations

import contextlib
import dataclasses
import gzip
import hashlib
import io
import os
import tarfile
import threading
import time
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

from skpara.datasets import _download, _sick, _sts, fetch_sick, fetch_sts
from skpara.datasets._download import Archive, FileSpec
from skpara.datasets._sources import Source, require_files

DATA = Path(os.environ.get("SKPARA_DATA", Path(__file__).parents[3] / "shared" / "data"))
needs_data = pytest.mark.skipif(not (DATA / "STS").is_dir(), reason="STS files are not here")

CONTENT = {"a.txt": b"one\ttwo\nthree\tfour\n", "b.txt": b"1.0\n2.0\n"}
SPECS = {"a.txt": FileSpec(2, 2), "b.txt": FileSpec(2, 1)}


def zipped(members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def tarred(members):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


class Server:
    """Serves `pages`; can break off in the middle or fail the first requests for a page."""

    def __init__(self):
        self.pages: dict[str, bytes] = {}
        self.cut: set[str] = set()
        self.failures: dict[str, int] = {}
        self.moved: dict[str, str] = {}
        self.endless: set[str] = set()
        self.dripping: set[str] = set()
        self.encoded: dict[str, bytes] = {}
        self.requests: list[str] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                name = self.path.lstrip("/")
                outer.requests.append(name)
                if name in outer.moved:
                    self.send_response(302)
                    self.send_header("Location", outer.moved[name])
                    self.end_headers()
                    return
                if name in outer.endless:
                    self.send_response(200)
                    self.end_headers()
                    with contextlib.suppress(OSError):
                        while True:
                            self.wfile.write(bytes(2**16))
                    return
                if name in outer.dripping:
                    self.send_response(200)
                    self.end_headers()
                    with contextlib.suppress(OSError):
                        while True:
                            self.wfile.write(b"x")
                            time.sleep(0.02)
                    return
                if name in outer.encoded:
                    self.send_response(200)
                    self.send_header("Content-Encoding", "gzip")
                    self.end_headers()
                    with contextlib.suppress(OSError):
                        self.wfile.write(outer.encoded[name])
                    return
                if name not in outer.pages or outer.failures.get(name, 0) > 0:
                    outer.failures[name] = outer.failures.get(name, 0) - 1
                    self.send_error(404 if name not in outer.pages else 503)
                    return
                body = outer.pages[name]
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body[: len(body) // 2] if name in outer.cut else body)

            def log_message(self, *args):
                pass

        self.httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.httpd.serve_forever, args=(0.02,), daemon=True)
        self.thread.start()

    def url(self, name):
        return f"http://127.0.0.1:{self.httpd.server_port}/{name}"

    def close(self):
        self.httpd.shutdown()
        self.httpd.server_close()
        self.thread.join()


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(_download, "RETRIES", 0)
    server = Server()
    yield server
    server.close()


@pytest.fixture
def hashes(monkeypatch):
    """Stands for the package's registry."""
    registry: dict[str, str] = {}
    monkeypatch.setattr(_download, "known_hashes", lambda: registry)
    return registry


def redirect(source, *urls):
    """The same source, its archives at the addresses given, one each."""
    archives = [
        dataclasses.replace(archive, urls=(url,))
        for archive, url in zip(source.archives, urls, strict=True)
    ]
    return dataclasses.replace(source, archives=tuple(archives))


def make_source(*urls, files=tuple(CONTENT)):
    return Source(
        title="Toy corpus",
        folder="Toy/corpus",
        files=SPECS,
        archives=(Archive(urls, files),),
        page="the toy page",
        official_folders=("toy-v1",),
    )


def fetch(source, home, names=("a.txt", "b.txt"), allow=True):
    return require_files(source, names, home, download_if_missing=allow)


def files_in(home):
    return sorted(str(path.relative_to(home)) for path in home.rglob("*") if path.is_file())


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_download_puts_verified_files_in_their_folder(server, hashes, tmp_path, pack):
    server.pages["toy"] = pack({f"toy-v1/{name}": data for name, data in CONTENT.items()})
    hashes["Toy/corpus/a.txt"] = hashlib.sha256(CONTENT["a.txt"]).hexdigest()
    home = tmp_path / "new" / "home"
    paths = fetch(make_source(server.url("toy")), home)
    assert {name: path.read_bytes() for name, path in paths.items()} == CONTENT
    assert files_in(home) == ["Toy/corpus/a.txt", "Toy/corpus/b.txt"]
    assert [path.name for path in home.iterdir()] == ["Toy"]


def test_a_second_call_needs_no_network(server, hashes, tmp_path):
    server.pages["toy"] = zipped(CONTENT)
    source = make_source(server.url("toy"))
    fetch(source, tmp_path)
    fetch(source, tmp_path)
    fetch(source, tmp_path, allow=False)
    assert server.requests == ["toy"]


@pytest.mark.parametrize("place", ["Toy/corpus", "corpus", "Toy/toy-v1", "toy-v1"])
def test_local_files_need_no_network(server, tmp_path, place):
    (tmp_path / place).mkdir(parents=True)
    for name, data in CONTENT.items():
        (tmp_path / place / name).write_bytes(data)
    paths = fetch(make_source(server.url("toy")), tmp_path)
    assert {path.parent for path in paths.values()} == {tmp_path / place}
    assert server.requests == []


def test_only_the_archives_with_missing_files_are_fetched(server, hashes, tmp_path):
    archives = tuple(
        Archive((server.url(url),), (name,))
        for url, name in (("first", "a.txt"), ("second", "b.txt"))
    )
    source = dataclasses.replace(make_source(), archives=archives)
    server.pages["second"] = zipped({"b.txt": CONTENT["b.txt"]})
    fetch(source, tmp_path, names=["b.txt"])
    assert server.requests == ["second"]
    assert files_in(tmp_path) == ["Toy/corpus/b.txt"]


def test_without_permission_nothing_is_downloaded(server, tmp_path):
    with pytest.raises(FileNotFoundError) as raised:
        fetch(make_source(server.url("toy")), tmp_path, allow=False)
    message = str(raised.value)
    for part in (
        "Toy corpus: missing a.txt, b.txt",
        str(tmp_path / "Toy" / "corpus"),
        "the toy page",
        server.url("toy"),
        "SKPARA_DATA",
        "data_home=",
        "download_if_missing=True",
    ):
        assert part in message
    assert server.requests == []
    assert list(tmp_path.iterdir()) == []


def test_offline_error_names_files_and_remedy(server, hashes, tmp_path):
    address = server.url("toy")
    server.httpd.server_close()  # from now on nobody answers
    with pytest.raises(ConnectionError) as raised:
        fetch(make_source(address), tmp_path)
    message = str(raised.value)
    for part in ("Download failed", address, "missing a.txt, b.txt", "the toy page", "data_home="):
        assert part in message
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_no_archive_is_an_error_at_once(server, tmp_path):
    source = make_source(server.url("toy"), files=("a.txt",))
    with pytest.raises(FileNotFoundError, match=r"No public archive has b\.txt\."):
        fetch(source, tmp_path)
    assert server.requests == []


def test_a_failing_server_is_retried(server, hashes, tmp_path, monkeypatch):
    monkeypatch.setattr(_download, "RETRIES", 1)
    server.pages["toy"] = zipped(CONTENT)
    server.failures["toy"] = 1
    fetch(make_source(server.url("toy")), tmp_path)
    assert server.requests == ["toy", "toy"]


def test_the_next_address_is_tried(server, hashes, tmp_path):
    server.pages["broken"] = b"<html>moved</html>"
    server.pages["toy"] = zipped(CONTENT)
    urls = [server.url(name) for name in ("gone", "broken", "toy")]
    fetch(make_source(*urls), tmp_path)
    assert server.requests == ["gone", "broken", "toy"]
    assert files_in(tmp_path) == ["Toy/corpus/a.txt", "Toy/corpus/b.txt"]


BAD = {
    "other bytes": (zipped({**CONTENT, "a.txt": b"1\t2\n3\t4\n"}), "a.txt has SHA-256"),
    "too few lines": (zipped({**CONTENT, "b.txt": b"1.0\n"}), "b.txt has 1 lines"),
    "a column lost": (zipped({**CONTENT, "b.txt": b""}), "b.txt has 0 lines"),
    "a file lost": (zipped({"a.txt": CONTENT["a.txt"]}), "does not contain b.txt"),
    "path traversal": (zipped({**CONTENT, "../evil": b"evil"}), "points outside"),
    "path traversal, tar": (tarred({**CONTENT, "../evil": b"evil"}), "points outside"),
    "no archive": (b"<html>not here</html>", "not a complete zip or tar archive"),
    "cut before it was served": (tarred(CONTENT)[:60], "not a complete zip or tar archive"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_wrong_archive_leaves_nothing(server, hashes, tmp_path, case):
    body, reason = BAD[case]
    hashes["Toy/corpus/a.txt"] = hashlib.sha256(CONTENT["a.txt"]).hexdigest()
    server.pages["toy"] = body
    home = tmp_path / "home"
    with pytest.raises(ConnectionError, match=reason):
        fetch(make_source(server.url("toy")), home)
    assert list(home.iterdir()) == []
    assert [path.name for path in tmp_path.iterdir()] == ["home"]


def test_an_archive_with_a_checksum_has_its_bytes(server, hashes, tmp_path):
    server.pages["toy"] = zipped(CONTENT)
    digest = hashlib.md5(server.pages["toy"]).hexdigest()
    archive = Archive((server.url("toy"),), tuple(CONTENT), checksum=f"md5:{digest}")
    source = dataclasses.replace(make_source(), archives=(archive,))
    fetch(source, tmp_path / "right")
    assert files_in(tmp_path / "right") == ["Toy/corpus/a.txt", "Toy/corpus/b.txt"]
    server.pages["toy"] = zipped({**CONTENT, "readme.txt": b"the same files, another archive"})
    with pytest.raises(ConnectionError, match="does not match the known hash"):
        fetch(source, tmp_path / "wrong")
    assert list((tmp_path / "wrong").iterdir()) == []


def test_a_broken_connection_leaves_nothing(server, hashes, tmp_path):
    server.pages["toy"] = zipped({**CONTENT, "filler": b"x" * 100_000})
    server.cut.add("toy")
    with pytest.raises(ConnectionError, match="Download failed"):
        fetch(make_source(server.url("toy")), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_redirected_downloads_are_verified(server, hashes, tmp_path):
    hashes["Toy/corpus/a.txt"] = hashlib.sha256(CONTENT["a.txt"]).hexdigest()
    server.moved["toy"] = server.url("there")
    server.pages["there"] = zipped({**CONTENT, "a.txt": b"another\ttext\nthree\tfour\n"})
    with pytest.raises(ConnectionError, match=r"a\.txt has SHA-256"):
        fetch(make_source(server.url("toy")), tmp_path)
    assert list(tmp_path.iterdir()) == []
    server.pages["there"] = zipped(CONTENT)
    fetch(make_source(server.url("toy")), tmp_path)
    assert files_in(tmp_path) == ["Toy/corpus/a.txt", "Toy/corpus/b.txt"]


@pytest.mark.parametrize("place", ["itself", "file:///etc/passwd", "http://127.0.0.1:9/none"])
def test_redirects_that_lead_nowhere(server, hashes, tmp_path, place):
    server.moved["toy"] = server.url("toy") if place == "itself" else place
    with pytest.raises(ConnectionError, match="Download failed"):
        fetch(make_source(server.url("toy")), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_an_endless_download_is_stopped(server, hashes, tmp_path, monkeypatch):
    monkeypatch.setattr(_download, "LARGEST", 2**22)
    server.endless.add("toy")
    with pytest.raises(ConnectionError, match="sent more than 4 MB"):
        fetch(make_source(server.url("toy")), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_download_that_drips_is_stopped(server, hashes, tmp_path, monkeypatch):
    monkeypatch.setattr(_download, "PERIOD", 0.5)
    server.dripping.add("toy")
    server.pages["mirror"] = zipped(CONTENT)
    with pytest.raises(ConnectionError, match=r"fewer than 60,000 bytes in 0\.5 seconds"):
        fetch(make_source(server.url("toy")), tmp_path)
    assert list(tmp_path.iterdir()) == []
    fetch(make_source(server.url("toy"), server.url("mirror")), tmp_path)
    assert files_in(tmp_path) == ["Toy/corpus/a.txt", "Toy/corpus/b.txt"]


def test_an_answer_that_decompresses_to_too_much_is_stopped(server, hashes, tmp_path, monkeypatch):
    monkeypatch.setattr(_download, "LARGEST", 2**22)
    server.encoded["toy"] = gzip.compress(bytes(2**25))
    with pytest.raises(ConnectionError, match="sent more than 4 MB"):
        fetch(make_source(server.url("toy")), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_files_are_limited_by_their_lines_on_record(server, hashes, tmp_path):
    server.pages["toy"] = zipped({**CONTENT, "a.txt": bytes(2 * 2**20)})
    with pytest.raises(ConnectionError, match="unpacks to more than 1 MB"):
        fetch(make_source(server.url("toy")), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_zip_bomb_leaves_nothing(server, hashes, tmp_path, monkeypatch):
    monkeypatch.setattr(_download, "LARGEST", 2**20)
    server.pages["toy"] = tarred({**CONTENT, "a.txt": bytes(2**21)})
    with pytest.raises(ConnectionError, match="unpacks to more than 1 MB"):
        fetch(make_source(server.url("toy")), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_failed_download_leaves_what_was_there(server, hashes, tmp_path):
    (tmp_path / "Toy" / "corpus").mkdir(parents=True)
    (tmp_path / "Toy" / "corpus" / "a.txt").write_bytes(b"local\tlocal\n")
    server.pages["toy"] = b"no archive"
    with pytest.raises(ConnectionError):
        fetch(make_source(server.url("toy")), tmp_path)
    assert files_in(tmp_path) == ["Toy/corpus/a.txt"]
    assert (tmp_path / "Toy" / "corpus" / "a.txt").read_bytes() == b"local\tlocal\n"


def test_a_file_that_is_there_already_is_not_overwritten(server, hashes, tmp_path):
    (tmp_path / "Toy" / "corpus").mkdir(parents=True)
    (tmp_path / "Toy" / "corpus" / "a.txt").write_bytes(b"local\tlocal\n")
    server.pages["toy"] = zipped(CONTENT)
    paths = fetch(make_source(server.url("toy")), tmp_path)
    assert paths["a.txt"].read_bytes() == b"local\tlocal\n"
    assert paths["b.txt"].read_bytes() == CONTENT["b.txt"]


def test_a_home_that_cannot_be_written_is_named(server, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_bytes(b"")
    with pytest.raises(OSError, match=r"Cannot download into .*file"):
        fetch(make_source(server.url("toy")), blocked / "home")


def test_the_registry_names_hashes_of_files():
    registry = _download.known_hashes()
    assert len(registry) == 41
    for path, digest in registry.items():
        assert path.startswith(("STS/STS", "SICK/"))
        assert len(bytes.fromhex(digest)) == 32


def official_sts_archive(year, folder, prefix="STS", spoil=None):
    """What the organisers serve for a year, put together from the files of the data folder."""
    members = {}
    for path in sorted((DATA / "STS" / f"STS{year % 100}-en-test").glob("STS.*.txt")):
        content = path.read_bytes()
        if path.name == spoil:
            content = content.replace(b"the", b"THE", 1)
        members[f"{folder}/{path.name.replace('STS', prefix, 1)}"] = content
    return zipped(members)


def serve_sts(server, monkeypatch, year, archive):
    server.pages["sts"] = archive
    tasks = [
        dataclasses.replace(task, source=redirect(task.source, server.url("sts")))
        for task in _sts.STS_TASKS
        if task.year == year
    ]
    monkeypatch.setattr(_sts, "STS_TASKS", tasks)


@needs_data
@pytest.mark.parametrize(
    ("year", "folder", "prefix"),
    [(2013, "test-gs", "STS"), (2016, "sts2016-english-with-gs-v1.0", "STS2016")],
)
def test_sts_from_an_archive_like_the_official_one(
    server, tmp_path, monkeypatch, year, folder, prefix
):
    known = fetch_sts(year, data_home=DATA, download_if_missing=False)
    serve_sts(server, monkeypatch, year, official_sts_archive(year, folder, prefix))
    sts = fetch_sts(year, data_home=tmp_path)
    np.testing.assert_array_equal(sts.data, known.data)
    np.testing.assert_array_equal(sts.target, known.target)
    np.testing.assert_array_equal(sts.groups, known.groups)
    server.pages.clear()
    assert len(fetch_sts(year, data_home=tmp_path).data) == len(known.data)


@needs_data
def test_sts_with_one_word_changed_is_refused(server, tmp_path, monkeypatch):
    archive = official_sts_archive(2013, "test-gs", spoil="STS.input.headlines.txt")
    serve_sts(server, monkeypatch, 2013, archive)
    with pytest.raises(ConnectionError, match=r"STS\.input\.headlines\.txt has SHA-256"):
        fetch_sts(2013, data_home=tmp_path)
    assert list(tmp_path.iterdir()) == []


@needs_data
def test_sick_from_an_archive_like_the_official_one(server, tmp_path, monkeypatch):
    files = ("SICK_train.txt", "readme.txt")
    server.pages["train"] = zipped({name: (DATA / "SICK" / name).read_bytes() for name in files})
    urls = [server.url(split) for split in ("train", "trial", "test")]
    monkeypatch.setattr(_sick, "_SOURCE", redirect(_sick._SOURCE, *urls))
    assert fetch_sick("train", data_home=tmp_path).data.shape == (4500, 2)
    assert files_in(tmp_path) == ["SICK/SICK_train.txt", "SICK/readme.txt"]
    assert server.requests == ["train"]


def sts_2017_archives(track_lines):
    """Return both archives of 2017 with made-up pairs, as many as given for each track."""
    pairs, scores = {}, {}
    for track, n_lines in track_lines.items():
        rows = [f"{track} {i}\tother {i}\n" for i in range(n_lines)]
        pairs[f"STS2017.eval.v1.1/STS.input.{track}.txt"] = "".join(rows).encode()
        scores[f"STS2017.gs/STS.gs.{track}.txt"] = b"2.4\n" * n_lines
    return zipped(pairs), zipped(scores)


def serve_sts_2017(server, monkeypatch, track_lines):
    server.pages["pairs"], server.pages["scores"] = sts_2017_archives(track_lines)
    [task] = [task for task in _sts.STS_TASKS if task.year == 2017]
    source = redirect(task.source, server.url("pairs"), server.url("scores"))
    monkeypatch.setattr(_sts, "STS_TASKS", [dataclasses.replace(task, source=source)])
    return [*task.sets, *task.sets_on_request]


def test_all_tracks_of_2017_come_with_one_download(server, tmp_path, monkeypatch):
    [task] = [task for task in _sts.STS_TASKS if task.year == 2017]
    tracks = serve_sts_2017(
        server, monkeypatch, dict.fromkeys([*task.sets, *task.sets_on_request], 250)
    )
    assert len(tracks) == 7
    english = fetch_sts(2017, data_home=tmp_path)
    assert set(english.groups) == {"2017/track5.en-en"}
    server.pages.clear()
    every = fetch_sts(2017, subset=tracks, data_home=tmp_path)
    assert every.data.shape == (7 * 250, 2)
    arabic = every.groups == "2017/track1.ar-ar"
    assert every.data[arabic][3].tolist() == ["track1.ar-ar 3", "other 3"]
    assert server.requests == ["pairs", "scores"]


def test_a_damaged_track_does_not_keep_users_from_another(server, tmp_path, monkeypatch):
    serve_sts_2017(server, monkeypatch, {"track5.en-en": 250, "track1.ar-ar": 249})
    assert len(fetch_sts(2017, data_home=tmp_path).data) == 250
    assert not any("track1" in name for name in files_in(tmp_path))
    with pytest.raises(ConnectionError, match=r"track1\.ar-ar\.txt has 249 lines"):
        fetch_sts(2017, subset="track1.ar-ar", data_home=tmp_path)
