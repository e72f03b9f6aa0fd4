"""The service of examples/serve.py."""

from __future__ import annotations

import runpy
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx")
# Those of the packages, which deprecate one another.
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
SERVE = Path(__file__).parents[2] / "examples" / "serve.py"
PAIRS = [("A man plays a guitar.", "Someone is playing music."), ("A dog runs.", "It rains.")]


@pytest.fixture
def connect(monkeypatch):
    """A function that starts the service with settings, and returns a client of it."""
    from fastapi.testclient import TestClient

    with ExitStack() as stack:

        def connected(**settings):
            for name, value in settings.items():
                monkeypatch.setenv(f"SKPARA_{name}", str(value))
            return stack.enter_context(TestClient(runpy.run_path(str(SERVE))["app"]))

        yield connected


def test_scores_are_those_of_the_model(connect, model, model_file):
    client = connect(MODEL=model_file)
    answer = client.post("/score", json={"pairs": PAIRS})
    assert answer.json()["scores"] == model.predict(PAIRS).tolist()
    health = client.get("/health").json()
    assert (health["status"], health["model"]) == ("ok", model_file.name)


def test_threads_share_the_packaged_vectors(connect):
    client = connect()
    assert client.get("/health").json()["model"] == "packaged vectors"
    assert client.post("/score", json={"pairs": []}).json() == {"scores": []}
    expected = client.post("/score", json={"pairs": PAIRS}).json()["scores"]

    def score(i):
        body = {"pairs": PAIRS[:: -1 if i % 2 else 1]}
        return client.post("/score", json=body).json()["scores"][:: -1 if i % 2 else 1]

    with ThreadPoolExecutor(4) as threads:
        assert all(scores == expected for scores in threads.map(score, range(20)))


def test_other_input_is_refused(connect):
    client = connect(MAX_PAIRS=3, MAX_CHARS=50)
    assert client.post("/score", json={"pairs": [["a" * 50, "b"]] * 3}).status_code == 200
    for pairs in ([["one"]], [["a", 1.5]], [["a", "b"]] * 4, [["a" * 51, "b"]]):
        assert client.post("/score", json={"pairs": pairs}).status_code == 422
    assert client.post("/score", json={}).status_code == 422


@pytest.mark.parametrize("announced", [True, False])
def test_a_large_body_is_refused_before_it_is_read(connect, announced):
    client = connect(MAX_PAIRS=1, MAX_CHARS=10)
    body = b'{"pairs": [["' + b"a" * 100_000 + b'", "b"]]}'
    pieces = (body[i : i + 1000] for i in range(0, len(body), 1000))
    answer = client.post("/score", content=body if announced else pieces)
    assert answer.status_code == 413
    assert "Send fewer pairs" in answer.json()["detail"]
