"""What users write down: the defaults of all that is public here, and ranges of parameters."""

from __future__ import annotations

from public import class_tests, signature_tests

from skpara import datasets

SIGNATURES = {
    datasets: """
fetch_sick(split='train', *, data_home=None, download_if_missing=True, as_frame=False,
    return_X_y=False)
fetch_sts(year, *, subset=None, split='test', include_unscored=False, data_home=None,
    download_if_missing=True, as_frame=False, return_X_y=False)
fetch_sts_benchmark(split='train', *, data_home=None, download_if_missing=True,
    as_frame=False, return_X_y=False)
get_data_home(data_home=None)
iter_pairs(path, *, chunk_size=10000, format=None, columns=None, score_column=None,
    header=None, delimiter=None, encoding=None)
load_sts_sample(*, return_X_y=False, as_frame=False)
read_pairs(path, *, format=None, columns=None, score_column=None, group_column=None,
    header=None, delimiter=None, encoding=None, as_frame=False, return_X_y=False)
""",
}

# Classes that a model file may hold, and those whose objects cannot be changed.
CLASSES = {
    datasets: ("", ""),
}

test_defaults_are_as_documented = signature_tests(SIGNATURES)
test_classes_are_compared_and_printed_as_those_of_scikit_learn = class_tests(CLASSES)
