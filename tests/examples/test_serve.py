"""The service of examples/serve.py."""

from __future__ import annotations

import importlib.util
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sklearn.pipeline import make_pipeline

from skpara import FusionRegressor, LexicalFeatures, save_model

pytest.importorskip("fastapi")
pytest.importorskip("httpx")
# Those of the packages, which deprecate one another.
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
SERVE = Path(__file__).parents[2] / "examples" / "serve.py"
PAIRS = [("A man plays a guitar.", "Someone is playing music."), ("A dog runs.", "It rains.")]


@pytest.fixture
def load_service(monkeypatch):
    """Import the file with settings in the environment."""

    def load(**settings):
        for name, value in settings.items():
            monkeypatch.setenv(f"SKPARA_{name}", str(value))
        spec = importlib.util.spec_from_file_location("serve", SERVE)
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, "serve", module)
        spec.loader.exec_module(module)
        return module

    return load


@pytest.fixture
def connect(load_service):
    """A client of the service, which is started."""
    from fastapi.testclient import TestClient

    clients = []

    def connected(**settings):
        client = TestClient(load_service(**settings).app)
        clients.append(client)
        return client.__enter__()

    yield connected
    for client in clients:
        client.__exit__(None, None, None)


def test_health_names_the_model(connect):
    answer = connect().get("/health")
    assert answer.status_code == 200
    assert answer.json()["status"] == "ok"
    assert answer.json()["model"] == "packaged vectors"


def test_scores_are_those_of_the_model(connect, tmp_path, sample):
    model = make_pipeline(LexicalFeatures("counts"), FusionRegressor(random_state=0))
    path = save_model(model.fit(sample.data[:80], sample.target[:80]), tmp_path / "m.skpara")
    client = connect(MODEL=path)
    answer = client.post("/score", json={"pairs": PAIRS})
    assert answer.json()["scores"] == model.predict(PAIRS).tolist()
    assert client.get("/health").json()["model"] == "m.skpara"


def test_threads_share_the_model(connect):
    client = connect()
    expected = client.post("/score", json={"pairs": PAIRS}).json()["scores"]

    def score(i):
        body = {"pairs": PAIRS[:: -1 if i % 2 else 1]}
        return client.post("/score", json=body).json()["scores"][:: -1 if i % 2 else 1]

    with ThreadPoolExecutor(4) as threads:
        assert all(scores == expected for scores in threads.map(score, range(20)))


def test_no_pairs_have_no_scores(connect):
    assert connect().post("/score", json={"pairs": []}).json() == {"scores": []}


@pytest.mark.parametrize(
    "body",
    [
        {"pairs": [["one sentence"]]},
        {"pairs": [["a", 1.5]]},
        {"pairs": [["a", "b"]] * 4},
        {"pairs": [["a" * 51, "b"]]},
        {},
    ],
    ids=["no pair", "no sentence", "too many pairs", "too long a sentence", "no pairs"],
)
def test_other_input_is_refused(connect, body):
    client = connect(MAX_PAIRS=3, MAX_CHARS=50)
    assert client.post("/score", json=body).status_code == 422
    assert client.post("/score", json={"pairs": [["a" * 50, "b"]] * 3}).status_code == 200


@pytest.mark.parametrize("announced", [True, False])
def test_a_large_body_is_refused_before_it_is_read(connect, announced):
    client = connect(MAX_PAIRS=1, MAX_CHARS=10)
    body = b'{"pairs": [["' + b"a" * 100_000 + b'", "b"]]}'
    pieces = (body[i : i + 1000] for i in range(0, len(body), 1000))
    answer = client.post("/score", content=body if announced else pieces)
    assert answer.status_code == 413
    assert "Send fewer pairs" in answer.json()["detail"]
