"""Rule-based translation with Apertium, offline."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass

from skpara._public import set_module
from skpara.augment._translator import BaseTranslator, Hypothesis, TranslationError

# Some language pairs of Apertium have codes of two letters, some of three.
_SHORT = "en es ca gl eo fr pt it eu de nl ro da sv is ru oc an mk sh".split()
_LONG = "eng spa cat glg epo fra por ita eus deu nld ron dan swe isl rus oci arg mkd hbs".split()
# Debian's pairs with English, by the code of the other language.
_WITH_ENGLISH = {"glg": "en-gl", "epo": "eo-en", "eus": "eu-en", "spa": "eng-spa"}
_WITH_ENGLISH |= {"cat": "eng-cat", "isl": "isl-eng", "mkd": "mkd-eng", "hbs": "hbs-eng"}
_OTHER_CODE = dict(zip([*_SHORT, *_LONG], [*_LONG, *_SHORT], strict=True))
# Characters with a meaning in Apertium's stream format; a backslash before one makes it text.
_SPECIAL = re.compile(r"([\\\[\]^$/@<>{}])")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
# White space and control characters become spaces: a line end or a zero byte would end a sentence.
# So do lone surrogates, which UTF-8 cannot encode, and noncharacters.
_SPACE = re.compile(r"[\x00-\x20\x7f\x85\xa0\u2028\u2029\ufeff\ufffe\uffff]+|[\ud800-\udfff]")
# Each sentence ends with a full stop, so that no rule reaches into the next one, and with two
# "superblanks", which Apertium copies unchanged; the second has the sentence's number.
_END = re.compile(r"\.?\[\]\[\n(\d+)\]")


@set_module("skpara.augment")
@dataclass(eq=False)
class ApertiumTranslator(BaseTranslator):
    """Translate with Apertium, a rule-based system packaged by Debian.

    Parameters
    ----------
    source, target : str
        Languages by their codes of two or three letters: "en" or "eng", "es" or "spa".
    batch_size : int, default=2000
        Sentences per process.
    timeout : float, default=120.0
        Time limit of a process, in seconds. After a failure or timeout, the batch is split into
        halves, until the failing sentence is alone.
    retries : int, default=2
        Number of further attempts for that sentence.
    program : str, default="apertium"
        Name or path of the program.

    Raises
    ------
    FileNotFoundError
        If Apertium or the language pair is not installed; the message names the package.

    Notes
    -----
    Line ends and control characters inside a sentence count as spaces. Unknown words are copied.

    References
    ----------
    Forcada and others (2011), Apertium: a platform for rule-based machine translation, MT 25.

    Examples
    --------
    >>> from skpara.augment import ApertiumTranslator
    >>> ApertiumTranslator("eng", "spa").translate(["The house is big."])  # doctest: +SKIP
    ['La casa es grande.']
    """

    source: str
    target: str
    _: KW_ONLY
    batch_size: int = 2000
    timeout: float = 120.0
    retries: int = 2
    program: str = "apertium"

    def __post_init__(self) -> None:
        self._mode = self._installed_mode()
        self.name = f"apertium {self._mode}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.source!r}, {self.target!r})"

    def _clean(self, text: str) -> str:
        return _SPACE.sub(" ", text).strip()

    def _hypotheses(self, texts: Sequence[str], n: int) -> Iterator[tuple[str, list[Hypothesis]]]:
        for start in range(0, len(texts), self.batch_size):
            yield from self._translate_batch(texts[start : start + self.batch_size])

    def _translate_batch(self, texts: Sequence[str]) -> Iterator[tuple[str, list[Hypothesis]]]:
        # A failed batch is not repeated as a whole: trying its halves is the retry.
        attempts = 1 if len(texts) > 1 else 1 + self.retries
        for _ in range(attempts):
            try:
                translations = self._run(texts)
            except _ProcessError as error:
                problem = str(error)
            else:
                yield from ((a, [Hypothesis(b)]) for a, b in zip(texts, translations, strict=True))
                return
        if len(texts) == 1:
            raise TranslationError(f"{self.name} failed on {texts[0]!r:.80}: {problem}.")
        middle = len(texts) // 2
        yield from self._translate_batch(texts[:middle])
        yield from self._translate_batch(texts[middle:])

    def _run(self, texts: Sequence[str]) -> list[str]:
        """Translate texts with one process."""
        escaped = (_SPECIAL.sub(r"\\\1", text) for text in texts)
        stream = "".join(f"{text}.[][\n{i}]" for i, text in enumerate(escaped))
        # The program is a shell pipeline: in a new session, one signal ends all of it.
        with subprocess.Popen(
            [self.program, "-u", "-f", "none", self._mode],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            env=os.environ | {"LC_ALL": "C.UTF-8"},
        ) as process:
            try:
                output, errors = process.communicate(stream.encode(), timeout=self.timeout)
            except subprocess.TimeoutExpired:
                raise _ProcessError(f"no answer within {self.timeout:g} seconds") from None
            finally:
                with suppress(ProcessLookupError, PermissionError):  # all of it has ended already
                    os.killpg(process.pid, signal.SIGKILL)
        if process.returncode:
            message = errors.decode(errors="replace").strip().splitlines()
            raise _ProcessError(f"ended with {process.returncode} ({' '.join(message[-1:])})")
        parts = _END.split(output.decode(errors="replace"))
        if parts[1::2] != [str(i) for i in range(len(texts))]:
            raise _ProcessError("a different number of sentences came back")
        return [_ESCAPED.sub(r"\1", part).strip() for part in parts[:-1:2]]

    def _installed_mode(self) -> str:
        """Return Apertium's name of the language pair."""
        source, target = (
            (language, _OTHER_CODE.get(language, language))
            for language in (self.source, self.target)
        )
        remedy = _remedy(*(max(codes, key=len) for codes in (source, target)))
        if shutil.which(self.program) is None:
            raise FileNotFoundError(
                f"Apertium is not installed, to translate {self.source}-{self.target}: {remedy}"
            )
        # Listing takes milliseconds; the time limit is for hanging programs.
        try:
            listing = subprocess.run(
                [self.program, "-l"], capture_output=True, text=True, timeout=60, check=False
            )
        except subprocess.TimeoutExpired as error:
            raise TranslationError(f"{self.program} -l gave no answer in 60 seconds.") from error
        installed = listing.stdout.split()
        for mode in (f"{a}-{b}" for a in source for b in target):
            if mode in installed:
                return mode
        raise FileNotFoundError(
            f"Apertium does not translate {self.source}-{self.target}: {remedy} Installed "
            f"pairs: {', '.join(installed) or 'none'}."
        )


def _remedy(source: str, target: str) -> str:
    """Return how to install a pair of languages with codes of three letters."""
    install = "apt-get install apertium apertium"
    if "eng" not in (source, target):
        return f"{install}-{source}-{target}, or with the languages in the other order."
    pair = _WITH_ENGLISH.get(target if source == "eng" else source)
    if pair is None:
        return "Debian has no package of this pair; use another translator (MarianTranslator)."
    return f"{install}-{pair}."


class _ProcessError(RuntimeError):
    """Failure of a process; its batch may be tried again."""
