"""A user's script in which a type checker finds nothing; tests/typing/test_scripts.py reads it.

It is checked and not run.
"""

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
from sklearn.pipeline import make_pipeline, make_union

from skpara import (
    Deduplicator,
    FusionClassifier,
    FusionRegressor,
    LexicalFeatures,
    ParagramEncoder,
    ParagramVectorizer,
    SentenceTransformerFeature,
    SiameseRegressor,
    TableMatcher,
    WordVectors,
    explain,
    load_model,
    load_pair_classifier,
    make_pair_classifier,
    make_sts_pipeline,
    novelty,
    save_model,
    why_different,
)
from skpara.datasets import load_sts_sample, read_pairs
from skpara.learning import Adam, Negatives, Teacher
from skpara.networks import Average

# Scores, from pairs in any container.
pairs, scores = load_sts_sample(return_X_y=True)
sample = load_sts_sample()
print(sample.pairs, read_pairs(Path("pairs.csv"), columns=["a", "b"]).target)
own = [("A man plays a guitar.", "Someone is playing music.")]
rows = [["It rains.", "It is raining."], ["A dog runs.", "Dogs run."]]
columns = list(zip(["It rains."], ["It pours."], strict=True))
frame = pl.DataFrame({"sentence1": ["a"], "sentence2": ["b"]})
system = make_sts_pipeline(intervals=True, random_state=0).fit(pairs, scores, unlabeled=own)
for new in (own, columns):
    print(system.predict(new).round(2).tolist())
table = pd.read_csv("pairs.csv")
print(system.fit(table[["a", "b"]], table["score"]).predict(table[["a", "b"]].to_numpy()))
print(ParagramEncoder().similarity(table["a"], table["b"]), explain(system, table[["a", "b"]]))
print(TableMatcher().join(table, table, on=["a", "b"]).head())
print(Deduplicator().fit(table["a"]).drop_duplicates(table).head())
print(system.predict(rows), system.predict(np.array(rows)), system.predict(frame).mean())
low, high = system.predict_interval(own, coverage=0.8)[0]
print(low < high, system[-1], system.set_params(fusion__n_repeats=2).score(own, [1.0]))
print(why_different(*own[0])[0].upper(), why_different(table["a"], table["b"])[0][0].upper())
print(explain(system, own)[0].score + 1, novelty(system, own).max())
mixed = make_pipeline(make_union(ParagramEncoder(), LexicalFeatures("fast")), FusionRegressor())
mixed.fit(pairs, scores)

# Encoders.
encoder = ParagramEncoder(
    Average(redundancy=0.3),
    vectors=WordVectors(["dog"], np.ones((1, 3), dtype=np.float32)),
    negatives=Negatives("hardest", margin=0.4),
    optimizer=Adam(0.01),
    teacher=Teacher("models/all-MiniLM-L6-v2"),
)
print(encoder.fit(own, [5.0]).encode(["It rains."]).shape, encoder.encode(frame["sentence1"]))
print(ParagramEncoder("lstm", optimizer="adam").similarity(["a"], ("b",)).max())
print(ParagramVectorizer(encoder).set_output(transform="polars").fit_transform(["a"]))
print(SentenceTransformerFeature(encoder, output="both").fit(own).transform(own))
print(SiameseRegressor(loss="mse").fit(pairs, scores).predict(own).round())
print(FusionClassifier().fit([[0.1], [0.9]], ["no", "yes"]).predict_proba([[0.5]])[:, 1])

# Labels and decisions.
classifier = make_pair_classifier(random_state=0).fit(own, [True])
least = classifier.threshold(precision=0.95, confidence=0.9)
print(classifier.predict_proba(own)[:, 1] >= least, f"{least:.2f}")
print(load_pair_classifier().decide(own, precision=0.9).tolist())

# Tables: what comes back is of the type that went in.
names = ["Acme Ltd", "ACME Limited"]
matcher = TableMatcher(model=classifier, precision=0.9, guard=["number"])
matches = matcher.fit(names).match(["acme"], how="left", explain=True)
print(matches["candidate"].tolist(), matches[matches["probability"] > 0.9])
shop = pl.DataFrame({"name": names, "price": [1, 2]})
kinds = {"name": "names", "price": "number"}
joined = TableMatcher().join(shop, shop, on=kinds).filter(pl.col("probability") > 0.9)
print(joined.columns, TableMatcher(encoder=encoder).fit(shop, on="name").match(names))
lazy = TableMatcher().join(shop.lazy(), shop, on="name")
print(lazy["probability"], TableMatcher().fit({"name": names}).match({"name": names})["query"])
print(matcher.judge(own, [None]).judge(shop, np.array([True])).judge(own, shop["name"]))
print(matcher.judge(matcher.review(10), ["y"]).estimate().expected_precision)
print(matcher.partial_fit(names).drop([0]).certify(0.9))
duplicates = Deduplicator(model=classifier, linkage="complete", keep="longest").fit(
    shop, on=["name"]
)
print(duplicates.drop_duplicates(shop).columns, duplicates.drop_duplicates(names)[0].upper())
print(duplicates.drop_duplicates({"name": names})["name"])
print(duplicates.labels_.max(), duplicates.fit_predict(names), duplicates.borderline().tolist())

# Files.
save_model(matcher, "names.skpara")
print(load_model("names.skpara", TableMatcher).match(names)["query"])
saved: ParagramEncoder = load_model(Path("encoder.skpara"))
print(saved.encode(names), load_model("sts.skpara").predict(own))
