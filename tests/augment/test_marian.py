"""A tiny Marian model, made and trained on the spot."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
import torch

from skpara.augment import CachedTranslator, MarianTranslator, PivotParaphraser, TranslationError

transformers = pytest.importorskip("transformers")
sentencepiece = pytest.importorskip("sentencepiece")

ENGLISH = ["the house is big", "a dog runs", "the cat sleeps", "she reads a book"]
SPANISH = ["la casa es grande", "un perro corre", "el gato duerme", "ella lee un libro"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A model of one layer that knows four sentences."""
    home = tmp_path_factory.mktemp("marian")
    vocabulary = {"</s>": 0, "<unk>": 1}
    for side, sentences in (("source", ENGLISH), ("target", SPANISH)):
        (home / f"{side}.txt").write_text("\n".join(sentences * 10))
        sentencepiece.SentencePieceTrainer.train(
            input=str(home / f"{side}.txt"),
            model_prefix=str(home / side),
            vocab_size=60,
            hard_vocab_limit=False,
            minloglevel=2,
        )
        (home / f"{side}.model").rename(home / f"{side}.spm")
        pieces = sentencepiece.SentencePieceProcessor(model_file=str(home / f"{side}.spm"))
        for i in range(pieces.get_piece_size()):
            vocabulary.setdefault(pieces.id_to_piece(i), len(vocabulary))
    vocabulary["<pad>"] = len(vocabulary)
    (home / "vocab.json").write_text(json.dumps(vocabulary))
    tokenizer = transformers.MarianTokenizer(
        str(home / "source.spm"),
        str(home / "target.spm"),
        str(home / "vocab.json"),
        source_lang="en",
        target_lang="es",
    )
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = transformers.MarianMTModel(
            transformers.MarianConfig(
                vocab_size=len(vocabulary),
                d_model=32,
                encoder_layers=1,
                decoder_layers=1,
                encoder_attention_heads=2,
                decoder_attention_heads=2,
                encoder_ffn_dim=64,
                decoder_ffn_dim=64,
                max_position_embeddings=40,
                dropout=0.0,
                pad_token_id=vocabulary["<pad>"],
                eos_token_id=0,
                forced_eos_token_id=0,
                decoder_start_token_id=vocabulary["<pad>"],
            )
        )
        batch = tokenizer(ENGLISH, text_target=SPANISH, return_tensors="pt", padding=True)
        batch["labels"][batch["labels"] == tokenizer.pad_token_id] = -100
        optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
        for _ in range(120):
            optimizer.zero_grad()
            model(**batch).loss.backward()
            optimizer.step()
    model.save_pretrained(home / "model")
    tokenizer.save_pretrained(home / "model")
    return home / "model"


@pytest.fixture(scope="module")
def translator(folder):
    return MarianTranslator(folder, device="cpu", local_files_only=True)


def test_it_translates_what_the_model_knows(translator):
    assert translator.translate(ENGLISH) == SPANISH


def test_sentences_keep_their_places(translator):
    given = [ENGLISH[2], "", ENGLISH[0], "  ", ENGLISH[2]]
    assert translator.translate(given) == [SPANISH[2], "", SPANISH[0], "", SPANISH[2]]
    assert translator.translate([]) == []


def test_batches_do_not_matter(translator, folder):
    mixed = [*ENGLISH, "a cat reads the big house", "dog dog dog"]
    small = MarianTranslator(folder, max_tokens=1, device="cpu")
    found, one_by_one = (one.nbest(mixed, 3) for one in (translator, small))
    for left, right in zip(found, one_by_one, strict=True):
        assert [h.text for h in left] == [h.text for h in right]
        assert [h.n_tokens for h in left] == [h.n_tokens for h in right]
        np.testing.assert_allclose([h.cost for h in left], [h.cost for h in right], rtol=1e-3)


@pytest.mark.parametrize("num_beams", [1, 4])
def test_the_cost_is_the_models_negative_log_likelihood(folder, num_beams):
    one = MarianTranslator(folder, num_beams=num_beams, device="cpu")
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    for text, [best] in zip(ENGLISH, one.nbest(ENGLISH, 1), strict=True):
        batch = tokenizer([text], text_target=[best.text], return_tensors="pt")
        with torch.inference_mode():
            logits = model(**batch).logits[0].log_softmax(dim=1)
        logs = logits[torch.arange(len(logits)), batch["labels"][0]]
        assert best.n_tokens == len(logs)
        assert best.cost == pytest.approx(-float(logs.sum()), rel=1e-3, abs=1e-4)
        assert best.cost_per_token == best.cost / best.n_tokens


def test_the_best_comes_first(translator):
    for found in translator.nbest(["a dog reads the house", "the big cat"], 4):
        assert len(found) == 4
        assert len({h.text for h in found}) > 1
        costs = [h.cost_per_token for h in found]
        assert costs == sorted(costs)
    assert [h.text for h in translator.nbest([""], 4)[0]] == [""]


def test_more_translations_than_beams(folder):
    found = MarianTranslator(folder, num_beams=2, device="cpu").nbest(["a dog"], 5)
    assert len(found[0]) == 5


