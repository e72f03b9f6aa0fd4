"""The service of examples/serve.py."""

from __future__ import annotations

import asyncio
import runpy
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from skpara import LexicalFeatures, SiameseClassifier, TableMatcher, save_model

pytest.importorskip("fastapi")
pytest.importorskip("httpx")
# Those of the packages, which deprecate one another.
pytestmark = pytest.mark.filterwarnings("ignore")
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


def test_a_matcher_answers_with_matches(connect, tmp_path):
    matcher = TableMatcher().fit(["red bicycle", "garden chair"])
    client = connect(MODEL=save_model(matcher, tmp_path / "m.skpara"))
    rows = ["a bike (red)", "birthday cake"]
    [[first], second] = client.post("/match", json={"rows": rows}).json()["matches"]
    expected = matcher.match(rows)["probability"][0]
    assert first == {"match": "red bicycle", "probability": pytest.approx(expected)}
    assert second == []
    assert client.post("/score", json={"pairs": PAIRS}).status_code == 404
    assert client.post("/match", json={"rows": [["a", "b"]]}).status_code == 422
    assert connect(MODEL="").post("/match", json={"rows": rows}).status_code == 404


@pytest.mark.parametrize("labels", [["other", "same"], [0, 1, 2]])
def test_classifiers_answer_with_probabilities(connect, tmp_path, labels):
    y = [labels[i % len(labels)] for i in range(12)]
    classifier = SiameseClassifier("average", max_iter=1, random_state=0).fit(PAIRS * 6, y)
    client = connect(MODEL=save_model(classifier, tmp_path / "classes.skpara"))
    answer = client.post("/score", json={"pairs": PAIRS}).json()
    assert answer["classes"] == labels
    assert answer["labels"] == classifier.predict(PAIRS).tolist()
    assert answer["probabilities"] == classifier.predict_proba(PAIRS).tolist()


def test_a_model_that_scores_no_pairs_is_refused_at_the_start(connect, tmp_path):
    path = save_model(LexicalFeatures("counts").fit(PAIRS), tmp_path / "features.skpara")
    with pytest.raises(RuntimeError, match=r"features\.skpara cannot be served"):
        connect(MODEL=path)


LARGE = "1," * 400_000 + "1"


@pytest.mark.parametrize(
    "body",
    [
        *("", "{}", "[]", "nonsense", b"\xff", "[" * 100_000, '{"pairs": NaN}', '{"pairs": 1}'),
        *('[["one"]]', '[["a", 1.5]]', '[["a", null]]', '[["a", Infinity]]', '[["a", "\\ud800"]]'),
        *('["ab"]', '[{"a": 1, "b": 2}]', str([["a", "b"]] * 4).replace("'", '"'), "1" * 5000),
        *(f'[["{"a" * 51}", "b"]]', f"[{LARGE}]", f"[[{LARGE}]]", f'[["a", "{LARGE}"]]'),
        f'{{"pairs": [["a", "b"]], "more": [{LARGE}]}}',  # which would take long to read
    ],
    ids=lambda body: body[:20],
)
def test_other_input_is_refused_and_not_repeated(connect, body):
    client = connect(MAX_PAIRS=3, MAX_CHARS=50)
    assert client.post("/score", json={"pairs": [['[{,"\\' * 10, "b"]] * 3}).status_code == 200
    content = f'{{"pairs": {body}}}' if body[:1] == "[" and len(body) > 2 else body
    answer = client.post("/score", content=content)
    assert answer.status_code == 422
    assert len(answer.content) < 100


@pytest.mark.parametrize("announced", [True, False])
def test_a_large_body_is_refused_before_it_is_read(connect, announced):
    client = connect(MAX_BYTES=1000)
    body = b'{"pairs": [["' + b"a" * 100_000 + b'", "b"]]}'
    pieces = (body[i : i + 1000] for i in range(0, len(body), 1000))
    answer = client.post("/score", content=body if announced else pieces)
    assert answer.status_code == 413
    assert "Send fewer pairs" in answer.json()["detail"]


def test_a_client_that_hangs_up_within_a_body_leaves_no_traceback(connect):
    client = connect()
    parts = iter([{"type": "http.request", "body": b'{"pairs": [["a', "more_body": True}])
    sent = []

    async def receive():
        return next(parts, {"type": "http.disconnect"})

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/score",
        "headers": [],
        "query_string": b"",
    }
    asyncio.run(client.app(scope, receive, send))  # errors of the service are raised here
    assert sent[0]["status"] == 400
