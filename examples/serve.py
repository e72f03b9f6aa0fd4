"""Serve the scores of a model over HTTP, with FastAPI.

    pip install fastapi uvicorn pandas
    SKPARA_MODEL=sts.skpara uvicorn --app-dir examples serve:app

Without ``SKPARA_MODEL`` the score is the cosine of the packaged vectors, from 0 to 1.

    GET  /health   {"status": "ok", "model": "sts.skpara", "version": "0.2.0"}
    POST /score    {"pairs": [["A dog runs.", "Dogs run."]]} gives {"scores": [4.5]}, or for a
                   classifier {"labels": ["same"], "classes": ["other", "same"],
                   "probabilities": [[0.1, 0.9]]}
    POST /match    with a TableMatcher: {"rows": ["red bike"]}, or with several columns
                   {"rows": [["Ann Lee", "1970"]]}, gives for each row its matches, with the
                   columns that are compared: {"matches": [[{"name": "bicycle, red",
                   "probability": 0.98}]]}

The model is read once and shared by the threads of the server: ``predict`` does not change it. A
model that cannot be served ends the service at its start.

Limits protect the service: at most ``SKPARA_MAX_BYTES`` bytes a request (4,000,000), refused with
status 413; at most ``SKPARA_MAX_PAIRS`` pairs or rows (1,000) and ``SKPARA_MAX_CHARS`` characters
a sentence (5,000), refused with status 422, before the model sees them. No answer repeats the
request. There is no authentication: run it behind a server that has some.
"""

from __future__ import annotations

import json
import os
import re
from contextlib import asynccontextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import pandas as pd
from fastapi import FastAPI, HTTPException, Request
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse

import skpara
from skpara.fusion import make_cosine_scorer

