"""Matching of two tables, and duplicates within one."""

# For other rooms of the package, model files and pickles.
from skpara.matching._answers import Judgments as Judgments
from skpara.matching._certificate import Certificate as Certificate
from skpara.matching._deduplicator import Deduplicator
from skpara.matching._fields import Column as Column
from skpara.matching._matcher import Scored as Scored
from skpara.matching._matcher import TableMatcher
from skpara.matching._matcher import match_parts as match_parts
from skpara.matching._matcher import score_part as score_part
from skpara.matching._partitions import PartitionedSearch as PartitionedSearch
from skpara.matching._records import Records as Records
from skpara.matching._scores import model_scores as model_scores
from skpara.matching._texts import TextIndex as TextIndex

__all__ = ["Deduplicator", "TableMatcher"]
