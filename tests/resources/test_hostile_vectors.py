"""Damaged and hostile files of word vectors are refused by name, in little time and memory."""

from __future__ import annotations

import gzip
import io
import json
import re
import struct
import subprocess
import sys
import zipfile

import numpy as np
import pytest
from gensim.models import KeyedVectors

from skpara import WordVectors

WORDS = ["the", "dog", "bark"]
MATRIX = np.arange(6, dtype="<f4").reshape(3, 2)
ROWS = b"".join(w.encode() + b" " + row.tobytes() for w, row in zip(WORDS, MATRIX, strict=True))


def zipped(**members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def npz(**members):
    return zipped(**{f"{name}.npy": content for name, content in members.items()})


def npy(array, shape=None):
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, allow_pickle=True)
    content = buffer.getvalue()
    if shape is None:
        return content
    header = np.lib.format.magic(1, 0)
    text = repr({"descr": array.dtype.str, "fortran_order": False, "shape": shape}).encode()
    return header + struct.pack("<H", len(text)) + text + array.tobytes()


GOOD_WORDS = npy(np.array(WORDS))
PACKED = npy(np.frombuffer(b"the\ndog\nbark", np.uint8))
# file name: (content, pattern of the message)
HOSTILE = {
    "words-claimed.txt": (b"999999999999 300\nthe 1 2\n", "too small for the"),
    "numbers-claimed.bin": (b"3 999999999999\n" + ROWS, "too small for the"),
    "more-words-claimed.txt": (b"3 2\na 1 2\nb 30000 4\n", "announces 3 words .* has 2"),
    "a-header-of-digits.txt": (b"1" * 5000 + b" 300\n", "too small"),
    "cut-within-a-row.bin": (b"3 2\n" + ROWS[:-3], "is a binary file"),
    "cut-within-a-line.txt": (b"the 1 2\ndog 3", "line 2: expected a word and 2 numbers"),
    "nan.txt": (b"the 1 2\ndog nan 2\n", "'dog' .row 1. is not finite"),
    "infinite.txt": (b"the 1 2\ndog 1e39 2\n", "'dog' .row 1. is not finite"),
    "garbage.txt": (bytes(range(256)) * 40, "line 1"),
    "one-long-line.txt": (b"a " * 2**22, "expected a word and"),
    "empty.txt": (b"", "is empty"),
    "cut.txt.gz": (gzip.compress(b"the 1 2\n" * 99)[:-9], "cannot be unpacked"),
    "no-gzip.txt.gz": (b"the 1 2\n", "cannot be unpacked"),
    "bomb-of-zeros.txt.gz": (lambda: gzip.compress(bytes(2**26)), "expected a word and"),
    "words-claimed.txt.gz": (gzip.compress(b"99999999 300\n"), "too small"),
    "archive.zip": (b"the 1 2\n", "is an archive. Unpack it"),
    "fasttext.bin": (struct.pack("<i", 793_712_314) + bytes(99), "is a binary file.*fastText"),
    "not-a-zip.npz": (b"garbage", "not a readable .npz"),
    "no-arrays.npz": (npz(other=npy(MATRIX)), "must have the arrays"),
    "terabytes.npz": (npz(words=GOOD_WORDS, matrix=npy(MATRIX, (10**12, 2))), "not a readable"),
    "objects.npz": (npz(words=npy(np.array(WORDS, object)), matrix=npy(MATRIX)), "not a readable"),
    "flat.npz": (npz(words=GOOD_WORDS, matrix=npy(MATRIX.ravel())), "two-dimensional"),
    "other-length.npz": (npz(words=GOOD_WORDS, matrix=npy(MATRIX[:2])), "3 words and 2 vectors"),
    "nan.npz": (npz(words=GOOD_WORDS, matrix=npy(MATRIX * np.nan)), "'the' .row 0. is not finite"),
    "huge.txt": (b"the 1 2\ndog 1e38 2\n", "'dog' .row 1. is not finite"),
    "more-scales.npz": (
        npz(words=PACKED, codes=npy(np.ones((3, 2), "i1")), scales=npy(np.ones(5, "f4"))),
        r"scales has shape \(5,\)",
    ),
    "large-codes.npz": (
        npz(words=PACKED, codes=npy(np.full((3, 2), 200)), scales=npy(np.ones(3, "f4"))),
        "codes .* -128 to 127",
    ),
    "garbage.safetensors": (bytes(range(256)), "not a safetensors file"),
    "nested.safetensors": (struct.pack("<Q", 10**5) + b'{"a":' * 20_000, "not a safetensors file"),
}
ALLOWED = 300 * 2**20  # bytes beyond what the interpreter has when all is imported

CHILD = """
import json, resource, sys, time
from skpara import WordVectors
WordVectors.load().lookup(["dog"])
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + int(sys.argv[1]),) * 2)
for path in sys.argv[2:]:
    start = time.process_time()
    try:
        WordVectors.load(path)
        outcome = ["read", ""]
    except BaseException as error:
        outcome = [type(error).__name__, str(error)]
    print(json.dumps([path, *outcome, time.process_time() - start]))
"""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """The outcome of each file in a process with little memory."""
    if not sys.platform.startswith("linux"):
        pytest.skip("the memory limit is that of Linux")
    folder = tmp_path_factory.mktemp("hostile")
    for name, (content, _) in HOSTILE.items():
        (folder / name).write_bytes(content() if callable(content) else content)
    command = [sys.executable, "-c", CHILD, str(ALLOWED), *(str(folder / x) for x in HOSTILE)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    rows = map(json.loads, done.stdout.splitlines())
    return {path.rpartition("/")[2]: (path, *outcome) for path, *outcome in rows}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_refused_by_name_in_little_time_and_memory(outcomes, name):
    path, kind, message, seconds = outcomes[name]
    assert kind == "ValueError", message
    assert path in message
    assert re.search(HOSTILE[name][1], message), message
    assert seconds < 20


@pytest.mark.parametrize("ending", [".txt", ".bin", ".npz", ".safetensors", ".gz"])
def test_a_folder_or_a_missing_file_is_not_found(tmp_path, ending):
    (tmp_path / f"folder{ending}").mkdir()
    for name in (f"folder{ending}", f"nothing{ending}"):
        with pytest.raises(FileNotFoundError, match=name):
            WordVectors.load(tmp_path / name)


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_files_of_gensim_are_read_as_by_gensim(tmp_path, ending):
    rng = np.random.default_rng(0)
    words = [f"w{i}é" for i in range(600)]
    keyed = KeyedVectors(40)
    keyed.add_vectors(words, rng.standard_normal((600, 40)).astype(np.float32))
    path = tmp_path / f"vectors{ending}"
    keyed.save_word2vec_format(str(path))
    expected = KeyedVectors.load_word2vec_format(str(path))
    found = WordVectors.load(path)
    assert found.words == expected.index_to_key
    np.testing.assert_array_equal(found.matrix, expected.vectors)


def test_the_first_of_equal_words_stays(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_text("dog 1 2\ncat 3 4\ndog 5 6\n")
    vectors = WordVectors.load(path)
    assert vectors.words == ["dog", "cat"]
    assert vectors["dog"].tolist() == [1, 2]


def test_words_may_hold_spaces_and_broken_characters(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_bytes(b"dog 1 2\nnew york 3 4\ncaf\xe9 5 6\n")
    vectors = WordVectors.load(path)
    assert vectors.words == ["dog", "new york", "caf\ufffd"]
    assert vectors["new york"].tolist() == [3, 4]
