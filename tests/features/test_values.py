"""Values of all features stay the same from version to version.

`python tests/features/test_values.py` writes the sums that are expected. Do so only where a change
of scores is intended, and name the features in the changelog: models that were saved before give
other scores then.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from skpara import LexicalFeatures
from skpara.datasets import load_sts_sample

FILE = Path(__file__).parents[1] / "data" / "features.json"
# Each is paired with the two behind it: what families look for, beside and without its opposite.
SENTENCES = """\
The store opens at 9:30 am on Monday, May 5, 2014.
The store closes at half past nine pm on Tuesday, May 6.
The shop doesn't open until three o'clock tomorrow afternoon.
The shop never opened on the third of March.
Nobody opened the shop at 15:00 last week.
No man is playing the guitar.
A man is not playing a guitar.
Three men aren't playing any guitars.
A guitar is being played by a woman.
The woman who plays the guitar gave Mary a book.
Mary gave the woman a book about guitars.
Mary was given two books by the woman.
John sold his car to Peter for $12,500.
Peter bought a car from John for 12.5 thousand dollars.
Peter failed to buy John's red car and sold a blue one.
John is taller than Peter.
Peter is shorter than John.
Peter and John are equally tall, but not rich.
Shares of Microsoft Corp. rose 3.5 percent to USD 27.10.
Microsoft shares fell 3.50% to $27.1.
Shares in MSFT rose by more than 3 per cent to 27 euros.
The U.S. President Barack Obama met Angela Merkel in Berlin on 2012-05-31.
Obama and Merkel met in Berlin on 5/31/2012.
Merkel did not meet the president of the United States in Paris in spring.
Most dogs like meat, but few cats do.
All dogs like meat; some cats hate it.
Only half of the dogs liked the meat twice.
The dog chased the small cat up the big tree.
The big cat chased the dog down a small tree.
Is he chasing cats, or is the cat chasing him?
Five twenty and five hundred and six people, 25 of them women, died.
About 506 people died, among them twenty-five females.
At least two million people lived; nothing else is known.
Colour televisions aren't expensive anymore!!
The color TV isn't cheap anymore...
An expensive colour-television is rarely bought.
He said: "I can't believe it's already 10 p.m."
He says that he believes neither her nor them.
She doesn't only sing, she also dances.
The film was not bad, it was good.
The movie was bad rather than good.
The movie lacks a good ending, without which it is boring.
A litle girl is runing thru the feild.
A little girl runs through the field.
Little girls in a field are running quickly.
0.9 of 1 and 3.14159 of 3.14, 1,000 of 1000
1 of 0.9 and 3.142 of 3.1, 999 of 1,000.0
The 1st, the second and the twenty third of 7 winners were born in 1999.
Caf\u00e9 owners in S\u00e3o Paulo drink na\u00efve coffee.
\u0391\u03b8\u03ae\u03bd\u03b1 \u4f60\u597d 123 \u0663\u0664 emoji \U0001f600
aaa bbb
.

The quick brown fox jumps over the lazy dog near the old river bank at noon.
Near the bank of the old river at midnight, a fast fox that is brown leaps over lazy dogs.
She turned the lights off this morning and turned them on tonight.
She turned on the lights yesterday and off today, next summer or last year.
""".split("\n")


def checksums() -> dict[str, list[float]]:
    """Return two sums of each feature, weighted by random numbers, over 300 pairs."""
    pairs = [(a, b) for step in (1, 2) for a, b in zip(SENTENCES, SENTENCES[step:], strict=False)]
    pairs += load_sts_sample().data[::3].tolist()
    lexical = LexicalFeatures(["all", "contrast"]).fit(pairs)
    weights = np.random.default_rng(0).random((2, len(pairs)))
    sums = weights @ lexical.transform(pairs)
    names = lexical.get_feature_names_out().tolist()
    return dict(zip(names, sums.T.round(9).tolist(), strict=True))


def test_values_of_features_stay_the_same():
    sums, expected = checksums(), json.loads(FILE.read_text("utf-8"))
    changed = [
        name
        for name, values in expected.items()
        if not np.allclose(sums[name], values, rtol=1e-6, atol=1e-8)
    ]
    assert not changed
    assert sums.keys() == expected.keys()


if __name__ == "__main__":
    text = ",\n".join(f" {json.dumps(name)}: {sums}" for name, sums in checksums().items())
    FILE.write_text(f"{{\n{text}\n}}\n", "utf-8")