def test_a_long_sentence_is_cut_with_a_warning(folder):
    one = MarianTranslator(folder, device="cpu")
    with pytest.warns(UserWarning, match="1 of 2 sentences have more than 40 tokens"):
        found = one.translate(["the cat sleeps " * 40, ENGLISH[0]])
    assert found[1] == SPANISH[0]
    with pytest.warns(UserWarning, match="more than 5 tokens"):
        MarianTranslator(folder, max_length=5, device="cpu").translate(["she reads a book"])


def test_a_pickle_holds_the_name_only_and_the_name_tells_systems_apart(translator, folder):
    stored = pickle.dumps(translator)
    assert len(stored) < 1000
    assert pickle.loads(stored).translate(ENGLISH[:1]) == SPANISH[:1]
    assert str(folder.resolve()) in translator.name
    names = {
        MarianTranslator(folder, **settings).name
        for settings in ({}, {"num_beams": 1}, {"prefix": ">>es<<"}, {"max_length": 9})
    }
    assert len(names) == 4
    assert MarianTranslator("Helsinki-NLP/opus-mt-en-es").name == (
        "marian Helsinki-NLP/opus-mt-en-es beams=4"
    )


def test_no_memory_halves_the_batch(folder, monkeypatch):
    one = MarianTranslator(folder, device="cpu")
    sizes = []
    generated = one._generated

    def scarce(rows, n):
        sizes.append(len(rows))
        if len(rows) > 1:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return generated(rows, n)

    monkeypatch.setattr(one, "_generated", scarce)
    with pytest.warns(UserWarning, match=r"at most \d+ tokens") as warned:
        assert one.translate(ENGLISH) == SPANISH
    assert len(warned) == 1
    assert sizes == [4, 2, 1, 1, 1, 1]
    assert one.translate(ENGLISH[::-1]) == SPANISH[::-1]  # it remembers, and is quiet
    assert sizes[6:] == [1, 1, 1, 1]


def test_no_memory_for_a_single_sentence_is_an_error_that_says_so(folder, monkeypatch):
    one = MarianTranslator(folder, device="cpu")

    def none(rows, n):
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(one, "_generated", none)
    with pytest.raises(TranslationError, match="out of memory"):
        one.translate(ENGLISH)


def test_a_device_that_is_not_there_is_looked_for_late_and_is_a_warning(folder):
    absent = next(d for d in ("mps", "cuda") if not _there(d))
    one = pickle.loads(pickle.dumps(MarianTranslator(folder, device=absent)))
    with pytest.warns(UserWarning, match="the CPU is used"):
        assert one.translate(ENGLISH[:1]) == SPANISH[:1]
    assert one.translate(ENGLISH[1:2]) == SPANISH[1:2]


def _there(device):
    return {"mps": torch.backends.mps.is_available(), "cuda": torch.cuda.is_available()}[device]


def test_a_failure_loses_nothing(folder, monkeypatch):
    one = MarianTranslator(folder, max_tokens=1, device="cpu")
    generated, calls = one._generated, []

    def breaks(rows, n):
        calls.append(1)
        if len(calls) == 3:
            raise RuntimeError("no kernel image")
        return generated(rows, n)

    monkeypatch.setattr(one, "_generated", breaks)
    with pytest.raises(TranslationError, match="no kernel image") as caught:
        one.translate(ENGLISH)
    done = [text for text in caught.value.finished if text is not None]
    assert len(done) == 2
    assert set(done) <= set(SPANISH)


def test_a_cache_keeps_lists_of_translations(translator, tmp_path):
    class Counting:
        name = translator.name
        seen = 0

        def translate(self, sentences):
            return translator.translate(sentences)

        def nbest(self, sentences, n):
            self.seen += len(sentences)
            return translator.nbest(sentences, n)

    first = CachedTranslator(Counting(), tmp_path / "cache")
    expected = translator.nbest(ENGLISH, 2)
    assert first.nbest(ENGLISH, 2) == expected
    assert first.nbest(ENGLISH[:1], 3) == translator.nbest(ENGLISH[:1], 3)
    again = CachedTranslator(Counting(), tmp_path / "cache")
    assert again.nbest([ENGLISH[1], ENGLISH[0]], 2) == [expected[1], expected[0]]
    assert again.translator.seen == 0
    assert again.translate(ENGLISH) == SPANISH


def test_a_pivot_gives_several_paraphrases_with_costs(translator):
    class Echo:
        name = "echo"

        def translate(self, sentences):
            return list(sentences)

    def make(source, target):
        return Echo() if source == "en" else translator

    found = PivotParaphraser(translator=make, n_best=3).paraphrase(ENGLISH[:2])
    assert sorted(set(found.rows.tolist())) == [0, 1]
    assert np.all(found.costs >= 0)
    assert found.pairs[0].tolist() == [ENGLISH[0], SPANISH[0]]


def test_what_is_missing_is_named(tmp_path, monkeypatch):
    with pytest.raises(FileNotFoundError, match=r"nowhere.*local_files_only=False"):
        MarianTranslator(tmp_path / "nowhere").translate(["a"])
    monkeypatch.setitem(__import__("sys").modules, "sentencepiece", None)
    with pytest.raises(ImportError, match=r"pip install 'skpara\[translate\]'"):
        MarianTranslator(tmp_path).translate(["a"])
