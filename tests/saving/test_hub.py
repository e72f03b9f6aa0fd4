"""Models are pushed to a hub and pulled from it, by HTTP to a small server on this machine."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import pickle
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.slow

pytest.importorskip("huggingface_hub")


class Hub(ThreadingHTTPServer):
    """Repositories with one branch; each commit has a full tree."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Requests)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.commits = {}  # of each repository: (sha, {path: bytes}), oldest first
        self.private = {}
        self.large = {}  # what was uploaded by LFS, under its SHA-256
        self.requests = []

    def tree(self, repo, revision):
        commits = self.commits[repo]
        return next(c for c in reversed(commits) if revision in ("main", c[0]))

    def commit(self, repo, files):
        sha = hashlib.sha1(repr((repo, len(self.commits[repo]))).encode()).hexdigest()
        self.commits[repo].append((sha, files))
        return sha


class Requests(BaseHTTPRequestHandler):
    """The endpoints that huggingface_hub requests to push and to pull."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, content, status=200, **headers):
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in {"Content-Length": len(body), **headers}.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def missing(self, code):
        self.answer({"error": code}, 404, X_Error_Code=code)

    def handle_one(self):
        hub, path = self.server, self.path.split("?")[0]
        hub.requests.append((self.command, path, self.headers.get("Authorization")))
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if path == "/api/repos/create":
            fields = json.loads(raw)
            repo = f"{fields['organization']}/{fields['name']}"
            if repo in hub.commits:
                error = {"error": "You already created this", "url": f"{hub.url}/{repo}"}
                return self.answer(error, 409)
            hub.commits[repo] = []
            # The field depends on the version of huggingface_hub.
            hub.private[repo] = fields.get("visibility") == "private" or fields.get("private")
            hub.commit(repo, {".gitattributes": b""})
            return self.answer({"url": f"{hub.url}/{repo}"})
        if path == "/api/validate-yaml":
            return self.answer({"errors": [], "warnings": []})
        if match := re.fullmatch(r"/lfs/(\w+)", path):
            assert hashlib.sha256(raw).hexdigest() == match[1]
            hub.large[match[1]] = raw
            return self.answer(b"")
        if match := re.fullmatch(r"/(.+)\.git/info/lfs/objects/batch", path):
            objects = [
                {**item, "actions": {"upload": {"href": f"{hub.url}/lfs/{item['oid']}"}}}
                for item in json.loads(raw)["objects"]
            ]
            return self.answer({"transfer": "basic", "objects": objects})
        if match := re.fullmatch(r"/api/models/([^/]+/[^/]+)/(\w+)/(\w+)", path):
            return self.of_a_model(*match.groups(), raw)
        if match := re.fullmatch(r"/api/models/([^/]+/[^/]+)", path):
            return self.of_a_model(match[1], "revision", "main", raw)
        if match := re.fullmatch(r"/([^/]+/[^/]+)/resolve/(\w+)/(.+)", path):
            return self.file(*match.groups())
        raise AssertionError(f"The hub of the tests does not know {self.command} {self.path}")

    do_GET = do_HEAD = do_POST = do_PUT = handle_one

    def of_a_model(self, repo, what, revision, raw):
        if repo not in self.server.commits:
            return self.missing("RepoNotFound")
        sha, files = self.server.tree(repo, revision)
        if what == "revision":
            names = [{"rfilename": name} for name in files]
            return self.answer({"id": repo, "sha": sha, "siblings": names})
        if what == "tree":
            return self.answer(
                [
                    {"type": "file", "path": p, "size": len(c), "oid": hashlib.sha1(c).hexdigest()}
                    for p, c in files.items()
                ]
            )
        if what == "preupload":
            modes = [
                {
                    "path": file["path"],
                    "uploadMode": "regular" if file["path"].endswith(".md") else "lfs",
                    "shouldIgnore": False,
                }
                for file in json.loads(raw)["files"]
            ]
            return self.answer({"files": modes})
        assert what == "commit"
        files = dict(files)
        for line in raw.splitlines():
            entry = json.loads(line)
            value = entry["value"]
            if entry["key"] == "file":
                files[value["path"]] = base64.b64decode(value["content"])
            elif entry["key"] == "lfsFile":
                files[value["path"]] = self.server.large[value["oid"]]
            elif entry["key"] == "deletedFile":
                del files[value["path"]]
        sha = self.server.commit(repo, files)
        url = f"{self.server.url}/{repo}/commit/{sha}"
        return self.answer({"success": True, "commitUrl": url, "commitOid": sha})

    def file(self, repo, revision, path):
        if repo not in self.server.commits:
            return self.missing("RepoNotFound")
        sha, files = self.server.tree(repo, revision)
        if path not in files:
            return self.missing("EntryNotFound")
        etag = hashlib.sha256(files[path]).hexdigest()
        return self.answer(files[path], X_Repo_Commit=sha, ETag=f'"{etag}"')


@pytest.fixture(scope="module")
def hub():
    with Hub() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def run(hub, tmp_path_factory):
    """Run code in a process where huggingface_hub, which reads its settings at import, sees it."""
    folder = tmp_path_factory.mktemp("hub")
    env = os.environ | {
        "HF_ENDPOINT": hub.url,
        "HF_HOME": str(folder / "cache"),
        "HF_HUB_DISABLE_XET": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[2]), *sys.path]),
    }
    for name in ("HF_HUB_OFFLINE", "HF_TOKEN"):
        env.pop(name, None)
    process = subprocess.Popen(
        [sys.executable, "-c", WORKER],
        env=env,
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def run(code):
        process.stdin.write(json.dumps(code) + "\n")
        process.stdin.flush()
        printed, error = json.loads(process.stdout.readline())
        assert not error, error
        return printed

    yield run
    process.stdin.close()
    process.stdout.close()
    process.wait(timeout=60)


WORKER = """
import contextlib, io, json, sys, traceback
import numpy as np
from skpara.saving import from_hub, push_to_hub
from skpara import (
    ParagramEncoder, SentenceTransformerFeature, SiameseLSTMRegressor, WordVectors
)

