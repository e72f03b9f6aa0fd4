"""
Grid search over encoder and regressor
======================================

The parts of the system are steps of a scikit-learn pipeline, so a search can exchange them, not
only set their numbers. Here it tries three encoders with three regressors.
"""

# %%
# ``max_iter=0`` keeps the vectors as they are. ``cross_fit=3`` trains them, and gives the
# regressor similarities from encoders that have not seen the pair. ``memory`` caches the
# features, which are the same for the three regressors.

from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import FeatureUnion, Pipeline

from skpara import FusionRegressor, LexicalFeatures, ParagramEncoder
from skpara.datasets import load_sts_sample
from skpara.metrics import pearson_scorer

pairs, scores = load_sts_sample(return_X_y=True)
features = FeatureUnion([("encoder", ParagramEncoder()), ("lexical", LexicalFeatures("fast"))])
encoders = {
    "none": "drop",
    "not trained": ParagramEncoder(max_iter=0),
    "trained": ParagramEncoder(cross_fit=3, random_state=0),
}
regressors = {
    "ridge": FusionRegressor(RidgeCV()),
    "random forest": FusionRegressor(RandomForestRegressor(50, random_state=0)),
    "default": FusionRegressor(random_state=0),
}
with TemporaryDirectory() as folder:
    model = Pipeline([("features", features), ("fusion", FusionRegressor())], memory=folder)
    grid = {
        "features__encoder": list(encoders.values()),
        "fusion": list(regressors.values()),
    }
    search = GridSearchCV(model, grid, scoring=pearson_scorer, cv=3, refit=False)
    search.fit(pairs, scores)

# %%
# The mean correlation over the folds:

means = search.cv_results_["mean_test_score"].reshape(len(encoders), len(regressors))
figure, ax = plt.subplots(figsize=(6, 3.6), layout="constrained")
ax.imshow(means, cmap="YlGn", aspect="auto")
ax.set_xticks(range(len(regressors)), regressors)
ax.set_yticks(range(len(encoders)), encoders)
ax.set(xlabel="regressor", ylabel="encoder", title="Pearson's r in cross-validation")
middle = (means.min() + means.max()) / 2
for row, values in enumerate(means):
    for column, value in enumerate(values):
        color = "white" if value > middle else "black"
        ax.text(column, row, f"{value:.3f}", ha="center", va="center", color=color)
plt.show()
