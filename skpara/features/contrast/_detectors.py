"""The detectors that fill the columns of features."""

from __future__ import annotations

from skpara.features.contrast._detector import Detector
from skpara.features.contrast._mention_detectors import ChangedMentions, Mentions
from skpara.features.contrast._negation_detector import Negation
from skpara.features.contrast._number_detectors import (
    Counts,
    Frequencies,
    Letters,
    LongerNames,
    NumbersAndYears,
    PrepositionsOfAmounts,
    Signs,
)
from skpara.features.contrast._order_detector import OrderOfEvents
from skpara.features.contrast._part_detectors import LesserOffices, Parts, Privatives
from skpara.features.contrast._role_detectors import ExchangedPhrases, Roles
from skpara.features.contrast._scope_detector import Questions, ScopeWords
from skpara.features.contrast._word_detectors import (
    ExclusiveTerms,
    OppositePhrases,
    Opposites,
    OtherParticles,
    ReplacedWords,
    Tense,
)

# The detectors that fill the columns of the features, in the order of their differences.
DETECTORS: tuple[Detector, ...] = (
    Negation(),
    Tense(),
    Opposites(),
    OppositePhrases(),
    OtherParticles(),
    ExclusiveTerms(),
    ReplacedWords(),
    ExchangedPhrases(),
    Roles(),
    Mentions(),
    ChangedMentions(),
    ScopeWords(),
    OrderOfEvents(),
    Parts(),
    LesserOffices(),
    Privatives(),
    Questions(),
    Counts(),
    Frequencies(),
    PrepositionsOfAmounts(),
    NumbersAndYears(),
    LongerNames(),
    Letters(),
    Signs(),
)
