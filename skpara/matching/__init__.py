"""Matching of two tables, and duplicates within one."""

# For other rooms of the package, model files and pickles.
from skpara.matching._answers import Judgments as Judgments
from skpara.matching._certificate import Certificate as Certificate
from skpara.matching._clusters import complete_merges as complete_merges
from skpara.matching._clusters import connected as connected
from skpara.matching._deduplicator import Deduplicator
from skpara.matching._fields import Column as Column
from skpara.matching._kinds import reading as reading
from skpara.matching._large import Proposals as Proposals
from skpara.matching._large import checked_matcher as checked_matcher
from skpara.matching._large import decided as decided
from skpara.matching._large import near_neighbours as near_neighbours
from skpara.matching._large import proposed_pairs as proposed_pairs
from skpara.matching._large import sample_of_neighbours as sample_of_neighbours
from skpara.matching._matcher import Scored as Scored
from skpara.matching._matcher import TableMatcher
from skpara.matching._matcher import match_parts as match_parts
from skpara.matching._matcher import score_part as score_part
from skpara.matching._records import NEAREST as NEAREST
from skpara.matching._records import Records as Records
from skpara.matching._rules import TextRules as TextRules
from skpara.matching._scores import model_scores as model_scores
from skpara.matching._scores import score_pairs as score_pairs
from skpara.matching._search import MOST_TEXTS_OF_A_VECTOR as MOST_TEXTS_OF_A_VECTOR
from skpara.matching._search import Cells as Cells
from skpara.matching._search import Lookups as Lookups
from skpara.matching._search import compare_cell as compare_cell
from skpara.matching._search import encode_units as encode_units
from skpara.matching._search import least_recall as least_recall
from skpara.matching._search import plain as plain
from skpara.matching._search import sample_size as sample_size
from skpara.matching._search import vector_keys as vector_keys
from skpara.matching._texts import Counts as Counts
from skpara.matching._texts import Numbers as Numbers
from skpara.matching._texts import TextIndex as TextIndex
from skpara.matching._typos import readings as readings
from skpara.matching._typos import words_of as words_of

__all__ = ["Deduplicator", "TableMatcher"]
