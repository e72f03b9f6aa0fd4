"""Neural translation with the Marian models of transformers."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from skpara._public import set_module
from skpara._warnings import warn
from skpara.augment._translator import Hypothesis, TranslationError, check_sentences

if TYPE_CHECKING:
    from torch import Tensor

_MISSING = (
    "MarianTranslator needs transformers, sentencepiece and sacremoses: pip install "
    "'skpara[translate]'."
)


@set_module("skpara.augment")
class MarianTranslator:
    """Translate with a Marian model, by beam search, on the CPU or a GPU.

    Parameters
    ----------
    model : str or path
        A folder, or the name of a model on the hub, such as "Helsinki-NLP/opus-mt-en-es" and
        "Helsinki-NLP/opus-mt-es-en" (Tiedemann and Thottingal 2020; about 300 MB each, kept by
        transformers once ``local_files_only=False`` had them downloaded).
    num_beams : int, default=4
        Width of the beam; at least as many as translations are asked for.
    max_tokens : int, default=4096
        Tokens of a batch, padding included; sentences of like lengths go together. A batch that a
        GPU has no memory for is halved, with a warning, and so are those after it.
    max_length : int, default=None
        Most tokens of a sentence and of its translation; None is what the model can take. Longer
        sentences are cut, with a warning.
    prefix : str, default=""
        What goes before each sentence, such as ">>cat<<" for models of several targets.
    device : {"auto", "cpu", "cuda", "mps"}, default="auto"
        Looked for when the model is loaded; one that is not there is a warning, and the CPU is
        used.
    local_files_only : bool, default=True
        Whether a model that is not on this machine is an error, rather than downloaded.

    Attributes
    ----------
    name : str
        "marian", the model, and what else its translations depend on.

    Raises
    ------
    ImportError
        If transformers, sentencepiece or sacremoses (which evens out punctuation, as when these
        models were trained) is not installed.
    OSError
        If there is no such model, or it cannot be downloaded.

    Notes
    -----
    The model is loaded when first used; a pickled translator holds its name only. Translations of
    a folder's model are cached under the folder's path: a new model needs a new folder.

    References
    ----------
    M. Junczys-Dowmunt and others (2018). Marian: fast neural machine translation in C++. ACL.

    J. Tiedemann, S. Thottingal (2020). OPUS-MT: building open translation services for the world.
    EAMT.

    Examples
    --------
    >>> from skpara.augment import MarianTranslator
    >>> translator = MarianTranslator("Helsinki-NLP/opus-mt-es-en")  # doctest: +SKIP
    >>> translator.translate(["La casa es grande."])  # doctest: +SKIP
    ['The house is big.']
    >>> [best, second] = translator.nbest(["La casa es grande."], 2)[0]  # doctest: +SKIP
    >>> best.cost_per_token < second.cost_per_token  # doctest: +SKIP
    True
    """

    def __init__(
        self,
        model: str | os.PathLike[str],
        *,
        num_beams: int = 4,
        max_tokens: int = 4096,
        max_length: int | None = None,
        prefix: str = "",
        device: str = "auto",
        local_files_only: bool = True,
    ) -> None:
        self.model = model
        self.num_beams = num_beams
        self.max_tokens = max_tokens
        self.max_length = max_length
        self.prefix = prefix
        self.device = device
        self.local_files_only = local_files_only
        self._loaded: tuple[Any, Any] | None = None
        self._there_is_memory_for: int | None = None  # tokens; None until a batch found too little

    @property
    def name(self) -> str:
        """The model, and what else its translations depend on."""
        folder = Path(self.model)
        model = str(folder.resolve()) if folder.is_dir() else str(self.model)
        parts = ["marian", model, f"beams={self.num_beams}"]
        parts += [f"length={self.max_length}"] if self.max_length else []
        return " ".join(parts + ([self.prefix] if self.prefix else []))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.model)!r})"

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_loaded": None, "_there_is_memory_for": None}

    def translate(self, sentences: Sequence[str]) -> list[str]:
        """Translate each sentence.

        Parameters
        ----------
        sentences : sequence of str

        Returns
        -------
        list of str

        Raises
        ------
        TranslationError
            If the model fails on a sentence. ``error.finished`` holds what was translated before.
        """
        return [best[0].text for best in self.nbest(sentences, 1)]

    def nbest(self, sentences: Sequence[str], n: int) -> list[list[Hypothesis]]:
        """The ``n`` best translations of each sentence, the best first.

        Parameters
        ----------
        sentences : sequence of str
        n : int
            Of which some may be equal as text.

        Returns
        -------
        list of list of Hypothesis
            ``n`` for each sentence; an empty sentence has one, empty and of cost 0.

        Raises
        ------
        TranslationError
            If the model fails on a sentence. ``error.finished`` holds the best translation of
            those done before.
        """
        texts = check_sentences(sentences)
        distinct = [text for text in dict.fromkeys(texts) if text.strip()]
        found = {text: [Hypothesis("", 0.0, 0)] for text in texts if not text.strip()}
        try:
            tokens = self._tokens(distinct)
            for batch, made in self._batches(tokens, n):
                found |= {distinct[i]: one for i, one in zip(batch, made, strict=True)}
        except (RuntimeError, ValueError, IndexError) as error:
            finished = [found[text][0].text if text in found else None for text in texts]
            raise TranslationError(f"{self.name} failed: {error!s:.300}", finished) from error
        return [found[text] for text in texts]

    def _tokens(self, texts: Sequence[str]) -> list[list[int]]:
        if not texts:
            return []
        tokenizer, model = self._model()
        limit = self._limit(model)
        listed = [self.prefix + text for text in texts]
        ids: list[list[int]] = tokenizer(listed)["input_ids"]
        long = sum(len(row) > limit for row in ids)
        if long:
            warn(
                f"{long} of {len(texts)} sentences have more than {limit} tokens, the most that "
                "the model takes, and are cut; split them into shorter ones.",
            )
        return [row if len(row) <= limit else [*row[: limit - 1], row[-1]] for row in ids]

    def _limit(self, model: Any) -> int:
        most = int(model.config.max_position_embeddings)
        return most if self.max_length is None else min(most, self.max_length)

    def _batches(
        self, tokens: list[list[int]], n: int
    ) -> Iterator[tuple[list[int], list[list[Hypothesis]]]]:
        """Sentences of like lengths, the longest first, and their translations."""
        from skpara.learning._memory import attempt

        lengths = [len(ids) for ids in tokens]
        order = np.argsort(lengths, kind="stable")[::-1].tolist()
        start, before = 0, self._there_is_memory_for
        while start < len(order):
            each = lengths[order[start]] * self.num_beams
            size = max(1, (self._there_is_memory_for or self.max_tokens) // each)
            batch = order[start : start + size]
            rows = [tokens[i] for i in batch]
            made = attempt(partial(self._generated, rows, n), last=len(batch) == 1)
            if made is None:
                self._there_is_memory_for = each * len(batch) // 2
                continue
            yield batch, made
            start += size
        if self._there_is_memory_for != before:
            warn(
                "Out of memory on the GPU: went on with batches of at most "
                f"{self._there_is_memory_for} tokens, and so will later calls. "
                "Pass them as max_tokens.",
            )

    def _generated(self, rows: list[list[int]], n: int) -> list[list[Hypothesis]]:
        import torch

        tokenizer, model = self._model()
        batch = tokenizer.pad({"input_ids": rows}, return_tensors="pt").to(model.device)
        with torch.inference_mode():
            made = model.generate(
                **batch,
                num_beams=max(self.num_beams, n),
                num_return_sequences=n,
                max_length=self._limit(model),
                do_sample=False,
                return_dict_in_generate=True,
                output_scores=True,
            )
            # With one beam there are no beam indices to follow.
            logs = model.compute_transition_scores(
                made.sequences,
                made.scores,
                getattr(made, "beam_indices", None),
                normalize_logits=max(self.num_beams, n) == 1,
            )
        texts = tokenizer.batch_decode(made.sequences, skip_special_tokens=True)
        flat = [
            Hypothesis(text.strip(), cost, count)
            for text, (cost, count) in zip(texts, _costs(made.sequences, logs, model), strict=True)
        ]
        return [flat[i : i + n] for i in range(0, len(flat), n)]

    def _model(self) -> tuple[Any, Any]:
        """Tokenizer and model, loaded once."""
        if self._loaded is None:
            try:
                import sacremoses  # noqa: F401
                import sentencepiece  # noqa: F401
                from transformers import AutoModelForSeq2SeqLM, AutoTokenizer
            except ImportError as error:
                raise ImportError(_MISSING) from error
            from skpara.encoders._external_models import no_model
            from skpara.learning._device import resolve_device

            local = self.local_files_only
            try:
                tokenizer = AutoTokenizer.from_pretrained(self.model, local_files_only=local)
                model = AutoModelForSeq2SeqLM.from_pretrained(self.model, local_files_only=local)
            except OSError as error:
                if Path(self.model).is_dir() or not local:
                    raise
                raise no_model(str(self.model)) from error
            device = resolve_device(self.device, fall_back=True)
            self._loaded = tokenizer, model.to(device).eval()
        return self._loaded


def _costs(sequences: Tensor, logs: Tensor, model: Any) -> Iterator[tuple[float, int]]:
    """Negative log-likelihood and number of tokens of each translation, its end among them."""
    padding = model.config.pad_token_id
    written = sequences[:, sequences.shape[1] - logs.shape[1] :] != padding
    for row, mask in zip(logs.float().cpu(), written.cpu(), strict=True):
        yield -float(row[mask].sum()), int(mask.sum())
