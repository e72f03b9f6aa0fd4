"""Model files: what they contain, and the errors where they cannot be read."""

from __future__ import annotations

import warnings

import joblib
import numpy as np
import pytest
import sklearn
import sklearn.base

import skpara
from skpara import ParagramEncoder
from skpara.saving import _model_file, load_model, save_model

OTHER = "1.3.2"  # of scikit-learn


class Trap:
    """Sets off when it is unpickled."""

    sprung = False

    def __reduce__(self):
        return Trap._spring, ()

    @staticmethod
    def _spring():
        Trap.sprung = True
        return Trap()

    def predict(self, pairs):
        return np.zeros(len(pairs))


@pytest.fixture
def saved(model, tmp_path):
    return save_model(tmp_path / "new" / "model.skpara", model, data="pairs.tsv", n_pairs=640)


@pytest.fixture
def save_as(tmp_path, monkeypatch):
    """Save an object as if other versions were installed."""

    def save(what, **versions):
        real = _model_file._versions()
        with monkeypatch.context() as patch:
            patch.setattr(_model_file, "_versions", lambda: {**real, **versions})
            return save_model(tmp_path / "other.skpara", what, data="pairs.tsv", n_pairs=3)

    return save


def test_a_model_comes_back_with_its_description(saved, model, sample):
    loaded = load_model(saved)
    np.testing.assert_array_equal(
        loaded.model.predict(sample.data[:5]), model.predict(sample.data[:5])
    )
    assert (loaded.description["data"], loaded.description["n_pairs"]) == ("pairs.tsv", 640)
    versions = loaded.description["versions"]
    assert versions["skpara"] == skpara.__version__
    assert versions["scikit-learn"] == sklearn.__version__
    assert [path.name for path in saved.parent.iterdir()] == ["model.skpara"]


@pytest.mark.parametrize("mmap_mode", [None, "r"])
def test_joblib_reads_a_model_file(saved, model, sample, mmap_mode):
    loaded = joblib.load(saved, mmap_mode=mmap_mode)
    np.testing.assert_array_equal(loaded.predict(sample.data[:5]), model.predict(sample.data[:5]))


def test_what_joblib_wrote_is_read(model_file, model, sample):
    loaded = load_model(model_file)
    assert loaded.description == {}
    np.testing.assert_array_equal(
        loaded.model.predict(sample.data[:5]), model.predict(sample.data[:5])
    )


@pytest.mark.parametrize(
    ("name", "there", "remedy"),
    [
        ("scikit-learn", OTHER, r"pip install 'scikit-learn==1\.3\.\*'"),
        ("numpy", "1.26.4", r"pip install 'numpy==1\.\*'"),
        ("skpara", "0.0.3", r"Install skpara 0\.0, or"),
    ],
)
def test_other_versions_are_refused_before_anything_is_opened(save_as, name, there, remedy):
    path = save_as(Trap(), **{name: there})
    Trap.sprung = False
    with pytest.raises(ValueError, match=f"trained with {name} {there}, and here is .*{remedy}"):
        load_model(path)
    assert not Trap.sprung
    joblib.load(path)  # as it would have been
    assert Trap.sprung


def test_versions_that_agree_in_what_matters_are_read(save_as, model):
    near = ".".join([*sklearn.__version__.split(".")[:2], "99"])
    loaded = load_model(save_as(model, **{"scikit-learn": near, "python": "3.99.1"}))
    assert loaded.description["versions"]["scikit-learn"] == near


@pytest.mark.parametrize("described", [True, False])
def test_a_model_of_another_scikit_learn_is_refused_in_any_file(
    model, tmp_path, monkeypatch, described
):
    path = tmp_path / "model"
    with monkeypatch.context() as patch:
        patch.setattr(sklearn.base, "__version__", OTHER)  # what estimators put in their pickles
        if described:
            save_model(path, model, data="pairs.tsv", n_pairs=3)
        else:
            joblib.dump(model, path)
    with pytest.raises(ValueError, match=f"trained with scikit-learn {OTHER}"):
        load_model(path)


def test_another_patch_of_scikit_learn_is_read_without_a_word(model, tmp_path, monkeypatch):
    near = ".".join([*sklearn.__version__.split(".")[:2], "99"])
    with monkeypatch.context() as patch:
        patch.setattr(sklearn.base, "__version__", near)
        joblib.dump(model, tmp_path / "model")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        load_model(tmp_path / "model")


def test_a_newer_form_of_file_is_refused(model, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(_model_file, "_FORMAT", 2)
        path = save_model(tmp_path / "model", model, data="pairs.tsv", n_pairs=3)
    with pytest.raises(ValueError, match=r"in a newer form than .* reads: upgrade skpara"):
        load_model(path)


@pytest.mark.parametrize("part", [0.0, 0.001, 0.3, 0.9, 0.97])
def test_a_file_that_is_cut_short(saved, tmp_path, part):
    content = saved.read_bytes()
    cut = tmp_path / "cut"
    cut.write_bytes(content[: int(part * (len(content) - 400))])
    with pytest.raises(ValueError, match=r"cannot be read as a model .* cut short"):
        load_model(cut)


def test_a_changed_byte_is_noticed_before_anything_is_opened(save_as, tmp_path):
    content = bytearray(save_as(Trap()).read_bytes())
    for place in (10, content.index(b'"crc32"') + 3):
        changed = bytearray(content)
        changed[place] ^= 1
        (tmp_path / "changed").write_bytes(changed)
        Trap.sprung = False
        with pytest.raises(ValueError, match="is damaged: fetch or copy it again"):
            load_model(tmp_path / "changed")
        assert not Trap.sprung


@pytest.mark.parametrize(
    "content", [b"", b"sentence1\tsentence2\n", b"\x80\x05garbage", b"PK\x03"]
)
def test_files_that_are_no_models(tmp_path, content):
    path = tmp_path / "pairs.tsv"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"pairs\.tsv cannot be read as a model"):
        load_model(path)


def test_an_object_that_predicts_nothing(tmp_path):
    path = tmp_path / "encoder.joblib"
    joblib.dump(ParagramEncoder(), path)
    with pytest.raises(ValueError, match="holds ParagramEncoder, which predicts no scores"):
        load_model(path)


def test_a_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="There is no file"):
        load_model(tmp_path / "nothing")


def test_warnings_of_other_things_are_passed_on(tmp_path):
    joblib.dump(Warns(), tmp_path / "model")
    with pytest.warns(UserWarning, match="creaks"):
        load_model(tmp_path / "model")


class Warns(Trap):
    def __reduce__(self):
        return _creaking, ()


def _creaking():
    warnings.warn("it creaks", stacklevel=1)
    return Warns()