MAX_BYTES = int(os.environ.get("SKPARA_MAX_BYTES", "4000000"))
MAX_PAIRS = int(os.environ.get("SKPARA_MAX_PAIRS", "1000"))
MAX_CHARS = int(os.environ.get("SKPARA_MAX_CHARS", "5000"))
# What JSON has one of for each value: counted before JSON is read, which needs 1.5 s for 4 MB of
# empty lists. Brackets and commas within strings do not count.
TOKENS = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[\[{,]')
PAIRS_SCHEMA = {
    "type": "object",
    "properties": {"pairs": {"type": "array", "items": {"type": "array", "items": {}}}},
    "example": {"pairs": [["A dog runs.", "Dogs are running."]]},
}


@asynccontextmanager
async def load(app: FastAPI) -> Any:
    """Load the model before the first request, and score a pair, which reads its tables."""
    path = os.environ.get("SKPARA_MODEL")
    app.state.name = Path(path).name if path else "packaged vectors"
    app.state.model = skpara.load_model(path) if path else make_cosine_scorer(score_range=(0, 1))
    try:
        if hasattr(app.state.model, "match"):
            matches_of(app.state.model, [["A dog runs."] * len(app.state.model.kinds_)])
        else:
            JSONResponse(answer(app.state.model, [["A dog runs.", "Dogs run."]]))
    except (AttributeError, TypeError, ValueError) as error:
        raise RuntimeError(
            f"{path} cannot be served: it must score pairs, or tell labels that JSON has. {error}"
        ) from error
    yield


app = FastAPI(title="skpara", version=skpara.__version__, lifespan=load)


@app.get("/health")
async def health(request: Request) -> dict[str, str]:
    """Say that the model is loaded."""
    name, version = request.app.state.name, skpara.__version__
    return {"status": "ok", "model": name, "version": version}


@app.post(
    "/score",
    openapi_extra={"requestBody": {"content": {"application/json": {"schema": PAIRS_SCHEMA}}}},
)
async def score(request: Request) -> JSONResponse:
    """Score a batch of pairs."""
    model = request.app.state.model
    if hasattr(model, "match"):
        raise HTTPException(404, "The model matches rows: POST /match.")
    # FastAPI would validate the body while all other requests wait, and answer with all of it.
    body = await read_body(request)
    # In a thread, so other requests are answered meanwhile.
    return JSONResponse(
        await run_in_threadpool(lambda: answer(model, read_rows(body, "pairs", 2)))
    )


@app.post("/match")
async def match(request: Request) -> JSONResponse:
    """Find the matches of a batch of rows."""
    model = request.app.state.model
    if not hasattr(model, "match"):
        raise HTTPException(404, "The model scores pairs: POST /score.")
    body, n_columns = await read_body(request), len(model.kinds_)
    return JSONResponse(
        await run_in_threadpool(lambda: matches_of(model, read_rows(body, "rows", n_columns)))
    )


async def read_body(request: Request) -> bytes:
    """Read a body up to the limit, whether its length is announced or not."""
    body = bytearray()
    announced = request.headers.get("content-length", "0")
    if not announced.isdecimal() or int(announced[:19]) <= MAX_BYTES:
        try:
            async for block in request.stream():
                body += block
                if len(body) > MAX_BYTES:
                    break
            else:
                return bytes(body)
        except ClientDisconnect as error:
            raise HTTPException(400, "The body is not whole.") from error  # which nobody reads
    raise HTTPException(413, f"The body has over {MAX_BYTES:,} bytes. Send fewer pairs at once.")


def read_rows(body: bytes, name: str, n_cells: int) -> list[list[str]]:
    """Return the pairs or rows of a body; a row of one cell may be a string."""
    limit = f'The body must be {{"{name}": [...]}}, at most {MAX_PAIRS:,}.'
    # Of each row n_cells strings, as many commas and a bracket; a few more for other keys.
    if next(islice(TOKENS.finditer(body), MAX_PAIRS * (2 * n_cells + 1) + 100, None), None):
        raise HTTPException(422, limit)
    try:
        document = json.loads(body.decode(), parse_constant=refuse_constant)
    except (ValueError, RecursionError) as error:
        raise HTTPException(422, "The body is not JSON.") from error
    rows = document.get(name) if isinstance(document, dict) else None
    if not isinstance(rows, list) or len(rows) > MAX_PAIRS:
        raise HTTPException(422, limit)
    if n_cells == 1:
        rows = [[row] if isinstance(row, str) else row for row in rows]
    for i, row in enumerate(rows):
        if not isinstance(row, list) or len(row) != n_cells or not all(map(is_sentence, row)):
            kind = "Pair" if name == "pairs" else "Row"
            wanted = f"{n_cells} texts of whole characters, at most {MAX_CHARS:,}"
            raise HTTPException(422, f"{kind} {i} must be {wanted}.")
    return rows


def is_sentence(cell: Any) -> bool:
    """Return whether a value is text without halves of characters, and not too long."""
    if not isinstance(cell, str) or len(cell) > MAX_CHARS:
        return False
    try:
        cell.encode()
    except UnicodeEncodeError:
        return False
    return True


def refuse_constant(name: str) -> None:
    """Refuse NaN and Infinity, which are not JSON."""
    raise ValueError(name)


def answer(model: Any, pairs: list[list[str]]) -> dict[str, Any]:
    """Return the scores of pairs, or their labels and the probabilities of all classes."""
    if not hasattr(model, "predict_proba"):
        return {"scores": [float(value) for value in model.predict(pairs)]}
    probabilities = model.predict_proba(pairs)
    labels = model.classes_[probabilities.argmax(axis=1)]
    return {
        "labels": labels.tolist(),
        "classes": model.classes_.tolist(),
        "probabilities": probabilities.tolist(),
    }


def matches_of(matcher: Any, rows: list[list[str]]) -> dict[str, Any]:
    """Return the matches of each row, best first."""
    names = [f"query {number}" for number in range(len(matcher.kinds_))]
    frame = pd.DataFrame(rows, columns=names, dtype=object)
    found = matcher.match(frame, on=names[0] if len(names) == 1 else names).to_frame()
    matches: list[list[dict[str, Any]]] = [[] for _ in rows]
    answers = found.drop(columns=names).to_dict("records")
    for row, match in zip(found.index.tolist(), answers, strict=True):
        matches[row].append(match)
    return {"matches": matches}
