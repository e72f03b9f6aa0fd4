"""A user's script with mistakes, each marked on its line; tests/typing/test_scripts.py reads it.

It is checked and not run. Each part has one mistake, of those that people make.
"""

from skpara import (
    Deduplicator,
    FusionRegressor,
    LexicalFeatures,
    ParagramEncoder,
    ParagramVectorizer,
    SiameseRegressor,
    TableMatcher,
    load_model,
    load_pair_classifier,
    make_sts_pipeline,
    save_model,
)
from skpara.datasets import load_sts_sample

names = ["Acme Ltd", "ACME Limited", "Borealis"]
pairs = [("A man plays.", "Somebody plays."), ("A dog runs.", "It rains.")]

# Names of parameters.
TableMatcher(target_precison=0.9)  # mistake
TableMatcher().fit(names).match(["acme"], top_k=3)  # mistake
ParagramEncoder().fit(pairs, unlabelled=["It rains."])  # mistake
load_sts_sample(return_Xy=True)  # mistake
Deduplicator(treshold=0.8).fit(names)  # mistake

# Options of other packages.
Deduplicator(linkage="ward")  # mistake
TableMatcher().join(names, names, how="cross")  # mistake
ParagramEncoder("avg")  # mistake
ParagramEncoder(output="cosine")  # mistake
SiameseRegressor(loss="huber")  # mistake
ParagramVectorizer(encoder="all-MiniLM-L6-v2")  # mistake

# Types of arguments.
make_sts_pipeline().predict("A man plays.", "A man sleeps.")  # mistake
make_sts_pipeline().fit(names, [1.0, 2.0, 3.0])  # mistake
load_pair_classifier().threshold(precision="95%")  # mistake
load_pair_classifier().decide(pairs)  # mistake
ParagramEncoder().similarity(pairs)  # mistake
save_model("sts.skpara", make_sts_pipeline())  # mistake

# Attributes of estimators and of results.
FusionRegressor().fit([[0.1]], [1.0]).predict_probability([[0.2]])  # mistake
LexicalFeatures("takelab").fit(pairs).get_feature_names()  # mistake
print(TableMatcher().fit(names).estimate().f1)  # mistake
print(make_sts_pipeline().fit(pairs, [4.0, 0.0]).predict(pairs).items())  # mistake
Deduplicator().fit(names).drop_duplicates(names).head()  # mistake
load_model("names.skpara", TableMatcher).match(names, how="full")  # mistake
