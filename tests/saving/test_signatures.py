"""What users write down: the defaults of all that is public here, and ranges of parameters."""

from __future__ import annotations

from public import signature_tests

from skpara import saving

SIGNATURES = {
    saving: """
from_hub(repo_id, *, revision=None, token=None, local_files_only=False)
push_to_hub(model, repo_id, *, token=None, private=None, commit_message=None)
""",
}

test_defaults_are_as_documented = signature_tests(SIGNATURES)
