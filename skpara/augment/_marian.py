"""Neural translation with the Marian models of transformers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skpara._compatibility import import_optional
from skpara._messages import warn
from skpara._public import set_module
from skpara._typing import Attributes, FilePath
from skpara.augment._translator import BaseTranslator, Hypothesis, TranslationError

if TYPE_CHECKING:
    from torch import Tensor


@set_module("skpara.augment")
@dataclass(eq=False)
class MarianTranslator(BaseTranslator):
    """Translate with a Marian model, by beam search, on the CPU or a GPU.

    Parameters
    ----------
    model : str or path
        A folder, or the name of a model on the hub, such as "Helsinki-NLP/opus-mt-en-es" (about
        300 MB, stored by transformers).
    num_beams : int, default=4
        Width of the beam, at least the number of translations.
    max_tokens : int, default=4096
        Tokens of a batch, padding included; sentences of similar lengths form a batch. Lower it
        if a GPU runs out of memory.
    max_length : int, default=None
        Maximal number of tokens of a sentence and of its translation; None is the model's own
        limit. Longer sentences are cut, with a warning.
    prefix : str, default=""
        Prefix of each sentence, such as ">>cat<<" for models of several target languages.
    device : {"auto", "cpu", "cuda", "cuda:<number>", "mps"}, default="auto"
        Device to load the model on; if it is missing, the CPU with a warning.
    local_files_only : bool, default=True
        Whether a model that is not on this machine is an error; False downloads it.

    Notes
    -----
    Needs transformers, sentencepiece, and sacremoses, which normalizes punctuation as in the
    training of these models. The model is loaded when first used, and a pickle has only its name.
    Translations are cached under the path of a model's folder, so a new model needs a new folder.

    References
    ----------
    Junczys-Dowmunt and others (2018), Marian: fast neural machine translation in C++, ACL.

    Tiedemann and Thottingal (2020), OPUS-MT: building open translation services, EAMT.

    Examples
    --------
    >>> from skpara.augment import MarianTranslator
    >>> translator = MarianTranslator("Helsinki-NLP/opus-mt-es-en")  # doctest: +SKIP
    >>> translator.translate(["La casa es grande."])  # doctest: +SKIP
    ['The house is big.']
    """

    model: FilePath
    _: KW_ONLY
    num_beams: int = 4
    max_tokens: int = 4096
    max_length: int | None = None
    prefix: str = ""
    device: str = "auto"
    local_files_only: bool = True
    _loaded: tuple[Any, Any] | None = field(default=None, init=False)

    @property
    def name(self) -> str:
        """The model, and the settings that change its translations."""
        folder = Path(self.model)
        model = str(folder.resolve()) if folder.is_dir() else str(self.model)
        parts = ["marian", model, f"beams={self.num_beams}"]
        parts += [f"length={self.max_length}"] if self.max_length else []
        return " ".join(parts + ([self.prefix] if self.prefix else []))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.model)!r})"

    def __getstate__(self) -> Attributes:
        return self.__dict__ | {"_loaded": None}

    def nbest(self, sentences: Sequence[str], n: int) -> list[list[Hypothesis]]:
        """Find the ``n`` best translations of each sentence.

        Parameters
        ----------
        sentences : sequence of str
            An empty sentence is allowed.
        n : int
            Number of translations; several may have the same text.

        Returns
        -------
        list of list of Hypothesis
            ``n`` for each sentence, the best first; an empty sentence has one, of cost 0.
        """
        return self._nbest(sentences, n)

    def _hypotheses(self, texts: Sequence[str], n: int) -> Iterator[tuple[str, list[Hypothesis]]]:
        try:
            token_ids = self._token_ids(texts)
            # The longest first: if the memory is too small, the first batch shows it.
            rows = sorted(range(len(texts)), key=lambda i: -len(token_ids[i]))
            while rows:
                size = max(1, self.max_tokens // (len(token_ids[rows[0]]) * self.num_beams))
                batch, rows = rows[:size], rows[size:]
                hypotheses = self._generate([token_ids[i] for i in batch], n)
                yield from zip((texts[i] for i in batch), hypotheses, strict=True)
        # Raised by torch and transformers for bad input, full memory or a broken model.
        except (RuntimeError, ValueError, IndexError) as error:
            raise TranslationError(f"{self.name} failed: {error!s:.300}") from error

    def _token_ids(self, texts: Sequence[str]) -> list[list[int]]:
        if not texts:
            return []
        tokenizer, model = self._model()
        limit = self._limit(model)
        token_ids: list[list[int]] = tokenizer([self.prefix + text for text in texts])["input_ids"]
        n_long = sum(len(ids) > limit for ids in token_ids)
        if n_long:
            warn(
                f"{n_long} of {len(texts)} sentences have more than {limit} tokens, the limit of "
                "the model, and are cut. Split them into shorter ones."
            )
        # The last id is the end mark, which the model needs.
        return [ids if len(ids) <= limit else [*ids[: limit - 1], ids[-1]] for ids in token_ids]

    def _limit(self, model: Any) -> int:
        n_positions = int(model.config.max_position_embeddings)
        return n_positions if self.max_length is None else min(n_positions, self.max_length)

    def _generate(self, token_ids: list[list[int]], n: int) -> list[list[Hypothesis]]:
        import torch

        tokenizer, model = self._model()
        batch = tokenizer.pad({"input_ids": token_ids}, return_tensors="pt").to(model.device)
        num_beams = max(self.num_beams, n)
        options = {"num_beams": num_beams, "num_return_sequences": n, "do_sample": False}
        options |= {"return_dict_in_generate": True, "output_scores": True}
        with torch.inference_mode():
            output = model.generate(**batch, **options, max_length=self._limit(model))
            # Beam search returns log-probabilities and beam indices; greedy search, used for one
            # beam, returns logits and no indices.
            beams = getattr(output, "beam_indices", None)
            logs = model.compute_transition_scores(
                output.sequences, output.scores, beams, normalize_logits=num_beams == 1
            )
        texts = tokenizer.batch_decode(output.sequences, skip_special_tokens=True)
        costs = _costs(output.sequences, logs, model.config.pad_token_id)
        hypotheses = [Hypothesis(t.strip(), *cost) for t, cost in zip(texts, costs, strict=True)]
        return [hypotheses[i : i + n] for i in range(0, len(hypotheses), n)]

    def _model(self) -> tuple[Any, Any]:
        """Return the tokenizer and the model; load them once."""
        if self._loaded is None:
            from skpara.learning import resolve_device

            # Without sacremoses the tokenizer would translate worse with no more than a warning.
            _, _, transformers = (
                import_optional(package, "MarianTranslator", install="skpara[translate]")
                for package in ("sacremoses", "sentencepiece", "transformers")
            )
            classes = transformers.AutoTokenizer, transformers.AutoModelForSeq2SeqLM
            local = self.local_files_only
            try:
                tokenizer, model = (
                    cls.from_pretrained(self.model, local_files_only=local) for cls in classes
                )
            except OSError as error:
                if Path(self.model).is_dir() or not local:
                    raise
                raise FileNotFoundError(
                    f"No model {str(self.model)!r} is on this machine. Pass the folder of a saved "
                    "model, or local_files_only=False to download it from the Hugging Face hub."
                ) from error
            self._loaded = tokenizer, model.to(resolve_device(self.device, fall_back=True)).eval()
        return self._loaded


def _costs(sequences: Tensor, logs: Tensor, padding: int) -> Iterator[tuple[float, int]]:
    """Yield the cost of each translation and its number of tokens, the end mark included."""
    # The sequences begin with the decoder's start token, which has no probability.
    mask = sequences[:, sequences.shape[1] - logs.shape[1] :] != padding
    for row, row_mask in zip(logs.float().cpu(), mask.cpu(), strict=True):
        yield -float(row[row_mask].sum()), int(row_mask.sum())
