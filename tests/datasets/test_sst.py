"""The Stanford Sentiment Treebank, from made-up files of both formats."""

from __future__ import annotations

import pytest

from skpara.datasets import fetch_sst

TREES = [
    "(4 (2 It) (4 (2 's) (3 (3 good) (2 -LRB-really-RRB-))))",
    "(2 (2 A) (2 (2 film) (2 .)))",
    "(0 (1 Not) (0 bad))",
    r"(1 (2 either\/or) (1 fails))",
]
SENTENCES = ["it works\t1", "it is (sadly) broken\t0"]


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "SST"
    folder.mkdir()
    (folder / "train.txt").write_text("\n".join(TREES) + "\n")
    for kind, lines in (("binary", SENTENCES), ("fine", ["so so\t2", "great\t4", "poor\t0"])):
        (folder / kind).mkdir()
        (folder / kind / "sentiment-test").write_text("\r\n".join(lines) + "\r\n")
    return tmp_path


def test_trees_give_two_classes_without_neutral_sentences(home):
    sst = fetch_sst(data_home=home)
    assert sst.data.tolist() == ["It 's good (really)", "Not bad", "either/or fails"]
    assert sst.target.tolist() == [1, 0, 0]
    assert sst.target_names == ["negative", "positive"]
    assert sst.groups.tolist() == [1, 3, 4]


def test_trees_give_five_classes(home):
    X, y = fetch_sst(data_home=home, fine_grained=True, return_X_y=True)
    assert X[1] == "A film ."
    assert y.tolist() == [4, 2, 0, 1]


def test_phrases_follow_their_sentence_and_share_its_group(home):
    sst = fetch_sst(data_home=home, phrases=True, fine_grained=True)
    first = sst.groups == 1
    assert sst.data[first].tolist() == [
        "It 's good (really)",
        "'s good (really)",
        "good (really)",
        "(really)",
        "good",
        "'s",
        "It",
    ]
    assert sst.target[first].tolist() == [4, 4, 3, 2, 3, 2, 2]


@pytest.mark.parametrize(("fine", "labels"), [(False, [1, 0]), (True, [2, 4, 0])])
def test_sentences_of_senteval(home, fine, labels):
    sst = fetch_sst("test", data_home=home, fine_grained=fine)
    assert sst.target.tolist() == labels
    if not fine:
        assert sst.data.tolist() == ["it works", "it is (sadly) broken"]


def test_fine_labels_of_a_file_become_two_classes(home):
    X, y = fetch_sst(path=home / "SST" / "fine" / "sentiment-test", return_X_y=True)
    assert (X.tolist(), y.tolist()) == (["great", "poor"], [1, 0])


def test_two_classes_cannot_be_read_as_five(home):
    with pytest.raises(ValueError, match="has two classes"):
        fetch_sst(path=home / "SST" / "binary" / "sentiment-test", fine_grained=True)


def test_sentences_have_no_phrases(home):
    with pytest.raises(ValueError, match="has no trees"):
        fetch_sst("test", data_home=home, phrases=True)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("(3 (2 It) (3 works)", "line 2, ends before its tree does"),
        ("(3 (2 It) (3 works)))", r"line 2, is not one tree .* at '\)'"),
        ("(3 (2 It) (7 works))", "line 2, is not one tree"),
        ("(3 (2 It) (3 ))", "line 2, has a constituent without words"),
        ("It works\t1", "line 2, is not one tree"),
    ],
)
def test_a_malformed_tree_is_named_by_its_line(tmp_path, line, message):
    path = tmp_path / "trees"
    path.write_text(f"{TREES[0]}\n{line}\n")
    with pytest.raises(ValueError, match=message):
        fetch_sst(path=path)


@pytest.mark.parametrize("line", ["It works", "It works\t9", "It works\tgood"])
def test_a_malformed_sentence_is_named_by_its_line(tmp_path, line):
    path = tmp_path / "sentences"
    path.write_text(f"{SENTENCES[0]}\n{line}\n")
    with pytest.raises(ValueError, match="line 2, is 'It works"):
        fetch_sst(path=path)


def test_a_missing_or_empty_file_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"dev\.txt, binary/sentiment-dev(.|\n)*path="):
        fetch_sst("dev", data_home=tmp_path)
    (tmp_path / "dev.txt").write_text("\n")
    with pytest.raises(ValueError, match="is empty"):
        fetch_sst("dev", path=tmp_path)
    with pytest.raises(ValueError, match="split must be one of"):
        fetch_sst("valid", data_home=tmp_path)
