"""Translation by Apertium's rules: offline, a thousand sentences a second."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Sequence

from skpara._public import set_module
from skpara.augment._translator import TranslationError, check_sentences

# Codes of two letters and of three; some of Apertium's pairs have the one, some the other.
_LANGUAGES = {
    **{"en": "eng", "es": "spa", "ca": "cat", "gl": "glg", "eo": "epo", "fr": "fra"},
    **{"pt": "por", "it": "ita", "eu": "eus", "de": "deu", "nl": "nld", "ro": "ron"},
    **{"da": "dan", "sv": "swe", "is": "isl", "ru": "rus", "oc": "oci", "an": "arg"},
}
# Characters that mean something in Apertium's stream, and how a written one is told apart.
_SPECIAL = re.compile(r"([\\\[\]^$/@<>{}])")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
# White space and control characters become spaces: a line end or a zero byte would end a sentence.
_SPACE = re.compile(r"[\x00-\x20\x7f\x85\xa0\u2028\u2029\ufeff\ufffe\uffff]+|[\ud800-\udfff]")
# What stands behind each sentence: a full stop, so that rules do not reach into the next one, and
# "superblanks", which Apertium passes on as they are.
_END = re.compile(r"\.?\[\]\[\n(\d+)\]")


@set_module("skpara.augment")
class ApertiumTranslator:
    """Translate with Apertium, a rule-based system that Debian has packages of.

    Parameters
    ----------
    source, target : str
        Languages by their codes of two or three letters: "en" or "eng", "es" or "spa".
    batch_size : int, default=2000
        Sentences that one process translates.
    timeout : float, default=120
        Seconds that one process may take. A batch that takes longer, or whose process ends with
        an error, is halved and tried again, so that one bad sentence costs no other.
    retries : int, default=2
        How often a sentence alone is tried again.
    program : str, default="apertium"

    Attributes
    ----------
    name : str
        "apertium" and the languages as Apertium calls them.

    Raises
    ------
    FileNotFoundError
        If Apertium or the language pair is not installed; the message says what to install.

    Notes
    -----
    Line ends and control characters inside a sentence count as spaces. Unknown words stay as they
    are.

    References
    ----------
    M. L. Forcada and others (2011). Apertium: a free/open-source platform for rule-based machine
    translation. Machine Translation 25.

    Examples
    --------
    >>> from skpara.augment import ApertiumTranslator
    >>> translator = ApertiumTranslator("eng", "spa")  # doctest: +SKIP
    >>> translator.translate(["The house is big.", ""])  # doctest: +SKIP
    ['La casa es grande.', '']
    """

    def __init__(
        self,
        source: str,
        target: str,
        *,
        batch_size: int = 2000,
        timeout: float = 120.0,
        retries: int = 2,
        program: str = "apertium",
    ) -> None:
        self.source = source
        self.target = target
        self.batch_size = batch_size
        self.timeout = timeout
        self.retries = retries
        self.program = program
        self._mode = self._installed_mode()
        self.name = f"apertium {self._mode}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.source!r}, {self.target!r})"

    def translate(self, sentences: Sequence[str]) -> list[str]:
        """Translate each sentence.

        Parameters
        ----------
        sentences : sequence of str

        Returns
        -------
        list of str
            One for each sentence, in order, without white space around it.

        Raises
        ------
        TranslationError
            If Apertium fails on a sentence alone. ``error.finished`` holds what was translated
            before.
        """
        texts = [_SPACE.sub(" ", sentence).strip() for sentence in check_sentences(sentences)]
        # Empty sentences stay; the others are translated once each.
        finished: dict[str, str] = {"": ""}
        distinct = [text for text in dict.fromkeys(texts) if text]
        try:
            for start in range(0, len(distinct), self.batch_size):
                self._translate(distinct[start : start + self.batch_size], finished)
        except TranslationError as error:
            raise TranslationError(str(error), [finished.get(text) for text in texts]) from error
        return [finished[text] for text in texts]

    def _translate(self, texts: Sequence[str], finished: dict[str, str]) -> None:
        """Translate a batch; where that fails, its halves."""
        problem = ""
        for _ in range(1 if len(texts) > 1 else 1 + self.retries):
            try:
                finished.update(zip(texts, self._run(texts), strict=True))
                return
            except _Failure as failure:
                problem = str(failure)
        if len(texts) == 1:
            raise TranslationError(f"{self.name} failed on {texts[0]!r:.80}: {problem}")
        middle = len(texts) // 2
        self._translate(texts[:middle], finished)
        self._translate(texts[middle:], finished)

    def _run(self, texts: Sequence[str]) -> list[str]:
        """One process for all texts."""
        stream = "".join(
            f"{_SPECIAL.sub(_escape, text)}.[][\n{i}]" for i, text in enumerate(texts)
        )
        command = [self.program, "-u", "-f", "none", self._mode]
        # A group of its own: the program is a pipeline, and all of it has to end.
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            env=os.environ | {"LC_ALL": "C.UTF-8"},
        )
        try:
            output, errors = process.communicate(stream.encode(), timeout=self.timeout)
        except subprocess.TimeoutExpired:
            raise _Failure(f"no answer within {self.timeout:g} seconds") from None
        finally:
            _end(process)
        if process.returncode:
            message = errors.decode(errors="replace").strip().splitlines()
            raise _Failure(f"ended with {process.returncode} ({' '.join(message[-1:])})")
        parts = _END.split(output.decode(errors="replace"))
        if parts[1::2] != [str(i) for i in range(len(texts))]:
            raise _Failure("gave another number of sentences than it got")
        return [_ESCAPED.sub(r"\1", part).strip() for part in parts[:-1:2]]

    def _installed_mode(self) -> str:
        """What Apertium calls the languages."""
        source, target = (_codes(language) for language in (self.source, self.target))
        long = [max(codes, key=len) for codes in (source, target)]
        package = "apertium-" + "-".join(long)
        if shutil.which(self.program) is None:
            raise FileNotFoundError(
                f"Apertium is not installed: apt-get install apertium {package}."
            )
        done = subprocess.run(
            [self.program, "-l"], capture_output=True, text=True, timeout=60, check=False
        )
        installed = done.stdout.split()
        for mode in (f"{a}-{b}" for a in source for b in target):
            if mode in installed:
                return mode
        raise FileNotFoundError(
            f"Apertium does not translate {self.source}-{self.target}: install the pair's package "
            f"(Debian: {package}, or the languages the other way round); installed are "
            f"{', '.join(installed) or 'none'}."
        )


def _codes(language: str) -> list[str]:
    """The code that is given, and the other of the same language."""
    pairs = [*_LANGUAGES.items(), *((long, short) for short, long in _LANGUAGES.items())]
    return [language, *(other for code, other in pairs if code == language)]


class _Failure(RuntimeError):
    """A process failed; the batch may be tried again."""


def _escape(found: re.Match[str]) -> str:
    return "\\" + found[1]


def _end(process: subprocess.Popen[bytes]) -> None:
    """End what is left of a pipeline."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            stream.close()
