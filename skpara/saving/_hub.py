"""Models on the Hugging Face hub.

A model is one file there, ``model.safetensors``, which ``save_model`` writes and which runs no
code when it is read. Both functions need ``pip install 'skpara[hub]'``; nothing else in skpara
accesses the hub.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import sklearn

from skpara._compatibility import import_optional
from skpara._version import __version__
from skpara.saving._model_file import load_model, save_model

_MODEL = "model.safetensors"
_CARD = "README.md"
_LIBRARY = {"library_name": "skpara", "library_version": __version__}


def push_to_hub(
    model: Any,
    repo_id: str,
    *,
    token: str | None = None,
    private: bool | None = None,
    commit_message: str | None = None,
) -> str:
    """Upload a fitted model and, where the repository has none, a model card.

    Parameters
    ----------
    model : fitted estimator
        The model to upload.
    repo_id : str
        "user/name"; created if it does not exist.
    token : str, default=None
        None is the one of ``hf auth login`` or ``$HF_TOKEN``.
    private : bool, default=None
        Whether a new repository is private. None is the account's default.
    commit_message : str, default=None
        None names the class of the model.

    Returns
    -------
    str
        Address of the commit.

    Raises
    ------
    sklearn.exceptions.NotFittedError
        If the model is not fitted.
    TypeError
        If a part of it cannot be saved, see :func:`skpara.save_model`.
    """
    client = _hub().HfApi(token=token, **_LIBRARY)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        save_model(model, folder / _MODEL)
        client.create_repo(repo_id, private=private, exist_ok=True)
        if not client.file_exists(repo_id, _CARD):
            (folder / _CARD).write_text(str(_card(model, repo_id)), "utf-8")
        commit = client.upload_folder(
            repo_id=repo_id,
            folder_path=folder,
            commit_message=commit_message or f"Upload {type(model).__name__} with skpara",
        )
    return str(commit.commit_url)


def from_hub(
    repo_id: str,
    *,
    revision: str | None = None,
    token: str | None = None,
    local_files_only: bool = False,
) -> Any:
    """Download a model that :func:`~skpara.saving.push_to_hub` uploaded; a copy is cached.

    Parameters
    ----------
    repo_id : str
        "user/name".
    revision : str, default=None
        Branch, tag or commit; name a commit to be sure that the model does not change.
    token : str, default=None
        None is the one of ``hf auth login`` or ``$HF_TOKEN``.
    local_files_only : bool, default=False
        Whether to use the cache alone, without a network.

    Returns
    -------
    estimator
        The model.

    Raises
    ------
    FileNotFoundError
        If the repository has no model of skpara. If there is no such repository, or it is not in
        the cache, huggingface_hub raises other errors.
    ValueError
        If the file is damaged or of a newer skpara.
    """
    folder = Path(
        _hub().snapshot_download(
            repo_id,
            revision=revision,
            token=token,
            local_files_only=local_files_only,
            allow_patterns=[_MODEL],
            **_LIBRARY,
        )
    )
    if not (folder / _MODEL).is_file():
        raise FileNotFoundError(f"{repo_id} has no {_MODEL}, which push_to_hub writes.")
    return load_model(folder / _MODEL)


def _card(model: Any, repo_id: str) -> Any:
    hub = _hub()
    parameters = model.get_params().items()
    texts = {(name.split("__")[-1], value) for name, value in parameters if type(value) is str}
    packaged = ("vectors", "default") in texts
    facts = hub.ModelCardData(
        library_name="skpara",
        pipeline_tag="sentence-similarity",
        language="en",
        license="cc-by-sa-4.0" if packaged else None,
        tags=["paraphrase", "scikit-learn"],
    )
    return hub.ModelCard(f"""---
{facts.to_yaml()}
---

# {repo_id.split("/")[-1]}

{type(model).__name__} of skpara: scores how alike two English sentences are.

```python
from skpara.saving import from_hub  # pip install 'skpara[hub]'

model = from_hub("{repo_id}")
```

Made with skpara {__version__} and scikit-learn {sklearn.__version__}.
{"It has skpara's word vectors, under CC BY-SA 4.0." if packaged else "Name its licence here."}

Training data and evaluation: not stated yet.

```
{model!r}
```
""")


def _hub() -> Any:
    return import_optional("huggingface_hub", "The Hugging Face hub", install="skpara[hub]")
