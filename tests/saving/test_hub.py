"""Models are pushed to a hub and pulled from it: a folder, behind huggingface_hub's functions."""

from __future__ import annotations

import pickle
import shutil
from types import SimpleNamespace
from unittest.mock import create_autospec

import numpy as np
import pytest
from safetensors.numpy import save
from sklearn.exceptions import NotFittedError

from skpara import ParagramEncoder, SentenceTransformerFeature
from skpara.saving import from_hub, push_to_hub

huggingface_hub = pytest.importorskip("huggingface_hub")


@pytest.fixture(scope="module")
def api():
    """The class of clients, and its client; calls are checked against the real signatures."""
    client = create_autospec(huggingface_hub.HfApi, instance=True)
    return create_autospec(huggingface_hub.HfApi, return_value=client)


@pytest.fixture
def hub(api, tmp_path, monkeypatch):
    """The folder of the hub's repositories."""
    root = tmp_path / "hub"
    client = api.return_value
    client.create_repo.side_effect = lambda repo_id, private, exist_ok: (root / repo_id).mkdir(
        parents=True, exist_ok=exist_ok
    )
    client.file_exists.side_effect = lambda repo_id, name: (root / repo_id / name).exists()

    def upload_folder(repo_id, folder_path, commit_message):
        shutil.copytree(folder_path, root / repo_id, dirs_exist_ok=True)
        return SimpleNamespace(commit_url=f"https://hub/{repo_id}: {commit_message}")

    def snapshot_download(repo_id, allow_patterns, **options):
        folder = tmp_path / "cache"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for pattern in allow_patterns:
            for path in (root / repo_id).glob(pattern):
                shutil.copy(path, folder)
        return str(folder)

    client.upload_folder.side_effect = upload_folder
    download = create_autospec(huggingface_hub.snapshot_download, side_effect=snapshot_download)
    monkeypatch.setattr(huggingface_hub, "HfApi", api)
    monkeypatch.setattr(huggingface_hub, "snapshot_download", download)
    return root


def test_an_encoder_is_pushed_and_pulled(hub, models):
    encoder = models["rnn"]
    pushed = push_to_hub(encoder, "ada/encoder", token="hf_secret", private=True)
    assert pushed == "https://hub/ada/encoder: Upload ParagramEncoder with skpara"
    assert huggingface_hub.HfApi.call_args.kwargs["token"] == "hf_secret"
    names = sorted(path.name for path in (hub / "ada/encoder").iterdir())
    assert names == ["README.md", "model.safetensors"]
    card = (hub / "ada/encoder/README.md").read_text("utf-8")
    for fact in ("library_name: skpara", "pipeline_tag: sentence-similarity", "ParagramEncoder"):
        assert fact in card
    assert "license:" not in card  # the vectors are not the packaged ones
    again = from_hub("ada/encoder", revision="1f0a2b", local_files_only=True)
    options = huggingface_hub.snapshot_download.call_args.kwargs
    assert options["revision"] == "1f0a2b"
    assert options["local_files_only"]
    sentences = ["w1 w2 unseen", ""]
    np.testing.assert_array_equal(again.encode(sentences), encoder.encode(sentences))


def test_a_model_replaces_the_last_and_the_card_stays(hub, models):
    push_to_hub(models["rnn"], "ada/model")
    (hub / "ada/model/README.md").write_text("Ada's own card.")
    push_to_hub(models["siamese"], "ada/model", commit_message="A regressor")
    assert type(from_hub("ada/model")) is type(models["siamese"])
    assert (hub / "ada/model/README.md").read_text() == "Ada's own card."


def test_the_card_names_the_licence_of_packaged_vectors(hub):
    push_to_hub(ParagramEncoder(max_iter=0).fit([("a", "b")]), "ada/packaged")
    assert "license: cc-by-sa-4.0" in (hub / "ada/packaged/README.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        (None, FileNotFoundError, "eve/model has no model.safetensors"),
        (pickle.dumps([1]), ValueError, "is a pickle"),
        (save({"x": np.zeros(3)}), ValueError, "does not contain a model of skpara"),
    ],
)
def test_other_files_are_refused(hub, content, error, message):
    (hub / "eve/model").mkdir(parents=True)
    if content is not None:
        (hub / "eve/model/model.safetensors").write_bytes(content)
    with pytest.raises(error, match=message):
        from_hub("eve/model")


def test_models_that_cannot_be_saved_are_not_pushed(hub):
    with pytest.raises(NotFittedError):
        push_to_hub(ParagramEncoder(), "eve/refused")
    transformer = SentenceTransformerFeature(ParagramEncoder()).fit([("a", "b")])
    with pytest.raises(TypeError, match="SentenceTransformerFeature"):
        push_to_hub(transformer, "eve/refused")
    assert not hub.exists()
