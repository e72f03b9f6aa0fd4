"""The yearly STS tasks: which sets each has, how many lines, where they come from."""

from __future__ import annotations

from dataclasses import dataclass

from skpara.datasets._download import Archive, FileSpec
from skpara.datasets._sources import Source

WIKI_PAGE = "the STS wiki, http://ixa2.si.ehu.eus/stswiki"


def wiki_urls(path: str) -> tuple[str, ...]:
    """Return the present address of a file of the STS wiki, then the one that papers cite."""
    return (
        f"https://ixa2.si.ehu.eus/stswiki/images/{path}",
        f"http://ixa2.si.ehu.es/stswiki/images/{path}",
    )


@dataclass(frozen=True)
class StsTask:
    """The sets of one year and split."""

    year: int
    split: str
    sets: tuple[str, ...]
    sets_on_request: tuple[str, ...]  # read only if named
    source: Source
    terms: str  # licence, as far as the source states it
    paper: str

    @property
    def label(self) -> str:
        """Year as it stands in ``groups``; test sets have the year alone."""
        return f"{self.year}-train" if self.split == "train" else str(self.year)


def _task(
    year: int,
    sets: dict[str, int],
    *,
    split: str = "test",
    archives: dict[str, tuple[str, ...]],
    official_folders: tuple[str, ...],
    terms: str,
    paper: str,
    tracks: dict[str, int] | None = None,
    not_public: tuple[str, ...] = (),
) -> StsTask:
    """Return a task; ``tracks`` are other languages, which the archives have too.

    ``not_public`` sets are in no archive.
    """
    downloadable = sets | (tracks or {})
    source = Source(
        title=f"STS {year} {split}",
        folder=f"STS/STS{year % 100}-en-{split}",
        files={
            f"STS.{kind}.{name}.txt": FileSpec(n_lines, n_columns)
            for name, n_lines in downloadable.items()
            for kind, n_columns in (("input", 2), ("gs", 1))
        },
        archives=tuple(
            Archive(
                wiki_urls(path),
                tuple(f"STS.{kind}.{name}.txt" for name in downloadable for kind in kinds),
            )
            for path, kinds in archives.items()
        ),
        page=WIKI_PAGE,
        official_folders=official_folders,
    )
    on_request = (*(tracks or ()), *not_public)
    return StsTask(year, split, tuple(sets), on_request, source, terms, paper)


_BOTH = ("input", "gs")
_OTHER_LANGUAGES = {
    f"track{name}": 250
    for name in ("1.ar-ar", "2.ar-en", "3.es-es", "4a.es-en", "4b.es-en", "6.tr-en")
}
_2012_TERMS = "Using it means agreeing to the Microsoft Research licences of MSRpar and MSRvid."
_2012_PAPER = "Agirre et al. (2012). SemEval-2012 Task 6: A Pilot on STS. *SEM 2012."

STS_TASKS = [
    _task(
        2012,
        {"MSRpar": 750, "MSRvid": 750, "SMTeuroparl": 734},
        split="train",
        archives={"e/e4/STS2012-en-train.zip": _BOTH},
        official_folders=("train",),
        terms=_2012_TERMS,
        paper=_2012_PAPER,
    ),
    _task(
        2012,
        {
            "MSRpar": 750,
            "MSRvid": 750,
            "SMTeuroparl": 459,
            "surprise.OnWN": 750,
            "surprise.SMTnews": 399,
        },
        archives={"4/40/STS2012-en-test.zip": _BOTH},
        official_folders=("test-gold",),
        terms=_2012_TERMS,
        paper=_2012_PAPER,
    ),
    _task(
        2013,
        {"FNWN": 189, "OnWN": 561, "headlines": 750},
        not_public=("SMT",),  # its sentences come from the LDC only
        archives={"2/2f/STS2013-en-test.zip": _BOTH},
        official_folders=("test-gs",),
        terms="See 00-readme.txt. The fourth set, SMT, is distributed by the LDC only.",
        paper="Agirre et al. (2013). *SEM 2013 shared task: STS. *SEM 2013.",
    ),
    _task(
        2014,
        {
            "OnWN": 750,
            "deft-forum": 450,
            "deft-news": 300,
            "headlines": 750,
            "images": 750,
            "tweet-news": 750,
        },
        archives={"8/8c/STS2014-en-test.zip": _BOTH},
        official_folders=("sts-en-test-gs-2014",),
        terms="images: CC BY-SA; others not stated.",
        paper="Agirre et al. (2014). SemEval-2014 Task 10: Multilingual STS. SemEval 2014.",
    ),
    _task(
        2015,
        {
            "answers-forums": 2000,
            "answers-students": 1500,
            "belief": 2000,
            "headlines": 1500,
            "images": 1500,
        },
        archives={"d/da/STS2015-en-test.zip": _BOTH},
        official_folders=("test_evaluation_task2a",),
        terms="answers-forums: CC BY-SA 3.0 with attribution; others not stated.",
        paper="Agirre et al. (2015). SemEval-2015 Task 2: STS, English, Spanish. SemEval 2015.",
    ),
    _task(
        2016,
        {
            "answer-answer": 1572,
            "headlines": 1498,
            "plagiarism": 1271,
            "postediting": 3287,
            "question-question": 1555,
        },
        archives={"9/98/STS2016-en-test.zip": _BOTH},
        official_folders=("sts2016-english-with-gs-v1.0",),
        terms="answer-answer, question-question: CC BY-SA 3.0 with attribution; postediting: "
        "CC BY 4.0; plagiarism: CC BY-NC-SA 2.0 UK; headlines: EMM disclaimer.",
        paper="Agirre et al. (2016). SemEval-2016 Task 1: STS, Monolingual. SemEval 2016.",
    ),
    _task(
        2017,
        {"track5.en-en": 250},
        tracks=_OTHER_LANGUAGES,
        archives={"2/20/Sts2017.eval.v1.1.zip": ("input",), "7/70/Sts2017.gs.zip": ("gs",)},
        official_folders=("STS2017.eval.v1.1", "STS2017.gs"),
        terms="See the files beside the data.",
        paper="Cer et al. (2017). SemEval-2017 Task 1: STS, Multilingual. SemEval 2017.",
    ),
]

# Not downloaded: the address of the archive and the length of its files could not be checked.
CROSS_LINGUAL_2016 = Source(
    title="STS 2016, English-Spanish",
    folder="STS/STS2016-cross-lingual-test",
    files={},
    archives=(),
    page='the test data "Cross-lingual STS (English-Spanish)" of SemEval-2016 Task 1, '
    "http://alt.qcri.org/semeval2016/task1/index.php?id=data-and-tools",
    official_folders=("STS16-cross-lingual-test",),
)
