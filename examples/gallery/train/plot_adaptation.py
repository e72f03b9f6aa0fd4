"""
Adapt to text without scores
============================

Often the sentences to be scored are known before any score is. An encoder can learn from them
which words say something in this kind of text. Here they are questions in e-mails, between
greetings and thanks that say nothing.
"""

import matplotlib.pyplot as plt
import numpy as np

from skpara import ParagramEncoder
from skpara.datasets import load_sts_sample
from skpara.learning import AdaGrad, Paraphraser
from skpara.metrics import pearson_score
from skpara.networks import Average

sample = load_sts_sample()
asked = sample.groups == "questions"
questions, gold = sample.data[asked], sample.target[asked]
openings = [
    "Hello, I have a question about this: ",
    "Dear support team, could you please help me with the following? ",
    "Hi there, quick question. ",
    "Good morning, I hope you can help. ",
    "To whom it may concern, I would like to ask: ",
]
endings = [
    " Thanks in advance for your help.",
    " Best regards, Anna",
    " Kind regards from a happy customer.",
    " Thank you very much!",
    " Looking forward to your reply.",
]
rng = np.random.default_rng(0)
mails = rng.choice(openings, questions.shape).astype(object) + questions
mails += rng.choice(endings, questions.shape).astype(object)
mails[0, 0]

# %%
# ``paraphraser="copy"`` teaches the encoder that a sentence is more similar to itself, with
# words left out, than to other sentences. The scored pairs are of the other kinds of text in the
# sample.

copies = ParagramEncoder(
    Average(word_dropout=0.4),
    negatives="hardest",
    optimizer=AdaGrad(0.005),
    max_iter=25,
    paraphraser=Paraphraser("copy", sentences="unlabeled"),
    random_state=0,
)
copies.fit(sample.data[~asked], sample.target[~asked], unlabeled=mails.ravel())


def correlation(encoder, pairs):
    return pearson_score(gold, encoder.similarity(pairs[:, 0], pairs[:, 1]))


results = {
    "the questions alone": correlation(ParagramEncoder(), questions),
    "e-mails, not adapted": correlation(ParagramEncoder(), mails),
    "e-mails, copies": correlation(copies, mails),
}

# %%
# A word with a short vector counts little in the mean. The right panel has the length of vectors
# after learning from copies, divided by the length before.

words = ["hello", "please", "help", "thank", "regards", "customer", "python", "guitar", "melon"]
before, after = (
    np.linalg.norm(encoder.encode(words), axis=1) for encoder in (ParagramEncoder(), copies)
)
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
left.barh(list(results), list(results.values()), color=["tab:gray", *3 * ["tab:blue"]])
left.set(xlabel="Pearson's r of the cosine", xlim=(0.5, 0.9))
right.barh(words, after / before)
right.axvline(1, color="black", linestyle="--", linewidth=1)
right.set_xlabel("length of the vector, after / before")
for ax in (left, right):
    ax.invert_yaxis()
plt.show()

# %%
# Adaptation pays on new kinds of text and on text about few topics. Where pairs to be scored are
# of the same kind as the training pairs, it does nothing: see :doc:`/results/new_text`.
