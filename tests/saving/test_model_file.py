"""Model files: what they contain, and the errors where they cannot be read."""

from __future__ import annotations

import json
import struct
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
    """Records that it is unpickled."""

    unpickled = False

    def __reduce__(self):
        return Trap._unpickle, ()

    @staticmethod
    def _unpickle():
        Trap.unpickled = True
        return Trap()

    def predict(self, pairs):
        return np.zeros(len(pairs))


@pytest.fixture
def saved(model, tmp_path):
    return save_model(tmp_path / "new" / "model.skpara", model, data="pairs.tsv", n_pairs=640)


@pytest.fixture
def save_as(tmp_path, monkeypatch):
    """Save an object as if other versions were installed."""

    def save(model, **versions):
        real = _model_file._versions()
        with monkeypatch.context() as patch:
            patch.setattr(_model_file, "_versions", lambda: {**real, **versions})
            return save_model(tmp_path / "other.skpara", model, data="pairs.tsv", n_pairs=3)

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


def redescribed(path, change):
    """Change the description of a model file, and write it as the file format says."""
    content, magic = path.read_bytes(), b"\nskpara-model\n"
    (length,) = struct.unpack("<Q", content[-len(magic) - 8 : -len(magic)])
    start = len(content) - len(magic) - 8 - length
    description = json.loads(content[start : start + length])
    change(description)
    text = json.dumps(description).encode()
    path.write_bytes(content[:start] + text + struct.pack("<Q", len(text)) + magic)


def test_names_of_columns_are_part_of_the_description(model, tmp_path):
    path = save_model(tmp_path / "model", model, columns=("question1", "question2"))
    assert load_model(path).description["columns"] == ["question1", "question2"]
    redescribed(path, lambda description: description.update(columns=[3]))
    with pytest.raises(ValueError, match="is damaged"):
        load_model(path)
    redescribed(path, lambda description: description.pop("columns"))  # as it was at first
    assert "columns" not in load_model(path).description


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
    ("name", "version", "remedy"),
    [
        ("scikit-learn", OTHER, r"pip install 'scikit-learn==1\.3\.\*'"),
        ("numpy", "1.26.4", r"pip install 'numpy==1\.\*'"),
        ("skpara", "0.0.3", r"Install skpara 0\.0, or"),
    ],
)
def test_other_versions_are_refused_before_unpickling(save_as, name, version, remedy):
    path = save_as(Trap(), **{name: version})
    Trap.unpickled = False
    with pytest.raises(
        ValueError, match=f"trained with {name} {version}, but .* is installed.*{remedy}"
    ):
        load_model(path)
    assert not Trap.unpickled
    joblib.load(path)  # which checks nothing
    assert Trap.unpickled


def test_versions_that_agree_in_what_matters_are_read(save_as, model):
    near = ".".join([*sklearn.__version__.split(".")[:2], "99"])
    loaded = load_model(save_as(model, **{"scikit-learn": near, "python": "3.99.1"}))
    assert loaded.description["versions"]["scikit-learn"] == near


@pytest.mark.parametrize("described", [True, False])
def test_another_scikit_learn_is_refused_in_any_file(model, tmp_path, monkeypatch, described):
    path = tmp_path / "model"
    with monkeypatch.context() as patch:
        patch.setattr(sklearn.base, "__version__", OTHER)  # what estimators put in their pickles
        if described:
            save_model(path, model, data="pairs.tsv", n_pairs=3)
        else:
            joblib.dump(model, path)
    with pytest.raises(ValueError, match=f"trained with scikit-learn {OTHER}"):
        load_model(path)


def test_a_patch_of_scikit_learn_causes_no_warning(model, tmp_path, monkeypatch):
    near = ".".join([*sklearn.__version__.split(".")[:2], "99"])
    with monkeypatch.context() as patch:
        patch.setattr(sklearn.base, "__version__", near)
        joblib.dump(model, tmp_path / "model")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        load_model(tmp_path / "model")


def test_a_newer_format_is_refused(model, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(_model_file, "_FORMAT", 2)
        path = save_model(tmp_path / "model", model, data="pairs.tsv", n_pairs=3)
    with pytest.raises(ValueError, match=r"in a newer format than .* reads: upgrade skpara"):
        load_model(path)


@pytest.mark.parametrize("part", [0.0, 0.001, 0.3, 0.9, 0.97])
def test_a_truncated_file_is_refused(saved, tmp_path, part):
    content = saved.read_bytes()
    cut = tmp_path / "cut"
    cut.write_bytes(content[: int(part * (len(content) - 400))])
    with pytest.raises(ValueError, match=r"cannot be read as a model .* truncated"):
        load_model(cut)


def test_a_changed_byte_is_noticed_before_unpickling(save_as, tmp_path):
    content = bytearray(save_as(Trap()).read_bytes())
    for position in (10, content.index(b'"crc32"') + 3):
        changed = bytearray(content)
        changed[position] ^= 1
        (tmp_path / "changed").write_bytes(changed)
        Trap.unpickled = False
        with pytest.raises(ValueError, match="is damaged: fetch or copy it again"):
            load_model(tmp_path / "changed")
        assert not Trap.unpickled


@pytest.mark.parametrize(
    "content", [b"", b"sentence1\tsentence2\n", b"\x80\x05garbage", b"PK\x03"]
)
def test_other_files_are_refused(tmp_path, content):
    path = tmp_path / "pairs.tsv"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"pairs\.tsv cannot be read as a model"):
        load_model(path)


def test_an_object_without_predict_is_refused(tmp_path):
    path = tmp_path / "encoder.joblib"
    joblib.dump(ParagramEncoder(), path)
    with pytest.raises(ValueError, match="contains a ParagramEncoder, which has no predict"):
        load_model(path)


def test_a_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="There is no file"):
        load_model(tmp_path / "nothing")


def test_other_warnings_are_passed_on(tmp_path):
    joblib.dump(Warns(), tmp_path / "model")
    with pytest.warns(UserWarning, match="a warning"):
        load_model(tmp_path / "model")


class Warns(Trap):
    def __reduce__(self):
        return _warns, ()


def _warns():
    warnings.warn("a warning", stacklevel=1)
    return Warns()
