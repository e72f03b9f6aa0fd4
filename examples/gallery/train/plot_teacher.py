"""
Learn from a teacher
====================

A teacher is a better and slower model of sentences, for example a transformer. An encoder learns
its cosines, from sentences without scores, and needs no teacher afterwards.

So that this example runs anywhere, the packaged vectors are the teacher, and the student is small:
its vectors have 48 dimensions and are random at first. With a transformer, pass the folder of a
sentence-transformers model as ``teacher``.
"""

import matplotlib.pyplot as plt
import numpy as np

from skpara import ParagramEncoder, WordVectors
from skpara.datasets import load_sts_sample
from skpara.learning import Teacher
from skpara.metrics import pearson_score
from skpara.text import tokenize

sample = load_sts_sample()
teacher = ParagramEncoder()
words = sorted({word for text in sample.data.ravel() for word in tokenize(text)})
random = np.random.default_rng(0).standard_normal((len(words), 48))
student = ParagramEncoder(
    vectors=WordVectors(words, random),
    oov="zero",
    teacher=Teacher(teacher, max_iter=30),
    max_iter=0,  # learn from the teacher only
    random_state=0,
)

# %%
# The student learns from the sentences of 480 pairs. It is compared with the teacher on these,
# and on the 160 pairs that it has not seen.

train, test = sample.data[:480], sample.data[480:]


def cosines(encoder, pairs):
    return encoder.similarity(pairs[:, 0], pairs[:, 1])


figure, axes = plt.subplots(1, 3, figsize=(9, 3.4), sharex=True, sharey=True, layout="constrained")
before = cosines(student, test)
student.fit(train)
panels = {
    "before training, new pairs": (before, test),
    "after training, its pairs": (cosines(student, train), train),
    "after training, new pairs": (cosines(student, test), test),
}
for ax, (title, (values, pairs)) in zip(axes, panels.items(), strict=True):
    expected = cosines(teacher, pairs)
    ax.scatter(expected, values, s=6)
    r = pearson_score(expected, values)
    ax.set(title=f"{title}\nr = {r:.2f}", xlabel="cosine of the teacher")
axes[0].set_ylabel("cosine of the student")
plt.show()

# %%
# It knows most about sentences that the teacher has encoded. So pass those that you want to
# score as ``unlabeled``: ``student.fit(pairs, scores, unlabeled=new_sentences)``.
