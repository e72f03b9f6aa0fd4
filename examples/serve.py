"""Serve the scores of a model over HTTP, with FastAPI.

    pip install fastapi uvicorn
    SKPARA_MODEL=sts.skpara uvicorn --app-dir examples serve:app

Without ``SKPARA_MODEL`` the score is the cosine of the packaged vectors, from -1 to 1.

    GET  /health   {"status": "ok", "model": "sts.skpara", "version": "0.2.0"}
    POST /score    {"pairs": [["A dog runs.", "Dogs run."]]} gives {"scores": [4.5]}

The model is read once and shared by the threads of the server: ``predict`` does not change it.
Arrays of a ``.skpara`` file are memory-mapped, so workers (``--workers 2``) share one copy.

Limits protect the service: at most ``SKPARA_MAX_PAIRS`` pairs a request (1,000), at most
``SKPARA_MAX_CHARS`` characters a sentence (5,000), and a body of no more bytes than these can
have. A larger request is refused with status 413 or 422, before the model sees it. There is no
authentication: run it behind a server that has some.
"""

from __future__ import annotations

import os
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

from fastapi import FastAPI, HTTPException, Request
from pydantic import BaseModel, Field
from starlette.responses import JSONResponse

import skpara

MAX_PAIRS = int(os.environ.get("SKPARA_MAX_PAIRS", "1000"))
MAX_CHARS = int(os.environ.get("SKPARA_MAX_CHARS", "5000"))
# A character takes at most twelve bytes in JSON, as two escapes of six; and some for the marks.
MAX_BYTES = MAX_PAIRS * 2 * (12 * MAX_CHARS + 8) + 1024

Sentence = Annotated[str, Field(max_length=MAX_CHARS)]


class Pairs(BaseModel):
    """The body of a request."""

    pairs: list[tuple[Sentence, Sentence]] = Field(max_length=MAX_PAIRS)


class Scores(BaseModel):
    """The body of an answer: a score for each pair, in order."""

    scores: list[float]


class Cosine:
    """The packaged vectors without training, with the ``predict`` of a model."""

    def __init__(self) -> None:
        self.encoder = skpara.ParagramEncoder()

    def predict(self, pairs: list[tuple[str, str]]) -> Any:
        """Return the cosines of pairs."""
        return self.encoder.similarity(*zip(*pairs, strict=True))


@asynccontextmanager
async def load(app: FastAPI) -> Any:
    """Load the model before the first request, and score a pair, which reads its tables."""
    path = os.environ.get("SKPARA_MODEL")
    app.state.model = skpara.load_model(path) if path else Cosine()
    app.state.name = Path(path).name if path else "packaged vectors"
    app.state.model.predict([("A dog runs.", "Dogs run.")])
    yield


app = FastAPI(title="skpara", version=skpara.__version__, lifespan=load)


class LimitBody:
    """Refuse a body that is too large, also one whose length is not announced."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Count the bytes as they come in."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        if not announced.isdigit() or int(announced) > MAX_BYTES:
            await self.refusal()(scope, receive, send)
            return
        n_bytes = 0

        async def counted() -> Any:
            nonlocal n_bytes
            message = await receive()
            n_bytes += len(message.get("body", b""))
            if n_bytes > MAX_BYTES:
                raise HTTPException(413, self.message())
            return message

        await self.app(scope, counted, send)

    @staticmethod
    def message() -> str:
        """Say what the limit is."""
        return f"The body has more than {MAX_BYTES:,} bytes. Send fewer pairs at once."

    def refusal(self) -> JSONResponse:
        """Return the answer to a request whose announced length is too large."""
        return JSONResponse({"detail": self.message()}, status_code=413)


app.add_middleware(LimitBody)


@app.get("/health")
async def health(request: Request) -> dict[str, str]:
    """Say that the model is loaded."""
    name, version = request.app.state.name, skpara.__version__
    return {"status": "ok", "model": name, "version": version}


# Not async: the server runs it in a thread, so other requests are answered meanwhile.
@app.post("/score")
def score(body: Pairs, request: Request) -> Scores:
    """Score a batch of pairs."""
    if not body.pairs:
        return Scores(scores=[])
    try:
        predicted = request.app.state.model.predict(body.pairs)
    except ValueError as error:
        raise HTTPException(422, str(error)) from error
    return Scores(scores=[float(value) for value in predicted])
