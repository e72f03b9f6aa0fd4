"""MarianTranslator with a tiny model that is trained here."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
import torch

from skpara.augment import CachedTranslator, MarianTranslator, TranslationError

transformers = pytest.importorskip("transformers")
sentencepiece = pytest.importorskip("sentencepiece")

ENGLISH = ["the house is big", "a dog runs", "the cat sleeps", "she reads a book"]
SPANISH = ["la casa es grande", "un perro corre", "el gato duerme", "ella lee un libro"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Train a model of one layer on four sentences."""
    home = tmp_path_factory.mktemp("marian")
    vocabulary = {"</s>": 0, "<unk>": 1}
    for side, sentences in (("source", ENGLISH), ("target", SPANISH)):
        (home / f"{side}.txt").write_text("\n".join(sentences * 10))
        text, options = home / f"{side}.txt", {"hard_vocab_limit": False, "minloglevel": 2}
        sentencepiece.SentencePieceTrainer.train(
            input=str(text), model_prefix=str(home / side), vocab_size=60, **options
        )
        (home / f"{side}.model").rename(home / f"{side}.spm")
        pieces = sentencepiece.SentencePieceProcessor(model_file=str(home / f"{side}.spm"))
        for i in range(pieces.get_piece_size()):
            vocabulary.setdefault(pieces.id_to_piece(i), len(vocabulary))
    vocabulary["<pad>"] = len(vocabulary)
    (home / "vocab.json").write_text(json.dumps(vocabulary))
    files = [str(home / name) for name in ("source.spm", "target.spm", "vocab.json")]
    tokenizer = transformers.MarianTokenizer(*files, source_lang="en", target_lang="es")
    layer = {"layers": 1, "attention_heads": 2, "ffn_dim": 64}
    sizes = {f"{side}_{k}": n for side in ("encoder", "decoder") for k, n in layer.items()}
    sizes |= {"d_model": 32, "max_position_embeddings": 40, "dropout": 0.0}
    ends = dict.fromkeys(["pad_token_id", "decoder_start_token_id"], vocabulary["<pad>"])
    ends |= {"eos_token_id": 0, "forced_eos_token_id": 0}
    with torch.random.fork_rng():
        torch.manual_seed(0)
        config = transformers.MarianConfig(vocab_size=len(vocabulary), **sizes, **ends)
        model = transformers.MarianMTModel(config)
        batch = tokenizer(ENGLISH, text_target=SPANISH, return_tensors="pt", padding=True)
        batch["labels"][batch["labels"] == tokenizer.pad_token_id] = -100
        optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
        for _ in range(70):
            optimizer.zero_grad()
            model(**batch).loss.backward()
            optimizer.step()
    model.save_pretrained(home / "model")
    tokenizer.save_pretrained(home / "model")
    return home / "model"


@pytest.fixture(scope="module")
def translator(folder):
    return MarianTranslator(folder, device="cpu", local_files_only=True)


def test_translations_are_in_the_order_of_sentences(translator):
    assert translator.translate(ENGLISH) == SPANISH
    sentences = [ENGLISH[2], "", ENGLISH[0], "  ", ENGLISH[2]]
    assert translator.translate(sentences) == [SPANISH[2], "", SPANISH[0], "", SPANISH[2]]
    assert translator.translate([]) == []


def test_translations_do_not_depend_on_batches(translator, folder):
    sentences = [*ENGLISH, "a cat reads the big house", "dog dog dog"]
    single = MarianTranslator(folder, max_tokens=1, device="cpu")
    both = translator.nbest(sentences, 3), single.nbest(sentences, 3)
    for first, second in zip(*both, strict=True):
        assert [h.text for h in first] == [h.text for h in second]
        assert [h.n_tokens for h in first] == [h.n_tokens for h in second]
        np.testing.assert_allclose([h.cost for h in first], [h.cost for h in second], rtol=1e-3)