WORDS = [f"w{i}" for i in range(30)]
VECTORS = WordVectors(WORDS, np.random.default_rng(0).standard_normal((30, 6)))
PAIRS = [(f"w{i} w{i + 1}", f"w{i} w{i + 2}") for i in range(24)]
SCORES = np.linspace(0, 5, 24)
for line in sys.stdin:
    printed, error = io.StringIO(), ""
    with contextlib.redirect_stdout(printed):
        try:
            exec(json.loads(line), dict(globals()))
        except Exception:
            error = traceback.format_exc()
    print(json.dumps([printed.getvalue(), error]), flush=True)
"""


def test_an_encoder_is_pushed_and_pulled(hub, run):
    pushed = run(
        """
encoder = ParagramEncoder(vectors=VECTORS, max_iter=1, random_state=0).fit(PAIRS)
print(push_to_hub(encoder, "ada/encoder", token="hf_secret", private=True))
np.save("before.npy", encoder.encode(["w1 w2 unseen", ""]))
"""
    )
    sha, files = hub.tree("ada/encoder", "main")
    assert pushed.strip() == f"{hub.url}/ada/encoder/commit/{sha}"
    assert sorted(files) == [".gitattributes", "README.md", "model.safetensors"]
    assert hub.private["ada/encoder"]
    assert {token for *_, token in hub.requests} <= {None, "Bearer hf_secret"}
    card = files["README.md"].decode()
    for fact in ("library_name: skpara", "pipeline_tag: sentence-similarity", "ParagramEncoder"):
        assert fact in card
    assert "license:" not in card  # the vectors are not the packaged ones
    pulled = """
encoder = from_hub("ada/encoder", local_files_only=LOCAL)
assert type(encoder) is ParagramEncoder
assert isinstance(encoder.vectors_.layers.table.base, np.memmap)
np.testing.assert_array_equal(encoder.encode(["w1 w2 unseen", ""]), np.load("before.npy"))
"""
    run(pulled.replace("LOCAL", "False"))
    hub.requests.clear()
    run(pulled.replace("LOCAL", "True"))
    assert hub.requests == []


def test_a_model_replaces_the_last_and_the_card_stays(hub, run):
    run(
        """
regressor = SiameseLSTMRegressor(VECTORS, hidden_size=4, dense_size=3, max_iter=1, random_state=0)
print(push_to_hub(regressor.fit(PAIRS, SCORES), "ada/model"))
assert type(from_hub("ada/model")) is SiameseLSTMRegressor
np.testing.assert_array_equal(from_hub("ada/model").predict(PAIRS), regressor.predict(PAIRS))
"""
    )
    first, files = hub.tree("ada/model", "main")
    files["README.md"] += b"\nLearned from pairs of Ada's.\n"
    run(
        """
encoder = ParagramEncoder(vectors=VECTORS, max_iter=1, random_state=0).fit(PAIRS)
push_to_hub(encoder, "ada/model", commit_message="An encoder")
assert type(from_hub("ada/model")) is ParagramEncoder
assert type(from_hub("ada/model", revision="FIRST")) is SiameseLSTMRegressor
""".replace("FIRST", first)
    )
    _, files = hub.tree("ada/model", "main")
    assert sorted(files) == [".gitattributes", "README.md", "model.safetensors"]
    assert files["README.md"].endswith(b"Ada's.\n")


def test_the_card_names_the_licence_of_packaged_vectors(hub, run):
    run('push_to_hub(ParagramEncoder(max_iter=0).fit(PAIRS), "ada/packaged")')
    card = hub.tree("ada/packaged", "main")[1]["README.md"].decode()
    assert "license: cc-by-sa-4.0" in card


def test_other_files_are_refused(hub, run):
    for name in ("empty", "pickle", "arrays"):
        hub.commits[f"eve/{name}"] = []
    hub.commit("eve/empty", {"README.md": b"nothing"})
    hub.commit("eve/pickle", {"model.safetensors": pickle.dumps([1])})
    from safetensors.numpy import save as arrays

    hub.commit("eve/arrays", {"model.safetensors": arrays({"x": np.zeros(3)})})
    out = run(
        """
for name in ("empty", "pickle", "arrays", "missing"):
    try:
        from_hub(f"eve/{name}")
    except Exception as error:
        print(type(error).__name__, str(error).splitlines()[0])
for model in (ParagramEncoder(), SentenceTransformerFeature(ParagramEncoder()).fit(PAIRS)):
    try:
        push_to_hub(model, "eve/refused")
    except Exception as error:
        print(type(error).__name__)
"""
    ).splitlines()
    assert out[0].startswith("FileNotFoundError eve/empty has no model.safetensors")
    assert re.match(r"ValueError .*is a pickle", out[1])
    assert re.match(r"ValueError .*does not contain a model of skpara", out[2])
    assert out[3].startswith("RepositoryNotFoundError")
    assert out[4:] == ["NotFittedError", "TypeError"]
    assert "eve/refused" not in hub.commits
