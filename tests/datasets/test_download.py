"""Files of data sets: found, or downloaded from a server on this machine whole and checked."""

from __future__ import annotations

import contextlib
import dataclasses
import gzip
import hashlib
import io
import tarfile
import threading
import time
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from skpara.datasets import _download, _sources, _sts, fetch_sts, get_data_home
from skpara.datasets._sources import Archive, Source, facts, require_files

CONTENT = {"a.txt": b"one\ttwo\nthree\tfour\n", "b.txt": b"1.0\n2.0\n"}


def zipped(members, compression=zipfile.ZIP_STORED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
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
    """Serves `pages`; can break off in the middle or fail the first requests for a page.

    A page may be a function that sends its answer itself, as long as the server is `open`.
    """

    def __init__(self):
        self.pages: dict[str, Any] = {}
        self.open = True
        self.cut: set[str] = set()
        self.failures: dict[str, int] = {}
        self.moved: dict[str, str] = {}
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
                if name not in outer.pages or outer.failures.get(name, 0) > 0:
                    outer.failures[name] = outer.failures.get(name, 0) - 1
                    self.send_error(404 if name not in outer.pages else 503)
                    return
                body = outer.pages[name]
                if callable(body):
                    with contextlib.suppress(OSError):  # the client hangs up
                        body(outer, self)
                    return
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
        self.open = False
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


@pytest.fixture(autouse=True)
def hashes(monkeypatch, request):
    """Stands for the package's registry, except in tests of official files."""
    registry = {"Toy/corpus/a.txt": hashlib.sha256(CONTENT["a.txt"]).hexdigest()}
    if "data_home" not in request.fixturenames:
        monkeypatch.setattr(_sources, "known_hashes", lambda: registry)


def redirect(source, *urls):
    """The same source, its archives at the addresses given, one each."""
    archives = zip(source.archives, urls, strict=True)
    moved = tuple(dataclasses.replace(archive, urls=(url,)) for archive, url in archives)
    return dataclasses.replace(source, archives=moved)


def toy(*urls, files=tuple(CONTENT), checksum=None):
    archive = Archive(urls, dict.fromkeys(files, 2), checksum)
    return Source("Toy corpus", "Toy/corpus", "the toy page", (archive,), ("toy-v1",))


def fetch(source, home, names=("a.txt", "b.txt"), allow=True):
    return require_files(source, names, home, download_if_missing=allow)


def files_in(home):
    return sorted(str(path.relative_to(home)) for path in home.rglob("*") if path.is_file())


WHOLE = ["Toy/corpus/a.txt", "Toy/corpus/b.txt"]


def test_verified_files_are_put_in_their_folder_once(server, tmp_path):
    members = {f"toy-v1/{name}": data for name, data in CONTENT.items()}
    server.pages["toy"] = zipped(members | {"toy-v1/readme.txt": b"terms", "toy-v1/c": b""})
    home = tmp_path / "new" / "home"
    source = toy(server.url("toy"))
    assert [path.read_bytes() for path in fetch(source, home)] == list(CONTENT.values())
    assert files_in(home) == [*WHOLE, "Toy/corpus/readme.txt"]
    assert [path.name for path in home.iterdir()] == ["Toy"]
    fetch(source, home)
    fetch(source, home, allow=False)
    assert server.requests == ["toy"]


@pytest.mark.parametrize("place", ["Toy/corpus", "corpus", "Toy/toy-v1", "toy-v1"])
def test_local_files_need_no_network(server, tmp_path, place):
    (tmp_path / place).mkdir(parents=True)
    for name, data in CONTENT.items():
        (tmp_path / place / name).write_bytes(data)
    assert {path.parent for path in fetch(toy(server.url("toy")), tmp_path)} == {tmp_path / place}
    assert server.requests == []


def test_only_the_archives_with_missing_files_are_fetched(server, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"No public archive has b\.txt\."):
        fetch(toy(server.url("toy"), files=("a.txt",)), tmp_path)
    assert server.requests == []
    archives = (("first", "a.txt"), ("second", "b.txt"))
    archives = tuple(Archive((server.url(url),), {name: 2}) for url, name in archives)
    source = dataclasses.replace(toy(), archives=archives)
    server.pages["second"] = zipped({"b.txt": CONTENT["b.txt"]})
    fetch(source, tmp_path, names=["b.txt"])
    assert server.requests == ["second"]
    assert files_in(tmp_path) == ["Toy/corpus/b.txt"]


def test_without_permission_nothing_is_downloaded(server, tmp_path):
    with pytest.raises(FileNotFoundError) as raised:
        fetch(toy(server.url("toy")), tmp_path, allow=False)
    for part in (
        *("Toy corpus: missing a.txt, b.txt", str(tmp_path / "Toy" / "corpus"), "the toy page"),
        *(server.url("toy"), "SKPARA_DATA", "data_home=", "download_if_missing=True"),
    ):
        assert part in str(raised.value)
    assert server.requests == list(tmp_path.iterdir()) == []


def test_offline_error_names_files_and_remedy(server, tmp_path):
    address = server.url("toy")
    server.httpd.server_close()  # from now on nobody answers
    with pytest.raises(ConnectionError) as raised:
        fetch(toy(address), tmp_path)
    for part in ("Download failed", address, "missing a.txt, b.txt", "the toy page", "data_home="):
        assert part in str(raised.value)
    assert list(tmp_path.iterdir()) == []


def test_the_next_address_is_tried_and_a_failing_server_again(server, tmp_path, monkeypatch):
    monkeypatch.setattr(_download, "RETRIES", 1)
    server.pages |= {"broken": b"<html>moved</html>", "toy": zipped(CONTENT)}
    server.failures["toy"] = 1
    fetch(toy(*map(server.url, ("gone", "broken", "toy"))), tmp_path)
    assert server.requests == ["gone", "gone", "broken", "toy", "toy"]
    assert files_in(tmp_path) == WHOLE


BAD = {
    "other bytes": (zipped({**CONTENT, "a.txt": b"1\t2\n3\t4\n"}), "a.txt has SHA-256"),
    "too few lines": (zipped({**CONTENT, "b.txt": b"1.0\n"}), "b.txt has 1 lines"),
    "too many lines": (zipped({**CONTENT, "b.txt": b"1.0\n" * 3}), "b.txt has 3 lines"),
    "a file lost": (zipped({"a.txt": CONTENT["a.txt"]}), "does not contain b.txt"),
    "no archive": (b"<html>not here</html>", "not a zip file"),
    "cut before it was served": (zipped(CONTENT)[:60], "not a zip file"),
    "tar without a checksum": (tarred(CONTENT), "not a zip file"),
}


@pytest.mark.parametrize("case", [*BAD, "cut while it is served", "moved"])
def test_a_wrong_archive_leaves_nothing(server, tmp_path, case):
    body, reason = BAD.get(case, (zipped(CONTENT), "Download failed"))
    server.pages["toy"] = body
    if case == "cut while it is served":
        server.cut.add("toy")
    if case == "moved":
        server.moved["toy"] = server.url("toy")
    home = tmp_path / "home"
    with pytest.raises(ConnectionError, match=reason):
        fetch(toy(server.url("toy")), home)
    assert list(home.iterdir()) == []
    assert [path.name for path in tmp_path.iterdir()] == ["home"]


BLOCK = bytes(2**16)


def endless(server, answer):
    answer.send_response(200)
    answer.end_headers()
    while server.open:
        answer.wfile.write(BLOCK)


def endless_gzip(server, answer):
    """Each block is unpacked to a thousand times its size, by a client that unpacks."""
    answer.send_response(200)
    answer.send_header("Content-Encoding", "gzip")
    answer.end_headers()
    block = gzip.compress(bytes(2**26))
    while server.open:
        answer.wfile.write(block)


def announced(server, answer):
    answer.send_response(200)
    answer.send_header("Content-Length", str(10**15))
    answer.end_headers()
    while server.open:
        answer.wfile.write(BLOCK)


def endless_redirect(server, answer):
    answer.send_response(302)
    answer.send_header("Location", server.url("nowhere"))
    answer.end_headers()
    while server.open:
        answer.wfile.write(BLOCK)


def drip(server, answer, text):
    for byte in text:
        if not server.open:
            break
        answer.wfile.write(bytes([byte]))
        answer.wfile.flush()
        time.sleep(0.05)


def slow(server, answer):
    answer.send_response(200)
    answer.send_header("Content-Length", str(len(BLOCK)))
    answer.end_headers()
    drip(server, answer, BLOCK)


def slow_head(server, answer):
    drip(server, answer, b"HTTP/1.0 200 OK\r\nX-Filler: " + b"x" * 2**14)


def elsewhere(server, answer):
    answer.send_response(302)
    answer.send_header("Location", "http://data.invalid/toy.zip")
    answer.end_headers()


STRANGE = {
    endless: "sent more than 5,004,000 bytes",
    endless_gzip: "sent more than 5,004,000 bytes",
    announced: "sent more than 5,004,000 bytes",
    endless_redirect: "404",
    slow: "took more than 0.5 seconds",
    slow_head: "took more than 0.5 seconds",
    elsewhere: "http://data.invalid/toy.zip is not an address of https",
}


@pytest.mark.parametrize("answer", STRANGE)
def test_answers_without_end_or_from_elsewhere_are_refused(server, tmp_path, monkeypatch, answer):
    if answer in (slow, slow_head):
        monkeypatch.setattr(_download, "SECONDS", 0.5)
    server.pages["toy"] = answer
    with pytest.raises(ConnectionError, match=STRANGE[answer]):
        fetch(toy(server.url("toy")), tmp_path)
    assert list(tmp_path.iterdir()) == []


LARGE = {**CONTENT, "c.txt": bytes(10_000_000)}
HOSTILE = {
    "unpacks to too much": (zipped(LARGE, zipfile.ZIP_DEFLATED), "holds 10,000,027 bytes"),
    "tar that unpacks to too much": (tarred(LARGE), "holds 10,000,027 bytes"),
    "chooses its memory": (zipped(CONTENT, zipfile.ZIP_LZMA), "unusual way"),
    **{
        f"{pack.__name__} {name}": (pack({**CONTENT, name: b"evil"}), "outside of its folder")
        for pack in (zipped, tarred)
        for name in ("../evil", "toy/../../evil", "/evil", "..\\evil", "C:\\evil")
    },
}


@pytest.mark.parametrize("case", HOSTILE)
def test_archives_that_fill_the_disk_or_leave_their_folder_are_refused(server, tmp_path, case):
    body, reason = HOSTILE[case]
    name = "toy.tar.gz" if "tar" in case else "toy.zip"
    server.pages[name] = body
    checksum = f"md5:{hashlib.md5(body).hexdigest()}"
    with pytest.raises(ConnectionError, match=reason):
        fetch(toy(server.url(name), checksum=checksum), tmp_path / "home")
    assert files_in(tmp_path) == []


def test_all_addresses_are_of_https():
    sources = [facts(kind)["source"] for kind in ("sick", "sts_benchmark")]
    sources += [task["source"] for task in facts("sts")]
    urls = [url for source in sources for archive in source["archives"] for url in archive["urls"]]
    assert len(urls) == 12
    assert all(url.startswith("https://") for url in urls)


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_an_archive_with_a_checksum_has_its_bytes(server, tmp_path, pack):
    server.pages["toy.tar.gz" if pack is tarred else "toy"] = pack(CONTENT)
    [(name, body)] = server.pages.items()
    source = toy(server.url(name), checksum=f"md5:{hashlib.md5(body).hexdigest()}")
    fetch(source, tmp_path / "right")
    assert files_in(tmp_path / "right") == WHOLE
    server.pages[name] = pack({**CONTENT, "readme.txt": b"the same files, another archive"})
    with pytest.raises(ConnectionError, match="does not match the known hash"):
        fetch(source, tmp_path / "wrong")
    assert list((tmp_path / "wrong").iterdir()) == []


def test_local_files_are_not_overwritten(server, tmp_path):
    (tmp_path / "Toy" / "corpus").mkdir(parents=True)
    (tmp_path / "Toy" / "corpus" / "a.txt").write_bytes(b"local\tlocal\n")
    server.pages["toy"] = b"no archive"
    with pytest.raises(ConnectionError):
        fetch(toy(server.url("toy")), tmp_path)
    assert files_in(tmp_path) == ["Toy/corpus/a.txt"]
    server.pages["toy"] = zipped(CONTENT)
    first, second = fetch(toy(server.url("toy")), tmp_path)
    assert first.read_bytes() == b"local\tlocal\n"
    assert second.read_bytes() == CONTENT["b.txt"]


def test_a_home_that_cannot_be_written_is_named(server, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match=r"Cannot download into .*file"):
        fetch(toy(server.url("toy")), tmp_path / "file" / "home")


def official_sts_archive(data_home, year, folder, prefix):
    """Files that the organisers serve for a year, made from the data folder."""
    members = {}
    for path in sorted((data_home / "STS" / f"STS{year % 100}-en-test").glob("STS.*.txt")):
        members[f"{folder}/{path.name.replace('STS', prefix, 1)}"] = path.read_bytes()
    return zipped(members)


def serve_sts(server, monkeypatch, year, **pages):
    server.pages |= pages
    [task] = [task for task in _sts.sts_tasks() if (task.year, task.split) == (year, "test")]
    source = redirect(task.source, *map(server.url, pages))
    monkeypatch.setattr(_sts, "sts_tasks", lambda: [dataclasses.replace(task, source=source)])
    return [*task.sets, *task.on_request]


@pytest.mark.parametrize(
    ("year", "folder", "prefix"),
    [(2013, "test-gs", "STS"), (2016, "sts2016-english-with-gs-v1.0", "STS2016")],
)
def test_sts_from_an_archive_like_the_official_one(
    server, data_home, tmp_path, monkeypatch, year, folder, prefix
):
    known = fetch_sts(year, data_home=data_home, download_if_missing=False)
    archive = official_sts_archive(data_home, year, folder, prefix)
    serve_sts(server, monkeypatch, year, sts=archive)
    for _ in range(2):
        sts = fetch_sts(year, data_home=tmp_path)
        for name in ("data", "target", "groups"):
            np.testing.assert_array_equal(sts[name], known[name])
        server.pages.clear()


def serve_2017(server, monkeypatch, track_lines):
    """Serve both archives of 2017 with made-up pairs, as many as given for each track."""
    pairs, scores = {}, {}
    for track, n_lines in track_lines.items():
        n_pairs = 500 if track == "track6.tr-en" else n_lines  # half of them were not scored
        rows = [f"{track} {i}\tother {i}\n" for i in range(n_pairs)]
        pairs[f"STS2017.eval.v1.1/STS.input.{track}.txt"] = "".join(rows).encode()
        scores[f"STS2017.gs/STS.gs.{track}.txt"] = b"2.4\n" * n_lines
    return serve_sts(server, monkeypatch, 2017, pairs=zipped(pairs), scores=zipped(scores))


def test_all_tracks_of_2017_come_with_one_download(server, tmp_path, monkeypatch):
    [task] = [task for task in _sts.sts_tasks() if task.year == 2017]
    tracks = serve_2017(server, monkeypatch, dict.fromkeys([*task.sets, *task.on_request], 250))
    assert len(tracks) == 7
    assert set(fetch_sts(2017, data_home=tmp_path).groups) == {"2017/track5.en-en"}
    server.pages.clear()
    every = fetch_sts(2017, subset=tracks, data_home=tmp_path)
    assert every.data.shape == (7 * 250, 2)
    arabic = every.groups == "2017/track1.ar-ar"
    assert every.data[arabic][3].tolist() == ["track1.ar-ar 3", "other 3"]
    assert server.requests == ["pairs", "scores"]


def test_a_damaged_track_does_not_keep_users_from_another(server, tmp_path, monkeypatch):
    serve_2017(server, monkeypatch, {"track5.en-en": 250, "track1.ar-ar": 249})
    assert len(fetch_sts(2017, data_home=tmp_path).data) == 250
    assert not any("track1" in name for name in files_in(tmp_path))
    with pytest.raises(ConnectionError, match=r"track1\.ar-ar\.txt has 249 lines"):
        fetch_sts(2017, subset="track1.ar-ar", data_home=tmp_path)


def test_data_home(monkeypatch, tmp_path):
    monkeypatch.setenv("SKPARA_DATA", str(tmp_path / "environment"))
    assert get_data_home() == tmp_path / "environment"
    assert get_data_home(str(tmp_path)) == get_data_home(tmp_path) == tmp_path
    monkeypatch.chdir(tmp_path)
    assert get_data_home("~/corpora") == Path.home() / "corpora"
    assert get_data_home("corpora") == tmp_path / "corpora"
    monkeypatch.delenv("SKPARA_DATA")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert get_data_home().name == "skpara"
    assert get_data_home().is_absolute()
    assert list(tmp_path.iterdir()) == []