@pytest.mark.parametrize("num_beams", [1, 4])
def test_cost_is_the_models_negative_log_likelihood(folder, num_beams):
    nbest = MarianTranslator(folder, num_beams=num_beams, device="cpu").nbest(ENGLISH, 1)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    for text, [best] in zip(ENGLISH, nbest, strict=True):
        batch = tokenizer([text], text_target=[best.text], return_tensors="pt")
        with torch.inference_mode():
            logits = model(**batch).logits[0].log_softmax(dim=1)
        logs = logits[torch.arange(len(logits)), batch["labels"][0]]
        assert best.n_tokens == len(logs)
        assert best.cost == pytest.approx(-float(logs.sum()), rel=1e-3, abs=1e-4)
        assert best.cost_per_token == best.cost / best.n_tokens


def test_the_best_translation_comes_first(translator):
    for hypotheses in translator.nbest(["a dog reads the house", "the big cat"], 4):
        assert len(hypotheses) == 4
        assert len({h.text for h in hypotheses}) > 1
        assert all(h.cost >= 0 for h in hypotheses)
        costs = [h.cost_per_token for h in hypotheses]
        assert costs == sorted(costs)
    assert [h.text for h in translator.nbest([""], 4)[0]] == [""]


def test_a_long_sentence_is_cut_with_a_warning(folder):
    translator = MarianTranslator(folder, device="cpu")
    with pytest.warns(UserWarning, match="1 of 2 sentences have more than 40 tokens"):
        translations = translator.translate(["the cat sleeps " * 40, ENGLISH[0]])
    assert translations[1] == SPANISH[0]
    with pytest.warns(UserWarning, match="more than 5 tokens"):
        MarianTranslator(folder, max_length=5, device="cpu").translate(["she reads a book"])


def test_pickles_are_small_and_names_differ_by_settings(translator, folder):
    stored = pickle.dumps(translator)
    assert len(stored) < 1000
    assert pickle.loads(stored).translate(ENGLISH[:1]) == SPANISH[:1]
    assert str(folder.resolve()) in translator.name
    settings = {}, {"num_beams": 1}, {"prefix": ">>es<<"}, {"max_length": 9}
    assert len({MarianTranslator(folder, **options).name for options in settings}) == 4
    name = "Helsinki-NLP/opus-mt-en-es"
    assert MarianTranslator(name).name == f"marian {name} beams=4"


def test_an_error_holds_what_was_finished(folder, monkeypatch):
    generate, calls = transformers.MarianMTModel.generate, []

    def fails_at_third(self, **settings):
        calls.append(settings)
        if len(calls) == 3:
            raise RuntimeError("no kernel image")
        return generate(self, **settings)

    monkeypatch.setattr(transformers.MarianMTModel, "generate", fails_at_third)
    with pytest.raises(TranslationError, match="no kernel image") as caught:
        MarianTranslator(folder, max_tokens=1, device="cpu").translate(ENGLISH)
    finished = [text for text in caught.value.finished if text is not None]
    assert len(finished) == 2
    assert set(finished) <= set(SPANISH)


def test_lists_of_translations_are_cached(translator, tmp_path):
    class Counting:
        name = translator.name
        n_sentences = 0

        def translate(self, sentences):
            return translator.translate(sentences)

        def nbest(self, sentences, n):
            self.n_sentences += len(sentences)
            return translator.nbest(sentences, n)

    first = CachedTranslator(Counting(), tmp_path / "cache")
    expected = translator.nbest(ENGLISH, 2)
    assert first.nbest(ENGLISH, 2) == expected
    assert first.nbest(ENGLISH[:1], 3) == translator.nbest(ENGLISH[:1], 3)
    second = CachedTranslator(Counting(), tmp_path / "cache")
    assert second.nbest([ENGLISH[1], ENGLISH[0]], 2) == [expected[1], expected[0]]
    assert second.translator.n_sentences == 0
    assert second.translate(ENGLISH) == SPANISH


def test_errors_name_missing_models_and_packages(tmp_path, monkeypatch):
    with pytest.raises(FileNotFoundError, match=r"nowhere.*local_files_only=False"):
        MarianTranslator(tmp_path / "nowhere").translate(["a"])
    monkeypatch.setitem(__import__("sys").modules, "sentencepiece", None)
    with pytest.raises(ImportError, match=r"pip install 'skpara\[translate\]'"):
        MarianTranslator(tmp_path).translate(["a"])
