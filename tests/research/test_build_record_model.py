"""The builder of the model of records, on made-up tables."""

from itertools import islice

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score


@pytest.fixture
def builder(load):
    return load("build_record_model")


@pytest.fixture
def compared(builder, load):
    found, sources = {}, {}
    tables = load("made_up_tables").made_up_tables(0, sizes=(40,))
    for number, made in enumerate(islice(tables, 28)):
        left, right = pd.DataFrame(made.left), pd.DataFrame(made.right)
        columns = [name for name in left if name in right]
        table = builder.Table(left, right, columns, made.matches, None, set(), made.one_table)
        pairs = builder.compare(table, 30)
        if len(columns) > 1 and pairs is not None:
            found[str(number)], sources[str(number)] = pairs, (made.kind, 1.0)
    return found, sources


@pytest.mark.parametrize("one_table", [False, True])
def test_matches_have_higher_scores_and_honest_probabilities(builder, compared, one_table):
    found, sources = compared
    model = builder.learn(found, sources, one_table)
    scores = {n: builder.score(model, x) for n, x in found.items() if x.one_table == one_table}
    right = np.concatenate([found[name].right for name in scores])
    assert roc_auc_score(right, np.concatenate(list(scores.values()))) > 0.97
    fitted = builder.calibrate(model, found, sources, scores)
    logits = [fitted.logits(x, builder.evidence(x, found[n])) for n, x in scores.items()]
    kept = np.concatenate(list(scores.values())) >= builder.LOWEST
    p = 1 / (1 + np.exp(-np.concatenate(logits)[kept]))
    assert p.mean() == pytest.approx(right[kept].mean(), abs=0.05)
    if one_table:  # nothing of the other candidates
        assert not fitted.weights[~builder.IS_OF_PAIR].any()


def test_figures_are_of_sources_that_were_not_seen(builder, compared, capsys, monkeypatch):
    found, sources = compared
    monkeypatch.setattr(builder, "N_FOLDS", 2)
    seen = []
    learn = builder.learn

    def spy(tables, *arguments):
        seen.append({sources[name][0] for name in tables})
        return learn(tables, *arguments)

    monkeypatch.setattr(builder, "learn", spy)
    models = builder.unseen_models(found, sources, one_table=False)
    folds = builder.folds_of(sources)
    for fold, kinds in enumerate(seen):
        assert all(folds[kind] != fold for kind in kinds)
        assert {models[kind] is models[other] for kind in folds for other in folds
                if folds[kind] == folds[other] == fold} == {True}  # fmt: skip
    two = {name: x for name, x in found.items() if not x.one_table}
    scores = {name: builder.score(models[sources[name][0]], x) for name, x in two.items()}
    builder.print_held_out(found, sources, scores)
    assert "F1 of test pairs; precision, stated and true" in capsys.readouterr().out
